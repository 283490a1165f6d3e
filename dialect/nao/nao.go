// Package nao reads and writes tools in the form of Nao's Tool record, with a binding as ABL writes
// it.
package nao

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/schema"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Matches reports whether root is an object with a list `tools`, none of whose items has an
// `inputSchema`.
func Matches(root foreign.Node) bool {
	tools := root.Get("tools")
	isOther := func(item foreign.Node) bool { return item.Has("inputSchema") }
	return tools.Kind == foreign.List && !slices.ContainsFunc(tools.Items, isOther)
}

// Read reads the tools of root, for which [Matches] is true.
func Read(root foreign.Node) foreign.File {
	f := foreign.File{System: "nao", Rows: []*tool.Field{fileRow()}}
	for _, item := range root.Get("tools").Items {
		if item.Kind != foreign.Map {
			f.Report(foreign.Error, "invalid-value", item.Span, "A tool is wanted here: an object with `name` and `description`.")
			continue
		}
		f.Sure = f.Sure || item.Get("binding").Kind == foreign.Map
		f.AddTool(readTool(&f, item))
	}
	return f
}

// sameValueKeys maps the keys whose values ABL has unchanged to ABL's names.
var sameValueKeys = map[string]string{
	"description": "description", "version": "version", "contentType": "content_type",
	"permissions": "permissions", "verify": "verify", "revert": "revert", "origin": "origin",
}

func readTool(f *foreign.File, n foreign.Node) foreign.Tool {
	name := n.Get("name")
	t := foreign.Tool{Name: name.Span, Span: n.Span}
	if !name.IsSingle() || name.Text == "" {
		t.Name = text.Span{Start: n.Span.Start, End: min(n.Span.Start+1, n.Span.End)}
		f.Report(foreign.Error, "missing-property", t.Name, "`name` is missing: nothing can call the tool.")
	}
	if !n.Get("description").IsSet() {
		f.Report(foreign.Warning, "missing-property", t.Name, "`description` is missing: the model reads it to pick a tool.")
	}
	props, places := map[string]any{}, map[string]foreign.Node{}
	for _, m := range n.Members {
		if to := sameValueKeys[m.Key]; to != "" && m.Value.IsSet() {
			props[to], places[to] = snakeKeys(m.Value.Value()), m.Value
		}
	}
	t.Lost = foreign.Unknown(n, tool.FieldNames(toolRows())...)
	if origin := n.Get("origin"); origin.IsSet() && !origin.IsSingle() { // ABL has a word for it alone
		delete(props, "origin")
		t.Lost = append(t.Lost, foreign.Name{Text: "origin", Span: origin.Span})
	}
	t.Lost = append(t.Lost, readBinding(f, n.Get("binding"), props, places)...)
	decoded, errs := tool.Decode(props)
	for _, e := range errs {
		at := places[e.Path[0]].At(e.Path[1:]...)
		f.Report(foreign.Error, "invalid-value", at.Span, "`%s` is wrong: %s.", e.Path[0], strings.TrimSuffix(e.Msg, "."))
		f.SuggestKnown(at.Text, e.Known)
	}
	t.Tool = decoded
	t.Tool.Name = name.Text
	setParams(f, &t, n.Get("parameters"))
	t.Returns = tool.Any() // a content type is carried, and not interpreted
	return t
}

// readBinding reads the properties of a binding, and returns the keys that ABL does not have.
func readBinding(f *foreign.File, n foreign.Node, props map[string]any, places map[string]foreign.Node) []foreign.Name {
	if n.Kind != foreign.Map {
		if n.IsSet() {
			f.Report(foreign.Error, "invalid-value", n.Span, "`binding` wants an object with `type` and the properties of that type.")
		}
		return nil
	}
	kind := n.Get("type")
	word, known := tool.LookupWord(tool.Kinds(), kind.Text)
	if !known && kind.IsSet() {
		f.Report(foreign.Error, "invalid-value", kind.Span, "`type` cannot be `%s`.", kind.Text)
		f.SuggestKnown(kind.Text, tool.WordNames(tool.Kinds()))
	}
	var lost []foreign.Name
	rows := slices.Concat(tool.CommonFields(), tool.Fields(tool.Kind(word.Name)))
	for _, m := range n.Members {
		row, _ := tool.Find(rows, m.Key)
		switch {
		case row == nil:
			lost = append(lost, foreign.Name{Text: m.Key, Span: m.KeySpan})
			f.Report(foreign.Warning, "unknown-property", m.KeySpan, "No binding of this type has the property `%s`.", m.Key)
			f.SuggestKnown(m.Key, tool.FieldNames(rows))
		case row.Name == "type" && !known:
		case m.Value.IsSet():
			props[row.Name], places[row.Name] = m.Value.Value(), m.Value
		}
	}
	return lost
}

// snakeKeys writes a value in ABL's spelling: the keys of a permission, and of a binding that
// verifies or reverts. The keys below these are the author's own: a header, an argument.
func snakeKeys(v any) any {
	switch v := v.(type) {
	case tool.Object:
		out := make(tool.Object, len(v))
		for i, m := range v {
			out[i] = tool.Member{Name: foreign.SnakeCase(m.Name), Value: m.Value}
		}
		return out
	case []any:
		for i := range v {
			v[i] = snakeKeys(v[i])
		}
	}
	return v
}

// setParams sets the tool's parameters. It keeps a schema that says more than parameters can, and
// reports what a map or a list says beyond that.
func setParams(f *foreign.File, t *foreign.Tool, n foreign.Node) {
	t.Tool.Params, t.Params = readParams(f, n)
	if isSchema(n) {
		schema.CheckInput(f, n)
		fromSchema := t.Tool
		fromSchema.Params, fromSchema.InputSchema = slices.Clone(fromSchema.Params), nil
		if moveTemplateParams(t); len(t.Pasted) == 0 {
			fromSchema.Spec = nil // the schema says nothing of template parameters
		}
		switch schema.KeepSchema(&fromSchema, n); {
		case t.InputSchema == nil:
			t.InputSchema = fromSchema.InputSchema
		case fromSchema.InputSchema != nil && !schema.MeansSame(fromSchema.InputSchema, t.InputSchema):
			t.Lost = append(t.Lost, foreign.Name{Text: "parameters, beyond the input_schema of the binding", Span: n.Span})
			f.Report(foreign.Warning, "misplaced-property", n.Span, "The `input_schema` of the binding counts, and `parameters` says more than the names and types of what the tool takes; say that in one of the two alone.")
		}
		return
	}
	t.Lost = append(t.Lost, lostKeys(t.Tool.Params, n)...)
	moveTemplateParams(t)
}

// isSchema reports whether parameters are a JSON Schema, and not a map or a list of parameters.
func isSchema(n foreign.Node) bool {
	in := schema.ResolveRoot(n)
	return in.Get("properties").Kind == foreign.Map || in.Get("type").Text == "object" || n.Get("$ref").Kind == foreign.String
}

// lostKeys returns the keys of params, which were read from n, that a signature cannot express.
func lostKeys(params []tool.Param, n foreign.Node) (lost []foreign.Name) {
	for _, p := range params {
		item := n.Get(p.Name)
		if i := slices.IndexFunc(n.Items, func(item foreign.Node) bool { return item.Get("name").Text == p.Name }); i >= 0 {
			item = n.Items[i]
		}
		for _, more := range foreign.Unknown(item, "name", "type", "description", "required", "default", "enum", "minimum", "maximum", "items", "properties") {
			lost = append(lost, foreign.Name{Text: "parameters." + p.Name + "." + more.Text, Span: more.Span})
		}
	}
	return lost
}

// moveTemplateParams moves the template parameters out of the others, since they are not bound to a
// statement.
func moveTemplateParams(t *foreign.Tool) {
	s, ok := t.Spec.(*tool.SQL)
	if !ok {
		return
	}
	for _, p := range s.Templates() {
		if i := slices.IndexFunc(t.Tool.Params, func(q tool.Param) bool { return q.Name == p.Name }); i >= 0 {
			t.Pasted = append(t.Pasted, foreign.Name{Text: p.Name, Span: t.Params[i]})
			t.Tool.Params, t.Params = slices.Delete(t.Tool.Params, i, i+1), slices.Delete(t.Params, i, i+1)
		}
	}
}

// readParams reads a JSON Schema of an object, a map of properties, or a list of parameters.
func readParams(f *foreign.File, n foreign.Node) (params []tool.Param, names []text.Span) {
	switch {
	case n.Kind == foreign.List:
		return readParamList(f, n)
	case isSchema(n):
		return schema.Params(n)
	case n.Kind != foreign.Map || n.Get("type").Kind == foreign.String:
		return nil, nil
	}
	for _, m := range n.Members {
		p := schema.Param(m.Key, m.Value)
		p.Optional = p.Default != nil || m.Value.Get("required").Text == "false"
		params = append(params, p)
		names = append(names, m.KeySpan)
	}
	return params, names
}

func readParamList(f *foreign.File, n foreign.Node) (params []tool.Param, names []text.Span) {
	for _, item := range n.Items {
		name := item.Get("name")
		if !name.IsSingle() {
			f.Report(foreign.Error, "missing-property", item.Span, "`name` is missing in this parameter.")
			continue
		}
		if slices.ContainsFunc(params, func(p tool.Param) bool { return p.Name == name.Text }) {
			f.Report(foreign.Error, "duplicate-parameter", name.Span, "The parameter `%s` is there twice.", name.Text)
			continue
		}
		p := schema.Param(name.Text, item)
		p.Optional = p.Default != nil || item.Get("required").Text == "false"
		params = append(params, p)
		names = append(names, name.Span)
	}
	return params, names
}
