package toolbox

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// reportUnusedKeys records the keys of a tool that only Toolbox uses, and reports values that
// Toolbox does not accept.
func (r *reader) reportUnusedKeys() {
	for _, m := range r.entry.body.Members {
		switch m.Key {
		case "scopesRequired":
			checkTexts(r.file, m)
		case "ui":
			r.checkUI(m)
		case "maxRows", "maxResponseBytes":
			if m.Value.IsSet() && (m.Value.Kind != foreign.Number || strings.ContainsAny(m.Value.Text, "-.eE")) && !isVariable(m.Value) {
				r.report("invalid-value", m.Value.Span, "`%s` wants a whole number from 0 up, not `%s`.", m.Key, m.Value.Text)
			}
		default:
			continue
		}
		r.reportLoss(m.Key, m.KeySpan)
	}
}

// checkUI checks the page that a client may show.
func (r *reader) checkUI(m foreign.Member) {
	if m.Value.IsSet() && m.Value.Kind != foreign.Map {
		r.report("invalid-value", m.Value.Span, "`ui` wants a map with `resource`.")
		return
	}
	known := tool.FieldNames(uiRows)
	r.file.ReportUnknown("`ui`", foreign.Unknown(m.Value, known...), known)
	if !m.Value.Get("resource").IsSingle() {
		r.report("missing-property", m.KeySpan, "`resource` is missing in `ui`: the resource that has the page.")
	}
	words := tool.WordNames(uiRows[1].Values)
	for _, item := range m.Value.Get("visibility").Items {
		if !slices.Contains(words, item.Text) {
			r.file.ReportWord("visibility", item, words)
		}
	}
}

// removeEmbedded removes the binding of a tool whose values must become vectors: nothing here makes
// vectors, and the text itself would be a wrong value.
func (r *reader) removeEmbedded(t *tool.Tool) {
	if len(r.embedded) == 0 {
		return
	}
	at := r.embedded[0]
	r.file.Report(foreign.Information, "invalid-value", at.Span, "Nothing here makes vectors of texts, so `%s` is listed, and not run.", r.entry.name)
	for _, m := range r.entry.body.Members {
		if m.Key == "statement" || m.Key == "source" {
			r.reportLoss(m.Key, m.KeySpan)
		}
	}
	for _, n := range r.embedded {
		r.reportLoss("embeddedBy: "+n.Text, n.Span)
	}
	t.Kind, t.Spec = "", nil
}

// checkSettings reports values of a source that Toolbox does not accept, and settings that the
// person decides and not a file: whom a run may reach.
func checkSettings(f *foreign.File, e entry) {
	for _, m := range e.body.Members {
		row := foreign.Row(sourceRows, m.Key)
		if row == nil || !row.IsUsedBy(e.kind.Value.Text) || !m.Value.IsSet() || isVariable(m.Value) {
			continue
		}
		switch {
		case row.Type == tool.BooleanType && m.Value.Kind != foreign.Bool:
			f.Report(foreign.Error, "invalid-value", m.Value.Span, "`%s` is true or false, not `%s`.", m.Key, m.Value.Text)
		case strings.HasSuffix(m.Key, "IpRanges"):
			checkRanges(f, m)
		case slices.Contains(onRedis, e.kind.Value.Text):
			checkRedisSetting(f, e, m)
		}
		if word := m.Value.Text; m.Key == "allowPrivateNetworks" && word == "true" || m.Key == "allowedIpRanges" && len(m.Value.Items) > 0 {
			f.Report(foreign.Information, "invalid-value", m.KeySpan,
				"`%s` opens nothing here: only the person who runs a tool can let it reach a private network (`--allow-host`, in an editor `abl.allowHosts`).", m.Key)
		}
	}
}

// checkRanges reports values that are neither an address nor a range of addresses.
func checkRanges(f *foreign.File, m foreign.Member) {
	checkTexts(f, m)
	for _, item := range m.Value.Items {
		address := strings.TrimSpace(item.Text)
		_, notRange := netip.ParsePrefix(address)
		_, notAddress := netip.ParseAddr(address)
		if item.IsSingle() && address != "" && notRange != nil && notAddress != nil && !isVariable(item) {
			f.Report(foreign.Error, "invalid-value", item.Span, "`%s` is neither an address nor a range such as `10.0.0.0/8`.", item.Text)
		}
	}
}

// checkTexts reports a value that is no list of texts.
func checkTexts(f *foreign.File, m foreign.Member) {
	wrong := func(at text.Span) { f.Report(foreign.Error, "invalid-value", at, "`%s` wants a list of texts.", m.Key) }
	if m.Value.IsSet() && m.Value.Kind != foreign.List && !isVariable(m.Value) {
		wrong(m.Value.Span)
	}
	for _, item := range m.Value.Items {
		if !item.IsSingle() {
			wrong(item.Span)
		}
	}
}

// isVariable reports whether a value comes from the environment.
func isVariable(n foreign.Node) bool { return variable.MatchString(n.Text) }
