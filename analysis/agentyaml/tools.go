package agentyaml

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// tools writes TOOLS.
func (w *writer) tools(m *yaml.Member, field *tool.Field) {
	w.key(0, m, "TOOLS")
	for _, item := range m.Value.Items {
		if name := item.Get("name"); name != nil {
			w.tool(item, name, field)
		}
	}
}

// signatureKeys are written as the signature, and bindings as properties of the tool.
var signatureKeys = []string{"name", "parameters", "returns", "type"}

func (w *writer) tool(item, name *yaml.Node, in *tool.Field) {
	w.newLine(2, w.endOfLine(name.Span.Start))
	w.bare(name)
	w.parameters(item.Get("parameters"))
	w.write(" -> ")
	if returns := item.Get("returns"); returns != nil {
		w.returnType(returns)
	} else {
		w.write("object")
	}
	for m := range members(item) {
		field := row(in, m.Key.Text)
		if field == nil || slices.Contains(signatureKeys, m.Key.Text) {
			continue
		}
		if m.Key.Text != "http_binding" && m.Key.Text != "mcp_binding" && m.Key.Text != "endpoint" && m.Key.Text != "method" {
			w.member(4, &m, field)
		}
	}
	w.parameterTexts(item.Get("parameters"))
	w.binding(item, in)
}

// parameters writes the parameters of the signature.
func (w *writer) parameters(list *yaml.Node) {
	w.write("(")
	first := true
	if list != nil {
		for _, p := range list.Items {
			name := p.Get("name")
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
	w.bare(name)
	initial := p.Get("default")
	required := p.Get("required")
	if initial == nil && required != nil && required.Text == "false" {
		w.write("?")
	}
	w.write(": ")
	if typ := p.Get("type"); typ.IsScalar() && !typ.IsEmpty() {
		w.bare(typ)
	} else {
		w.write("string")
	}
	if initial != nil && !initial.IsEmpty() {
		w.write(" = ")
		w.literal(initial)
	}
}

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
		name, text := p.Get("name"), p.Member("description")
		if name == nil || text == nil {
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
		w.bare(n)
		return
	}
	if items := n.Get("items"); items != nil {
		w.returnType(items)
		w.write("[]")
		return
	}
	fields := n.Get("fields")
	if fields == nil || fields.Kind != yaml.Map {
		if typ := n.Get("type"); typ.IsScalar() && !typ.IsEmpty() {
			w.bare(typ)
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
		w.bare(m.Key)
		if optional := m.Value.Get("optional"); optional != nil && optional.Text == "true" {
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
	direct := item.Get("endpoint") != nil && item.Get("method") != nil && block == nil
	if direct {
		kind = "http"
	}
	if typ := item.Member("type"); typ != nil {
		w.key(4, typ, "type")
		w.write(" ")
		w.bare(typ.Value)
	} else if kind != "" {
		w.newLine(4, 0)
		w.write("type: " + kind)
	}
	switch {
	case block != nil:
		field := row(in, block.Key.Text)
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
			w.text(4, item.Get(key))
		}
	}
}
