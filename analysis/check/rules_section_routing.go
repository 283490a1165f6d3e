package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// The routing of ESCALATE, for several codes.

// route is one entry of a list below `routing`, with its keys.
type route struct {
	node  syntax.Node
	props []model.Property
}

// routesOf returns the lists of entries that a place has below `routing`.
func routesOf(m model.Map) [][]route {
	var lists [][]route
	for _, p := range m.Properties {
		if p.Field == nil || p.Field.Name != "routing" {
			continue
		}
		var list []route
		for _, item := range p.Items() {
			list = append(list, route{item.Node, item.Properties()})
		}
		lists = append(lists, list)
	}
	return lists
}

// isDefault reports whether the entry is taken in any case.
func (r route) isDefault() bool {
	when, _ := keyNamed(r.props, "WHEN")
	s := strings.TrimSpace(when.Text())
	return s == "*" || strings.EqualFold(s, "always")
}

// reportSpan returns the span at which a problem of the entry is reported.
func (r route) reportSpan() text.Span {
	if len(r.props) > 0 {
		return r.props[0].Key.Span()
	}
	return firstLine(r.node)
}

// wrongRoutes: an entry has a condition, and there are one to eight tools that transfer a call.
func wrongRoutes(out *findings, m model.Map) {
	for _, list := range routesOf(m) {
		for _, r := range list {
			if when, ok := keyNamed(r.props, "WHEN"); ok && isPlainWords(when) {
				out.err(firstLine(when.Value), "`WHEN` of a `routing` entry must be a condition, such as `tier == \"gold\"`; `%s` is plain words.", firstWords(when.Value))
			}
		}
	}
	if tools, ok := keyOfMap(m, "custom_tools"); ok && isValueOf(m, "voice") {
		wrongCustomTools(out, tools)
	}
	if isValueOf(m, "genesys_sip_headers") {
		wrongGenesys(out, m)
	}
}

var isCustomTool = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$`).MatchString

func wrongCustomTools(out *findings, p model.Property) {
	if strings.Contains(p.Node.Text(), "{{") {
		return
	}
	var names []string
	for _, item := range p.Items() {
		names = append(names, strings.TrimSpace(item.PlainText()))
	}
	if len(names) == 0 {
		for name := range strings.SplitSeq(strings.Trim(p.Text(), "[]"), ",") {
			if name = strings.TrimSpace(name); name != "" {
				names = append(names, name)
			}
		}
	}
	const most = 8
	distinct := slices.Compact(slices.Sorted(slices.Values(names)))
	wrong := slices.ContainsFunc(names, func(s string) bool { return !isCustomTool(s) })
	if len(names) == 0 || len(names) > most || len(distinct) < len(names) || wrong {
		out.err(p.Key.Span(), "`%s` wants one to eight different names of tools.", p.WrittenName())
	}
}

var (
	genesysNames  = []string{"queue_header_key", "reason_header_key", "metadata_header_key"}
	isHeaderToken = lazyregexp.New("^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$").MatchString
)

func wrongGenesys(out *findings, m model.Map) {
	const most = 1024
	for _, p := range m.Properties {
		s := strings.TrimSpace(p.Text())
		switch {
		case p.Field == nil || strings.Contains(s, "{{") || s == "":
		case slices.Contains(genesysNames, p.Field.Name):
			if !isHeaderToken(s) {
				out.warn(firstLine(p.Value), "`%s` is the name of a header: at most 64 letters, digits and signs such as `-`.", p.WrittenName())
			}
		case p.Field.Name == "metadata" && (p.Value.Kind() == syntax.List || p.Value.Kind() == syntax.Map && len(p.Properties()) == 0):
			out.warn(p.Value.Span(), "`%s` is a text or a map that is not empty.", p.WrittenName())
		case p.Value.Kind() != syntax.Map && len(p.Properties()) == 0 && (len(s) > most || strings.ContainsAny(s, "\r\n")):
			out.warn(p.Key.Span(), "`%s` is at most 1024 bytes on one line.", p.WrittenName())
		}
	}
}

// duplicateRoutes: there is one default entry, and each header has a different name.
func duplicateRoutes(out *findings, m model.Map) {
	for _, list := range routesOf(m) {
		some := false
		for _, r := range list {
			if !r.isDefault() {
				continue
			}
			if some {
				out.err(r.reportSpan(), "A second default entry; the first one takes all.")
			}
			some = true
		}
	}
	if !isValueOf(m, "genesys_sip_headers") {
		return
	}
	names := map[string]bool{}
	for _, p := range m.Properties {
		name := strings.ToLower(strings.TrimSpace(p.Text()))
		if p.Field == nil || !slices.Contains(genesysNames, p.Field.Name) || name == "" || strings.Contains(name, "{{") {
			continue
		}
		if names[name] {
			out.err(p.Value.Span(), "Two of the headers are called `%s`; each needs a name of its own.", strings.TrimSpace(p.Text()))
		}
		names[name] = true
	}
}

// transferType returns the key among props that says how calls are transferred, and its value in
// lower case. open says that the value is known at run time only.
func transferType(props []model.Property) (p model.Property, kind string, open bool) {
	p, _ = keyNamed(props, "call_transfer_type")
	kind = strings.ToLower(strings.TrimSpace(p.Text()))
	return p, kind, strings.Contains(kind, "{{")
}

// misplacedRoutes: keys of one way to transfer a call do not appear with another.
func misplacedRoutes(out *findings, m model.Map) {
	switch {
	case isValueOf(m, "voice") && hasKey(m, "call_transfer_type"):
		_, kind, open := transferType(m.Properties)
		for name, needs := range map[string]string{"sip_transfer_id": "sip", "custom_tools": "custom"} {
			if p, has := keyOfMap(m, name); has && kind != needs && !open {
				out.err(p.Key.Span(), "`%s` belongs to `call_transfer_type: %s`.", p.WrittenName(), needs)
			}
		}
	case isValueOf(m, "routing"):
		voice, _ := keyOfMap(m, "voice")
		_, kind, _ := transferType(voice.Properties())
		if p, has := keyOfMap(m, "connection"); has && kind == "custom" {
			out.err(p.Key.Span(), "`connection` does not go with `call_transfer_type: custom`; delete one of the two.")
		}
	}
}

var channelIs = lazyregexp.New(`\bchannel\b\s*==\s*["']?(\w+)`)

// missingInRoutes: `custom` has its tools, and an entry for a channel what the channel requires.
func missingInRoutes(out *findings, m model.Map) {
	if isValueOf(m, "voice") && hasKey(m, "call_transfer_type") {
		kind, word, _ := transferType(m.Properties)
		if _, has := keyOfMap(m, "custom_tools"); word == "custom" && !has {
			out.err(kind.Key.Span(), "`call_transfer_type: custom` has no `custom_tools`; add the tools that transfer the call.")
		}
	}
	for _, list := range routesOf(m) {
		for _, r := range list {
			when, _ := keyNamed(r.props, "WHEN")
			channel := channelIs.FindStringSubmatch(when.Text())
			if channel == nil {
				continue
			}
			needs := "connection"
			if channel[1] == "voice" {
				needs = "voice"
			}
			if _, has := keyNamed(r.props, needs); !has {
				out.warn(r.reportSpan(), "An entry for the channel `%s` has no `%s`; add it.", channel[1], needs)
			}
		}
	}
}
