package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// offerYAMLKey offers to add a key with a value as the first one of a map of an agent in YAML.
func offerYAMLKey(d *model.Diagnostic, f *model.File, in *yaml.Node, key, value string) {
	if in == nil || in.Kind != yaml.Map || len(in.Members) == 0 {
		return
	}
	at := in.Members[0].Key.Span.Start
	lines := f.Doc.Lines()
	column := at - lines.LineStart(lines.Line(at))
	added := key + ": " + value + "\n" + strings.Repeat(" ", column)
	if in.Style == yaml.Flow {
		added = key + ": " + value + ", "
	}
	d.Fixes = append(d.Fixes, model.Fix{
		Title: "Add `" + key + ": " + value + "`",
		Edits: model.EditsIn("", text.Edit{Span: text.Span{Start: at, End: at}, NewText: added}),
	})
}

// initialValue returns a value for a key that is added: the first of a closed set, or one to write
// over. ok is false for a
// list, for a map and for a name.
func initialValue(field *tool.Field) (value string, ok bool) {
	switch {
	case len(field.Values) > 0:
		return field.Values[0].Name, true
	case field.Type == tool.NumberType:
		return "1", true
	case field.Type != tool.String && field.Type != tool.Expr, field.Ref != tool.NoRef, field.Name == "name":
		return "", false
	}
	return `"…"`, true
}

// offerDeletion offers to delete a key that is ignored, with the lines of its value.
func offerDeletion(d *model.Diagnostic, f *model.File, m yaml.Member) {
	lines, source := f.Doc.Lines(), f.Doc.Text()
	start := lines.LineStart(lines.Line(m.Key.Span.Start))
	if strings.Trim(source[start:m.Key.Span.Start], " ") != "" {
		return // the dash of an item, or a map in braces
	}
	end := max(m.Key.Span.End, m.Colon+1, m.Value.Span.End)
	if strings.HasSuffix(source[:end], "\n") {
		end-- // of a block
	}
	if i := strings.IndexByte(source[end:], '\n'); i >= 0 {
		end += i + 1
	} else {
		end = len(source)
	}
	d.Fixes = append(d.Fixes, model.Fix{
		Title: "Delete `" + m.Key.Text + "`",
		Edits: model.EditsIn("", text.Edit{Span: text.Span{Start: start, End: end}}),
	})
}

// offerReasoning offers both answers to whether a step reasons.
func offerReasoning(d *model.Diagnostic, source *model.File) {
	m := source.YAMLTree().CursorAt(d.Span.Start).Member
	if m == nil || m.Key.Span.Start > d.Span.Start || m.Key.Span.End < d.Span.End {
		return
	}
	for _, value := range []string{"true", "false"} {
		offerYAMLKey(d, source, m.Value, "reasoning", value)
	}
}

// offerNamedItem offers to write a bare name as the map that the platform reads.
func offerNamedItem(d *model.Diagnostic, f *model.File, n *yaml.Node) {
	written := f.Doc.Text()[n.Span.Start:n.Span.End]
	d.Fixes = append(d.Fixes, model.Fix{
		Title: "Write `{name: " + n.Text + "}`", Best: true,
		Edits: model.EditsIn("", text.Edit{Span: n.Span, NewText: "{name: " + written + "}"}),
	})
}
