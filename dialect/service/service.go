// Package service reads and writes ToolDefinitions: the tools of a service, with JSON Schemas of
// their input and output, as JSON or as a constant of a program.
package service

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/schema"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Matches reports whether root is ToolDefinitions: it names its service and has tools, or at least
// one definition has an `inputSchema`.
func Matches(root foreign.Node) bool {
	tools := toolsOf(root)
	isService := root.Get("service").Kind == foreign.String && (tools.Kind == foreign.Map || tools.Kind == foreign.List)
	hasInput := func(d foreign.Member) bool { return d.Value.Has("inputSchema") }
	return isService || slices.ContainsFunc(definitions(tools), hasInput)
}

// Read reads the tools.
func Read(root foreign.Node) foreign.File {
	f := foreign.File{System: "service", Rows: []*tool.Field{rowOf(root)}}
	if root.Kind == foreign.Computed {
		reportComputed(&f, root)
	}
	service := root.Get("service").Text
	for _, d := range definitions(toolsOf(root)) {
		switch d.Value.Kind {
		case foreign.Computed:
			reportComputed(&f, d.Value)
			continue
		case foreign.Map:
		default:
			f.Report(foreign.Error, "invalid-value", d.Span(), "A ToolDefinition is wanted here: an object with `name`, `description`, `inputSchema`, `outputSchema` and `mutation`.")
			continue
		}
		f.AddTool(readDefinition(&f, d, service))
	}
	return f
}

// toolsOf returns the node of the definitions: the one below `tools`, or root itself.
func toolsOf(root foreign.Node) foreign.Node {
	if tools := root.Get("tools"); tools.Kind == foreign.Map || tools.Kind == foreign.List {
		if !tools.Has("inputSchema") || root.Has("service") {
			return tools
		}
	}
	return root
}

// definitions returns the entries of a map (of duplicate keys, the last) or of a list, whose tools
// have their names in them.
func definitions(n foreign.Node) []foreign.Member {
	members := n.Last()
	for _, item := range n.Items {
		at := text.Span{Start: item.Span.Start, End: min(item.Span.Start+1, item.Span.End)}
		members = append(members, foreign.Member{KeySpan: at, Value: item})
	}
	return members
}

func readDefinition(f *foreign.File, d foreign.Member, service string) foreign.Tool {
	t := foreign.Tool{Name: d.KeySpan, Span: d.Span()}
	n := d.Value
	name, description := definitionValue(f, n, "name"), definitionValue(f, n, "description")
	if t.Tool.Name = d.Key; name.Text != "" {
		t.Tool.Name = name.Text
	}
	if name.Text != "" && name.Alias == "" {
		t.Name = name.Span
	}
	if n.Alias != "" { // it is declared elsewhere
		t.Span = t.Name
	}
	t.Namespace, t.Description = service, schema.Line(description)
	t.Streaming, t.Mutation = tool.Flag(definitionValue(f, n, "streaming").Text), tool.Flag(definitionValue(f, n, "mutation").Text)
	reportMissing(f, d, t.Tool.Name)
	readInput(f, &t, definitionValue(f, n, "inputSchema"))
	readOutput(f, &t, definitionValue(f, n, "outputSchema"))
	t.Lost = foreign.Unknown(n, tool.FieldNames(definitionRows)...)
	return t
}

// reportMissing reports the required keys that a definition does not have.
func reportMissing(f *foreign.File, d foreign.Member, name string) {
	for _, key := range []string{"name", "description", "inputSchema", "outputSchema", "mutation"} {
		if m, ok := d.Value.Member(key); ok && m.Value.IsSet() {
			continue
		}
		severity := foreign.Error
		if key == "name" && name != "" || key == "mutation" || key == "outputSchema" {
			severity = foreign.Warning
		}
		f.Report(severity, "missing-property", d.KeySpan, "`%s` is missing in the definition of %s.", key, describeTool(name))
	}
}

// expectedValues maps the keys of a definition to the kind of their value and to its name in
// messages.
var expectedValues = map[string]struct {
	kind     foreign.Kind
	expected string
}{
	"name": {foreign.String, "a text"}, "description": {foreign.String, "a text"},
	"streaming": {foreign.Bool, "`true` or `false`"}, "mutation": {foreign.Bool, "`true` or `false`"},
	"inputSchema": {foreign.Map, "a JSON Schema, an object"}, "outputSchema": {foreign.Map, "a JSON Schema, an object"},
}

// definitionValue returns the value of a key; the zero Node if it is missing, or if it has a wrong
// kind, which is reported.
func definitionValue(f *foreign.File, n foreign.Node, key string) foreign.Node {
	want := expectedValues[key]
	switch v := n.Get(key); v.Kind {
	case want.kind:
		return v
	case foreign.Missing, foreign.Null:
	case foreign.Computed:
		reportComputed(f, v)
	default:
		f.Report(foreign.Error, "invalid-value", v.Span, "`%s` wants %s.", key, want.expected)
	}
	return foreign.Node{}
}

func describeTool(name string) string {
	if name == "" {
		return "this tool"
	}
	return "`" + name + "`"
}

// readInput sets the parameters of t from n, the schema of its input. It also keeps the schema if
// the parameters do not express all of it.
func readInput(f *foreign.File, t *foreign.Tool, n foreign.Node) {
	if !n.IsSet() {
		return
	}
	schema.CheckInput(f, n)
	t.Tool.Params, t.Params = schema.Params(n)
	if n.IsComputed() {
		reportComputed(f, n)
		return
	}
	schema.KeepSchema(&t.Tool, n)
}

func readOutput(f *foreign.File, t *foreign.Tool, n foreign.Node) {
	if !n.IsSet() {
		t.Returns = &tool.Type{Name: "object"}
		return
	}
	schema.Check(f, n)
	t.Returns = schema.Type(n)
	if n.IsComputed() {
		reportComputed(f, n)
		return
	}
	if raw := n.JSON(); !schema.MeansSame(raw, t.ReturnSchema()) {
		t.OutputSchema = raw
	}
}

// reportComputed reports each computed value: the program was not run.
func reportComputed(f *foreign.File, n foreign.Node) {
	for _, item := range n.Items {
		reportComputed(f, item)
	}
	for _, m := range n.Members {
		reportComputed(f, m.Value)
	}
	reported := func(other foreign.Fault) bool { return other.Span == n.Span } // of a constant that others use as well
	switch {
	case n.Kind != foreign.Computed, slices.ContainsFunc(f.Faults, reported):
		return
	case n.Text != "":
		f.Report(foreign.Warning, "invalid-value", n.Span, "This is imported from `%s`, and no other file is read: write here what it is.", n.Text)
		return
	}
	f.Report(foreign.Warning, "invalid-value", n.Span, "This is computed, and the program is not run: only what stands here as a literal is known.")
}
