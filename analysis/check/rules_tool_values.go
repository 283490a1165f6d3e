package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// Values of single properties of tools, for invalid-value.

const (
	maxContextFields   = 64
	maxContextSegments = 16
)

var contextPath = lazyregexp.New(`^(?:\[\]\.)?[A-Za-z_]\w*(?:\[\])*(?:\.[A-Za-z_]\w*(?:\[\])*)*$`)

// modelContext: either `fields` or `template` declares what the model sees.
func modelContext(out *findings, t *model.ToolDecl) {
	block, ok := t.Property("model_context")
	if !ok || !block.Value.IsZero() && block.Value.Kind() != syntax.Map {
		return
	}
	props := block.Properties()
	fields, hasFields := findProperty(props, "fields")
	_, hasTemplate := findProperty(props, "template")
	switch {
	case hasFields == hasTemplate:
		out.err(block.Key.Span(), "`model_context` has exactly one of `fields` and `template`.")
	case hasFields:
		contextFields(out, fields)
	}
}

func contextFields(out *findings, fields model.Property) {
	words := fields.Words()
	if len(words) == 0 || len(words) > maxContextFields {
		out.err(fields.Key.Span(), "`fields` names one path of the result at least, and %d at most.", maxContextFields)
		return
	}
	for i, w := range words {
		switch {
		case !contextPath.MatchString(w.Text):
			out.err(w.Span, "`%s` is no path into the result: write names with dots between, and `[]` behind an array, such as `rows[].id`.", w.Text)
		case strings.Count(w.Text, ".") >= maxContextSegments:
			out.err(w.Span, "A path has %d parts at most.", maxContextSegments)
		case slices.ContainsFunc(words[:i], func(o model.Word) bool { return isPathPrefix(o.Text, w.Text) || isPathPrefix(w.Text, o.Text) }):
			out.err(w.Span, "`%s` and another path overlap: one is the beginning of the other.", w.Text)
		}
	}
}

// isPathPrefix reports whether a path is the beginning of another one, or equal to it.
func isPathPrefix(a, b string) bool {
	unquoted := func(path string) string { return strings.ReplaceAll(path, "[]", "") + "." }
	return strings.HasPrefix(unquoted(b), unquoted(a))
}

// idempotencyHeader: the header is one that may carry a key.
func idempotencyHeader(out *findings, t *model.ToolDecl) {
	p, s := singleLineValue(t, "idempotency_header")
	if fault := tool.IdempotencyFault(s); s != "" && fault != "" {
		out.warn(p.Value.Span(), "`%s` %s.", s, fault)
	}
}

// sipTransfer returns the entry of `sipTransferId` of the platform's call_transfer.
func sipTransfer(t *model.ToolDecl) (props []model.Property, ok bool) {
	if t.Name != "call_transfer" {
		return nil, false
	}
	block, _ := findProperty(t.PropertiesOfAnyKind(), "parameters")
	for _, p := range block.Properties() {
		if p.WrittenName() == "sipTransferId" && p.Describes() {
			return p.Properties(), true
		}
	}
	return nil, false
}

var (
	inBraces     = lazyregexp.New(placeholder.Open + `([^{}]*?)` + placeholder.Close)
	sipScheme    = lazyregexp.New(`(?i)^sips?:`)
	sipHeader    = lazyregexp.New(`(?i)^(?:user-to-user|x-.*)$`)
	sipField     = lazyregexp.New(`(?i)^` + placeholder.Open + `sip\.(user-to-user|x-[\w-]*)` + placeholder.Close + `$`)
	sipAuthority = lazyregexp.New(`(?i)^sips?:(?:\d|\[\d-\d\])+@[a-z0-9.-]+:\d+$`)
	routeField   = lazyregexp.New(`^route\.(?:vdn|ip|port)$`)
)

// sipValues: a call is transferred to a destination that the file spells out.
func sipValues(out *findings, t *model.ToolDecl) {
	props, ok := sipTransfer(t)
	if !ok {
		return
	}
	if p, has := findProperty(props, "default"); has && p.Text() != "" && !strings.HasPrefix(p.Text(), "{{config.") && !isSIPDefault(p.Text()) {
		out.err(p.Value.Span(), "The `default` of `sipTransferId` is a literal `sip:` or `sips:` address; `{{sip.x-…}}` may be the whole value of a header `x-…` or `User-to-User` behind its `?`.")
	}
	if p, has := findProperty(props, "template"); has && !isSIPTemplate(p.Text()) {
		out.err(firstLine(p.Value), "The `template` of `sipTransferId` has `{{route.vdn}}`, `{{route.ip}}` and `{{route.port}}` before its `?`, and `{{sip.…}}` behind it.")
	}
	p, _ := findProperty(props, "approved_authorities")
	for _, w := range p.Words() {
		if !sipAuthority.MatchString(w.Text) {
			out.err(w.Span, "`%s` is no approved destination: write `sip:USER@HOST:PORT`, its user in digits and ranges such as `[0-9]`.", w.Text)
		}
	}
}

func isSIPDefault(s string) bool {
	address, headers, _ := strings.Cut(s, "?")
	if !sipScheme.MatchString(address) || strings.Contains(address, "{{") {
		return false
	}
	for header := range strings.SplitSeq(headers, "&") {
		name, value, _ := strings.Cut(header, "=")
		if strings.Contains(header, "{{") && (!sipHeader.MatchString(name) || !sipField.MatchString(value)) {
			return false
		}
	}
	return true
}

func isSIPTemplate(s string) bool {
	address, headers, _ := strings.Cut(s, "?")
	for _, m := range inBraces.FindAllStringSubmatch(address, -1) {
		if !routeField.MatchString(m[1]) {
			return false
		}
	}
	for _, m := range inBraces.FindAllStringSubmatch(headers, -1) {
		if !strings.HasPrefix(strings.ToLower(m[1]), "sip.") {
			return false
		}
	}
	return strings.Contains(address, "{{")
}

// missingAuthorities: a template comes with the names of the destinations that it may make.
func missingAuthorities(out *findings, t *model.ToolDecl) {
	props, _ := sipTransfer(t)
	template, has := findProperty(props, "template")
	if list, ok := findProperty(props, "approved_authorities"); has && (!ok || len(list.Words()) == 0) {
		out.err(template.Key.Span(), "Beside `template` the parameter needs `approved_authorities`, the destinations that may be called.")
	}
}

// memoryAccess compares what tools read and write with what the agent's MEMORY permits.
func memoryAccess(out *findings, f File) {
	var access map[string]string
	for t := range f.ToolsWith(model.HasContext) {
		for list, forbidden := range map[string]string{"read": "write", "write": "read"} {
			p, ok := findProperty(t.PropertiesOfAnyKind(), "context_access", list)
			if ok && access == nil {
				access = memoryAccesses(f)
			}
			for _, w := range p.Words() {
				if access[w.Text] == forbidden && len(*out) < maxFindings {
					out.err(w.Span.Shift(t.Offset), "`MEMORY` has `%s` as `ACCESS: %s`, so that no tool can %s it.", w.Text, forbidden, list)
				}
			}
		}
	}
}

// memoryAccesses returns the persistent paths of the file with their ACCESS.
func memoryAccesses(f File) map[string]string {
	access := map[string]string{}
	for s := range f.Doc.Sections().Named("MEMORY") {
		for _, e := range s.Entries {
			if !strings.EqualFold(e.Root().Key(), "persistent") {
				continue
			}
			for _, p := range model.SectionProperties(model.Agent, "MEMORY", e.Root()) {
				for _, item := range p.Items() {
					name := syntax.Unquote(item.NameNode().Text())
					if path, ok := findProperty(item.Properties(), "PATH"); ok {
						name = path.Text()
					}
					if a, ok := findProperty(item.Properties(), "ACCESS"); ok {
						access[name] = strings.ToLower(a.Text())
					}
				}
			}
		}
	}
	return access
}
