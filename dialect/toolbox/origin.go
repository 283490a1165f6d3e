package toolbox

import (
	"slices"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
)

// readOrigin reads where the value of a parameter comes from, if not from the model: from another
// parameter, or from the program that calls.
func (r *reader) readOrigin(n foreign.Node, p *tool.Param) {
	if from := n.Get("valueFromParam"); from.IsSingle() && from.Text != "" {
		p.Hidden, p.Optional, p.Default = true, true, nil
		p.Source, p.Value = "expr", copyOf(from.Text)
		r.copies = append(r.copies, from)
	} else if from.IsSet() && !from.IsSingle() {
		r.report("invalid-value", from.Span, "`valueFromParam` wants the name of a parameter.")
	}
	r.readSecure(n, p)
	embedded := n.Get("embeddedBy")
	switch kind := n.Get("type").Text; {
	case !embedded.IsSet() || embedded.IsSingle() && embedded.Text == "":
	case !embedded.IsSingle():
		r.report("invalid-value", embedded.Span, "`embeddedBy` wants the name of an embedding model.")
	case kind != "string" && slices.Contains(types, kind):
		r.report("invalid-value", embedded.Span, "`embeddedBy` goes with the type string: Toolbox does not start with it in `%s`.", p.Name)
	default:
		r.embedded = append(r.embedded, embedded)
	}
}

// readSecure reads whether the calling program sets the value, which no model sees.
func (r *reader) readSecure(n foreign.Node, p *tool.Param) {
	secure, _ := n.Member("secure")
	if secure.Value.IsSet() && secure.Value.Kind != foreign.Bool {
		r.report("invalid-value", secure.Value.Span, "`secure` is true or false, not `%s`.", secure.Value.Text)
	}
	if secure.Value.Kind != foreign.Bool || secure.Value.Text != "true" {
		return
	}
	for _, key := range []string{"default", "authServices", "authSources", "required"} {
		m, has := n.Member(key)
		if has && m.Value.IsSet() && (key != "required" || m.Value.Text == "false") {
			r.report("misplaced-property", m.KeySpan, "`%s` does not go with `secure: true`: the program that calls always gives `%s`. Toolbox does not start with both.", m.Key, p.Name)
		}
	}
	if p.Source == "" && len(p.AuthServices) == 0 {
		p.Source, p.Visibility = "runtime", &tool.Visibility{Model: "false", Trace: "false"}
	}
}

// checkCopies reports copies of parameters that the tool does not have.
func (r *reader) checkCopies() {
	for _, from := range r.copies {
		if r.hasParam(from.Text) {
			continue
		}
		r.file.Report(foreign.Warning, "unknown-parameter", from.Span, "`%s` has no parameter `%s` whose value could be taken.", r.entry.name, from.Text)
		var names []string
		for _, p := range r.tool.Tool.Params {
			names = append(names, p.Name)
		}
		r.file.SuggestKnown(from.Text, names)
	}
}

var word = lazyregexp.New(`^[A-Za-z_]\w*$`)

// copyOf returns the expression whose value is that of the parameter called name.
func copyOf(name string) string {
	if word.MatchString(name) {
		return "args." + name
	}
	return "args[" + strconv.Quote(name) + "]"
}

// copiedFrom returns the parameter whose value a hidden parameter copies; "" if there is none.
func copiedFrom(p tool.Param) string {
	if !p.Hidden || p.Source != "expr" {
		return ""
	}
	if name, ok := strings.CutPrefix(p.Value, "args."); ok && word.MatchString(name) {
		return name
	}
	name, _ := strconv.Unquote(strings.TrimSuffix(strings.TrimPrefix(p.Value, "args["), "]"))
	if name != "" && copyOf(name) == p.Value {
		return name
	}
	return ""
}

// isSecure reports whether a parameter is one that Toolbox calls secure.
func isSecure(p tool.Param) bool {
	return !p.Hidden && p.Source == "runtime" && p.Value == "" && p.IsSecret() && !p.Optional
}

// originRow writes where the value of a template parameter comes from.
func originRow(p tool.Param) (row tool.Object) {
	switch {
	case copiedFrom(p) != "":
		return tool.Object{{Name: "hidden", Value: true}, {Name: "source", Value: p.Source}, {Name: "value", Value: p.Value}}
	case isSecure(p):
		off := tool.Object{{Name: "model", Value: false}, {Name: "trace", Value: false}}
		return tool.Object{{Name: "source", Value: p.Source}, {Name: "visibility", Value: off}}
	}
	return nil
}
