package analysis

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/describe"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/analysis/section"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/schema"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// hoverYAML documents a word of abl.yaml or of saved cases.
func hoverYAML(w model.Workspace, f *model.File, offset int) (Hover, bool) {
	t := cursor.YAMLLine(w, f, offset)
	if h, ok := hoverSecret(w, t.Cursor, f.Doc.Text(), t.LineText(t.Offset)); ok {
		return h, true
	}
	return hoverSchema(t)
}

// hoverWritten documents a key or a word of an agent in YAML, at an offset of the YAML.
func hoverWritten(w model.Workspace, f *model.File, offset int) (Hover, bool) {
	source := f.Written()
	h, ok := hoverAlias(source, offset)
	if !ok {
		h, ok = hoverSchema(cursor.YAMLLine(w, source, offset))
	}
	h.Span, h.Markdown = f.InFile(h.Span), section.KeysInYAML(h.Markdown, "")
	return h, ok
}

// hoverSchema describes the key or the value at the cursor.
func hoverSchema(t cursor.Line) (Hover, bool) {
	text := ""
	switch m := t.YAML.Member; {
	case t.YAML.Word.Empty():
	case t.YAML.KeyAllowed && m != nil && m.Key.Span.Touches(t.Offset):
		text = keyMarkdown(t, m)
	case t.YAML.ValueAllowed:
		text = valueMarkdown(t, t.File.Doc.Text()[t.YAML.Word.Start:t.YAML.Word.End])
	}
	return Hover{t.YAML.Word, text}, text != ""
}

// keyMarkdown documents a key.
func keyMarkdown(t cursor.Line, m *yaml.Member) string {
	if key, path := t.CasePath(); key == "args" {
		return argumentMarkdown(t, path, m.Key.Text)
	}
	if t.File.SavedCases != nil && len(t.YAML.Path) == 0 {
		if s, ok := cursor.TestedTool(t.Workspace, t.File.Path, m.Key.Text); ok {
			return describe.ToolMarkdown(t.Workspace, t.File, s)
		}
		return ""
	}
	in := t.ValueField()
	if in == nil {
		return ""
	}
	switch field := projectfile.KeyField(in, m.Key.Text); {
	case field == nil:
		return ""
	case field == in.Each && model.IsAgentSource(t.File): // what the author calls so
		return ""
	case field == in.Each && t.File.Foreign != nil:
		return foreignNameMarkdown(t, model.ForeignName{Ref: field.Ref, Name: m.Key.Text, Span: m.Key.TextSpan(), Declares: true}, projectfile.KindOf(field, m.Value))
	case field == in.Each:
		return nameMarkdown(t, field, m)
	default:
		return describe.FieldMarkdown(*field, in.By)
	}
}

// argumentMarkdown documents a parameter, or a field of its type.
func argumentMarkdown(t cursor.Line, path []yaml.PathElement, name string) string {
	s, ok := t.TestedTool()
	if !ok {
		return ""
	}
	if d := s.Param(name); len(path) == 0 && d != nil {
		return describe.ParamMarkdown(t.Workspace, t.File, s, d)
	}
	of, _ := cursor.ArgumentType(t.Workspace, s, append(slices.Clip(path), yaml.PathElement{Key: name, Index: -1}))
	if of == nil {
		return ""
	}
	return describe.Fenced(name + ": " + of.String())
}

// nameMarkdown documents a name that abl.yaml lists: what it is, and what uses it.
func nameMarkdown(t cursor.Line, one *tool.Field, m *yaml.Member) string {
	table := t.YAML.Path[len(t.YAML.Path)-1].Key
	if table == projectfile.Environments {
		return environmentMarkdown(t, m.Key.Text)
	}
	kind := projectfile.KindOf(one, m.Value)
	title := "**" + m.Key.Text + "** · " + one.Name
	if kind != "" {
		title += " · " + describe.CodeSpan(kind)
	}
	text := one.Doc
	if by, _ := tool.Find(one.Fields, one.By); by != nil {
		if w, ok := tool.LookupWord(by.Values, kind); ok {
			text = w.Doc
		}
	}
	if table == projectfile.Servers {
		text = describe.Paragraphs(text, describe.ServerMarkdown(t.Workspace, t.File.Path, m.Key.Text))
	}
	return describe.Paragraphs(title, text, namedByNote(t.Workspace, model.Symbol{Kind: model.ProjectEntrySymbol, Path: t.File.Path, Owner: table, Name: m.Key.Text}))
}

// namedByNote lists the tools and the saved cases that name a symbol.
func namedByNote(w model.Workspace, s model.Symbol) string {
	var names []string
	for _, r := range model.ReferencesTo(context.Background(), w, s.Path, s) {
		f := w.File(r.Path)
		if r.Access == model.Declares || f.Path == s.Path && f.Foreign == nil {
			continue
		}
		name := describe.CodeSpan(shortPath(r.Path))
		if t, ok := f.ToolAround(r.Span.Start); ok {
			name = describe.CodeSpan(t.Name)
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	switch {
	case len(names) == 0:
		return ""
	case len(names) > maxNames:
		return fmt.Sprintf("Named by %s and %d more.", strings.Join(names[:maxNames], ", "), len(names)-maxNames)
	}
	return "Named by " + strings.Join(names, ", ") + "."
}

// valueMarkdown documents a word that is a value.
func valueMarkdown(t cursor.Line, word string) string {
	field := t.ValueField()
	if field == nil {
		return ""
	}
	if field.Ref == tool.RefEnvironment {
		return environmentMarkdown(t, word)
	}
	w, ok := tool.LookupWord(field.Values, word)
	if !ok {
		return ""
	}
	if model.IsABL(t.File.Path) { // a binding is a map of its own there, with keys of its own
		return describe.WordMarkdown(field.Name, w)
	}
	return describe.ValueMarkdown(field.Name, w)
}

// environmentMarkdown says what an environment changes of the top level.
func environmentMarkdown(t cursor.Line, name string) string {
	in, _ := t.Workspace.Project(t.File.Path)
	if in == nil || in.YAML == nil {
		return ""
	}
	m := in.YAML.Root().Get(projectfile.Environments).Member(name)
	if m == nil {
		return ""
	}
	var keys []string
	for _, key := range m.Value.OwnMembers() {
		keys = append(keys, describe.CodeSpan(key.Key.Text))
	}
	text := "It changes nothing of what the top level says."
	if len(keys) > 0 {
		text = "It says: " + strings.Join(keys, ", ") + "."
	}
	if m.Value.Get("protected") != nil && m.Value.Get("protected").Text == "true" {
		text += " Every call that may change something must be confirmed."
	}
	return describe.Paragraphs("**"+name+"** · environment", text, fmt.Sprintf("Defined in `%s`, line %d.", shortPath(in.Path), model.LineOf(in, m.Key.Span)))
}

// hoverAlias shows the value of an alias.
func hoverAlias(f *model.File, offset int) (Hover, bool) {
	for _, l := range model.AnchorOccurrences(f) {
		if l.IsAlias() && l.Span.Touches(offset) {
			where := fmt.Sprintf("Defined in line %d.", model.LineOf(f, l.Anchor))
			return Hover{l.Span, describe.Paragraphs("**"+l.Name+"** · alias", aliasText(f, l), where)}, true
		}
	}
	return Hover{}, false
}

// aliasText returns the text that an alias refers to, without its indentation.
func aliasText(f *model.File, l yaml.AnchorOccurrence) string {
	at := l.Node.Span
	edge := strings.Repeat(" ", at.Start-f.Doc.Lines().LineStart(f.Doc.Lines().Line(at.Start)))
	lines := strings.Split(strings.TrimRight(f.Doc.Text()[at.Start:at.End], model.Breaks+" "), "\n")
	if len(lines) > describe.MaxListed {
		lines = append(lines[:describe.MaxListed], edge+"…")
	}
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], edge)
	}
	return describe.FencedAs("yaml", strings.Join(lines, "\n"))
}

// hoverReference documents the part of a schema to which a reference refers.
func hoverReference(f *model.File, offset int) (Hover, bool) {
	r, ok := model.SchemaReferenceAt(f, offset)
	if !ok {
		return Hover{}, false
	}
	whole := func(n *yaml.Node) foreign.Node { return foreign.Outline(n).Expand() }
	p := schema.ParamIn(whole(r.Root), r.Name, whole(r.To.Value))
	return Hover{r.Span, describe.Paragraphs("**"+p.Name+"** · "+describe.CodeSpan(p.Type.String()), p.Description)}, true
}

// hoverNao documents a name in a text of a Nao tool that is no parameter: the run's arguments, its
// result, a namespace.
func hoverNao(w model.Workspace, f *model.File, offset int) (Hover, bool) {
	t, x, ok := model.NaoTextAt(f, offset)
	if !ok {
		return Hover{}, false
	}
	s, at := x.Source(f)
	in := cursor.Line{Cursor: model.Cursor{File: f, Offset: offset}, Workspace: w, Scope: cursor.NaoScope(x, t.ToolDecl)}
	for _, n := range x.Names(s) {
		for _, part := range n.Parts {
			if !part.Shift(at).Touches(offset) {
				continue
			}
			path := s[n.Head().Start:part.End]
			text := describeScoped(in, path)
			if space, ok := model.FindNamespace(path); text == "" && ok {
				text = describe.Paragraphs("**"+path+"**", space.Doc)
			}
			return Hover{part.Shift(at), text}, text != ""
		}
	}
	return Hover{}, false
}
