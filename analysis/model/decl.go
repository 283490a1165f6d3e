package model

import (
	"slices"
	"strings"
	"sync"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// ToolDecl is the declaration of one tool, as written. It does not know the place of its entry, and
// is reused as long as the text of the entry stays the same.
type ToolDecl struct {
	Node    syntax.Node // of kind Tool
	Name    string
	Params  []ParamDecl
	Returns *tool.Type // nil if none is written, or it is incomplete

	lazy *lazyDecl

	Foreign *foreign.Tool // the tool of another system, which the nodes only show as ABL; else nil
}

// lazyDecl is what is read of a declaration when it is first asked for.
type lazyDecl struct {
	onceBody, onceAny, onceIndex, onceNames, onceSchema, onceTraits sync.Once

	kind     tool.Kind
	props    []Property     // with the fields for the kind
	anyProps []Property     // with those for all kinds
	index    map[string]int // of the parameters, if there are many
	names    extraNames
	schema   schemaParams
	traits   Traits
}

// ParamDecl is one parameter of a signature.
type ParamDecl struct {
	Node     syntax.Node // of kind Parameter; of a tool in map form the line or member with its name
	Name     string      // "" if it is incomplete
	Type     *tool.Type  // nil if none is written, or it is incomplete
	Optional bool        // by `?` or a default
}

// NameNode returns the node of the tool's name in the declaration.
func (d *ToolDecl) NameNode() syntax.Node { return d.Node.Child(syntax.FieldName) }

// Kind returns the word after `type:` in its canonical casing; "" if there is none, or it is
// unknown.
func (d *ToolDecl) Kind() tool.Kind { return d.body().kind }

// body returns what is below the signature, or below the name of a tool in map form.
func (d *ToolDecl) body() *lazyDecl {
	d.lazy.onceBody.Do(func() { readBody(d) })
	return d.lazy
}

// Properties returns the properties of the tool in the order of the text, with the fields for its
// kind. The slice is shared: do not change it.
func (d *ToolDecl) Properties() []Property { return d.body().props }

// PropertiesOfAnyKind returns the properties of the tool. A key that its kind does not have gets
// the field of another kind that has it. The slice is shared: do not change it.
func (d *ToolDecl) PropertiesOfAnyKind() []Property {
	b := d.body()
	b.onceAny.Do(func() {
		b.anyProps = b.props
		if slices.ContainsFunc(b.props, func(p Property) bool { return p.Field == nil || p.FlatPath != nil }) {
			b.anyProps = Properties(d.Node, OwnFields(d, FieldsOfAnyKind(b.kind)))
		}
	})
	return b.anyProps
}

// Property returns the property with that canonical name. If there are several, it is the last one,
// which overrides the others. The second result is false if there is none.
func (d *ToolDecl) Property(name string) (Property, bool) {
	props := d.Properties()
	for i := range slices.Backward(props) {
		if props[i].Field != nil && props[i].FlatPath == nil && props[i].Field.Name == name {
			return props[i], true
		}
	}
	return Property{}, false
}

// Owner returns the owner of the tool's parameters in a [Symbol]: its name with its version, since
// each version has its own.
func (d *ToolDecl) Owner() string { return tool.JoinVersion(d.Name, d.Version()) }

// Version returns the version that the tool declares; "" if it declares none.
func (d *ToolDecl) Version() string {
	if d.IsForeign() {
		return d.Foreign.Version
	}
	p, _ := d.Property("version")
	return p.Text()
}

// QualifiedName returns the name by which others call the tool: its own name with that of its
// service before it.
func (d *ToolDecl) QualifiedName() string {
	if d.IsForeign() {
		return d.Foreign.QualifiedName()
	}
	service, _ := d.Property("service")
	return tool.Tool{Name: d.Name, Namespace: service.Text()}.QualifiedName()
}

// ParamNames returns the names of the parameters that the signature declares.
func (d *ToolDecl) ParamNames() []string {
	var names []string
	for i := range d.Params {
		names = append(names, d.Params[i].Name)
	}
	return names
}

// Param returns the parameter of that name, nil if there is none.
func (d *ToolDecl) Param(name string) *ParamDecl {
	if i := d.ParamIndex(name); i >= 0 {
		return &d.Params[i]
	}
	return nil
}

// ParamIndex returns the index of the parameter of that name, -1 if there is none.
func (d *ToolDecl) ParamIndex(name string) int {
	const few = 16
	if len(d.Params) <= few {
		return slices.IndexFunc(d.Params, func(p ParamDecl) bool { return p.Name == name })
	}
	d.lazy.onceIndex.Do(func() { d.lazy.index = indexOf(d.Params) })
	if i, ok := d.lazy.index[name]; ok {
		return i
	}
	return -1
}

// indexOf returns the index of the first parameter of each name.
func indexOf(params []ParamDecl) map[string]int {
	byName := make(map[string]int, len(params))
	for i := range slices.Backward(params) {
		byName[params[i].Name] = i
	}
	return byName
}

// NameNode returns the node of the parameter's name in the declaration.
func (p *ParamDecl) NameNode() syntax.Node {
	if p.Node.Kind() == syntax.Parameter {
		return p.Node.Child(syntax.FieldName)
	}
	return KeyOf(p.Node) // in a block
}

// PositionedTool is a declaration with its place in a file.
type PositionedTool struct {
	*ToolDecl
	Offset int // of its entry
}

// InFile places a node of the declaration in the file.
func (t PositionedTool) InFile(n syntax.Node) PositionedNode {
	p := PositionNode(n, t.Offset)
	if t.IsForeign() {
		p.decl = t.ToolDecl
	}
	return p
}

// Span returns the whole declaration, in the file.
func (t PositionedTool) Span() text.Span {
	if t.IsForeign() {
		return t.Foreign.Span
	}
	return t.Node.Span().Shift(t.Offset)
}

// NameSpan returns the tool's name, in the file.
func (t PositionedTool) NameSpan() text.Span { return t.InFile(t.NameNode()).Span() }

// NewToolDecls reads an entry: one tool, or those below an ADD.
func NewToolDecls(root syntax.Node) []ToolDecl {
	if root.Kind() == syntax.Tool {
		return []ToolDecl{NewToolDecl(root)}
	}
	var decls []ToolDecl
	for n := range root.BlockChildren() {
		if n.Kind() == syntax.Tool {
			decls = append(decls, NewToolDecl(n))
		}
	}
	return decls
}

// NewToolDecl reads a tool declaration. Its body is read when it is first asked for.
func NewToolDecl(n syntax.Node) ToolDecl {
	d := ToolDecl{Node: n, Name: n.Child(syntax.FieldName).Text(), lazy: new(lazyDecl)}
	for c := range n.Child(syntax.FieldParameters).Children() {
		if c.Kind() == syntax.Parameter {
			d.Params = append(d.Params, newParamDecl(c))
		}
	}
	d.Returns = TypeOf(n.Child(syntax.FieldReturns))
	if d.InMapForm() {
		readMapForm(&d, d.Properties())
	}
	return d
}

// readBody reads the kind first, since the fields depend on it.
func readBody(d *ToolDecl) {
	for c := range KeyedNodes(d.Node, false) {
		if f, _ := tool.Find(tool.CommonFields(), c.Key()); f != nil && f.Name == "type" {
			word, _ := tool.LookupWord(tool.Kinds(), strings.TrimSpace(c.Value().UnquotedText()))
			d.lazy.kind = tool.Kind(word.Name)
		}
	}
	d.lazy.props = Properties(d.Node, OwnFields(d, ToolFields(d.lazy.kind)))
}

func newParamDecl(n syntax.Node) ParamDecl {
	return ParamDecl{
		Node:     n,
		Name:     n.Child(syntax.FieldName).Text(),
		Type:     TypeOf(n.Child(syntax.FieldType)),
		Optional: !n.ChildOf(syntax.Question).IsZero() || !n.ChildOf(syntax.Equals).IsZero(),
	}
}
