package agentyaml

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// tools writes TOOLS.
func (w *writer) tools(m *yaml.Member, field *tool.Field) {
	w.key(0, m, "TOOLS")
	for _, item := range m.Value.Items {
		if name := at(item, "name"); name != nil {
			w.unit(item.Span, item, field, func() { w.tool(item, name, field) })
		}
	}
}

// signatureKeys are written as the signature, and bindings as properties of the tool.
var signatureKeys = []string{"name", "parameters", "returns", "type"}

func (w *writer) tool(item, name *yaml.Node, in *tool.Field) {
	w.newLine(2, w.endOfLine(name.Span.Start))
	w.signatureWord(name, isName)
	w.parameters(at(item, "parameters"))
	w.write(" -> ")
	if returns := at(item, "returns"); returns != nil {
		w.returnType(returns)
	} else {
		w.write("any") // nothing is said of it
	}
	for m := range members(item) {
		field := projectfile.OwnField(in, m.Key.Text)
		if field == nil || slices.Contains(signatureKeys, m.Key.Text) {
			continue
		}
		if m.Key.Text != "http_binding" && m.Key.Text != "mcp_binding" && m.Key.Text != "endpoint" && m.Key.Text != "method" {
			w.member(4, &m, field)
		}
	}
	w.parameterTexts(at(item, "parameters"))
	w.binding(item, in)
}

// parameters writes the parameters of the signature.
func (w *writer) parameters(list *yaml.Node) {
	w.write("(")
	first := true
	if list != nil {
		for _, p := range list.Items {
			name := at(p, "name")
			if name == nil {
				continue
			}
			if !first {
				w.write(", ")
			}
			first = false
			w.parameter(p, name)
		}
	}
	w.write(")")
}

func (w *writer) parameter(p, name *yaml.Node) {
	w.signatureWord(name, isName)
	initial := at(p, "default")
	if initial != nil && initial.IsEmpty() {
		initial = nil
	}
	required := at(p, "required")
	if initial == nil && required != nil && required.Text == "false" {
		w.write("?")
	}
	w.write(": ")
	if typ := at(p, "type"); typ.IsScalar() && !typ.IsEmpty() {
		w.signatureWord(typ, isType)
	} else {
		w.write("string")
	}
	if initial != nil {
		w.write(" = ")
		w.literal(initial)
	}
}

// signatureWord writes a name or a type of a signature. What is none becomes a text in quotes, which
// the checks report.
func (w *writer) signatureWord(n *yaml.Node, is func(string) bool) {
	if is(n.Text) || n.IsEmpty() {
		w.bare(n)
	} else {
		w.quoted(n)
	}
}

func isName(s string) bool { return strings.Trim(s, nameBytes) == "" }

// isType reports whether a text is one type, and does not end the part of the signature that it is in.
func isType(s string) bool {
	depth := 0
	for i := range len(s) {
		switch c := s[i]; {
		case strings.IndexByte("[{<", c) >= 0:
			depth++
		case strings.IndexByte("]}>", c) >= 0:
			depth--
		case depth == 0 && strings.IndexByte(nameBytes, c) < 0, strings.IndexByte(nameBytes+",:? |", c) < 0:
			return false
		}
		if depth < 0 {
			return false
		}
	}
	return depth == 0
}

const nameBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"

// literal writes a default.
func (w *writer) literal(n *yaml.Node) {
	switch n.Kind {
	case yaml.List, yaml.Map:
		w.flow(n)
	case yaml.String:
		w.quoted(n)
	default:
		w.bare(n)
	}
}

// parameterTexts writes what a signature cannot say of the parameters.
func (w *writer) parameterTexts(list *yaml.Node) {
	if list == nil {
		return
	}
	begun := false
	for _, p := range list.Items {
		name, text := at(p, "name"), p.Member("description")
		if name == nil || text == nil || isNull(text.Value) {
			continue
		}
		if !begun {
			w.newLine(4, 0)
			w.write("parameters:")
			begun = true
		}
		w.newLine(6, 0)
		w.bare(name)
		w.write(":")
		w.key(8, text, "description")
		w.write(" ")
		w.text(8, text.Value)
	}
}

// returnType writes the type of the result.
func (w *writer) returnType(n *yaml.Node) {
	if n.Kind != yaml.Map {
		w.signatureWord(n, isType)
		return
	}
	if items := at(n, "items"); items != nil {
		w.returnType(items)
		w.write("[]")
		return
	}
	fields := at(n, "fields")
	if fields == nil || fields.Kind != yaml.Map {
		if typ := at(n, "type"); typ.IsScalar() && !typ.IsEmpty() {
			w.signatureWord(typ, isType)
		} else {
			w.write("object")
		}
		return
	}
	w.write("{")
	first := true
	for m := range members(fields) {
		if !first {
			w.write(", ")
		}
		first = false
		w.signatureWord(m.Key, isName)
		if optional := at(m.Value, "optional"); optional != nil && optional.Text == "true" {
			w.write("?")
		}
		w.write(": ")
		w.returnType(m.Value)
	}
	w.write("}")
}

// binding writes the type of the tool with its properties.
func (w *writer) binding(item *yaml.Node, in *tool.Field) {
	block, kind := item.Member("http_binding"), "http"
	if block == nil {
		if block, kind = item.Member("mcp_binding"), "mcp"; block == nil {
			kind = ""
		}
	}
	direct := at(item, "endpoint") != nil && at(item, "method") != nil && block == nil
	if direct {
		kind = "http"
	}
	if typ := item.Member("type"); typ != nil {
		w.pair(4, typ, "type")
	} else if kind != "" {
		w.newLine(4, 0)
		w.write("type: " + kind)
	}
	switch {
	case block != nil:
		field := projectfile.OwnField(in, block.Key.Text)
		if field != nil {
			w.object(4, block.Value, field)
		}
		if kind == "http" && block.Value.Get("method") == nil {
			w.newLine(4, 0)
			w.write("method: GET")
		}
	case direct:
		for _, key := range []string{"endpoint", "method"} {
			w.key(4, item.Member(key), key)
			w.write(" ")
			w.text(4, at(item, key))
		}
	}
}
