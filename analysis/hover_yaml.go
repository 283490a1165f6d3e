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
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/schema"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// hoverYAML is what there is to say about a word of abl.yaml or of saved cases.
func hoverYAML(w model.Workspace, f *model.File, offset int) (Hover, bool) {
	p := cursor.YAMLPlaceAt(w, f, offset)
	if h, ok := hoverSecret(w, model.Cursor{File: f, Offset: p.Offset}, p.Source(), p.Line(p.Offset)); ok {
		return h, true
	}
	return aboutWord(p)
}

// aboutWord tells of the key or the value at the cursor.
func aboutWord(p cursor.YAMLPlace) (Hover, bool) {
	said := ""
	switch m := p.At.Member; {
	case p.At.Word.Empty():
	case p.At.Key && m != nil && m.Key.Span.Touches(p.Offset):
		said = aboutKey(p, m)
	case p.At.Value:
		said = aboutValue(p, p.Source()[p.At.Word.Start:p.At.Word.End])
	}
	return Hover{p.At.Word, said}, said != ""
}

// aboutKey documents a key.
func aboutKey(p cursor.YAMLPlace, m *yaml.Member) string {
	if rest, ok := p.Below("args"); ok {
		return aboutArgument(p, rest, m.Key.Text)
	}
	if p.InCases() && len(p.At.Path) == 0 {
		if t, ok := cursor.CaseTool(p.W, p.F.Path, m.Key.Text); ok {
			return describe.ToolMarkdown(p.W, p.F, t)
		}
		return ""
	}
	if p.Row == nil {
		return ""
	}
	switch row := projectfile.Below(p.Row, m.Key.Text); {
	case row == nil:
		return ""
	case row == p.Row.Each && p.F.Foreign != nil:
		return aboutForeign(p, model.ForeignName{Ref: row.Ref, Name: m.Key.Text, Span: m.Key.Inner(), Declares: true}, projectfile.KindOf(row, m.Value))
	case row == p.Row.Each:
		return aboutName(p, row, m)
	default:
		return describe.YamlFieldMarkdown(row, p.Row.By)
	}
}

// aboutArgument documents a parameter, or a field of one's type.
func aboutArgument(p cursor.YAMLPlace, path []yaml.Step, name string) string {
	t, ok := p.CaseTool()
	if !ok {
		return ""
	}
	if d := t.Param(name); len(path) == 0 && d != nil {
		return describe.ParamMarkdown(p.W, p.F, t, d)
	}
	of, _ := p.ArgumentType(t, append(slices.Clip(path), yaml.Step{Key: name, Index: -1}))
	if of == nil {
		return ""
	}
	return describe.Fenced(name + ": " + of.String())
}

// aboutName documents a name that abl.yaml lists: what it is, and who names it.
func aboutName(p cursor.YAMLPlace, one *tool.Field, m *yaml.Member) string {
	table := p.At.Path[len(p.At.Path)-1].Key
	if table == projectfile.Environments {
		return aboutEnvironment(p, m.Key.Text)
	}
	kind := projectfile.KindOf(one, m.Value)
	title := "**" + m.Key.Text + "** · " + one.Name
	if kind != "" {
		title += " · " + describe.CodeSpan(kind)
	}
	said := one.Doc
	if by, _ := tool.Find(one.Fields, one.By); by != nil {
		if w, ok := tool.LookupWord(by.Values, kind); ok {
			said = w.Doc
		}
	}
	if table == projectfile.Servers {
		said = describe.Paragraphs(said, describe.ServerMarkdown(p.W, p.F.Path, m.Key.Text))
	}
	return describe.Paragraphs(title, said, namedBy(p.W, model.Symbol{Kind: model.ProjectSymbol, Path: p.F.Path, Owner: table, Name: m.Key.Text}))
}

// namedBy are the tools, and the saved cases, that name a symbol.
func namedBy(w model.Workspace, s model.Symbol) string {
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

// aboutValue documents a word that is a value.
func aboutValue(p cursor.YAMLPlace, word string) string {
	if p.Row == nil {
		return ""
	}
	if p.Row.Name == "default_environment" || p.Row.Name == "environment" && p.Row.Type == tool.String {
		return aboutEnvironment(p, word)
	}
	w, ok := tool.LookupWord(p.Row.Values, word)
	if !ok {
		return ""
	}
	return describe.ValueMarkdown(p.Row.Name, w)
}

// aboutEnvironment says what an environment lays over the top level.
func aboutEnvironment(p cursor.YAMLPlace, name string) string {
	in, _ := p.W.Project(p.F.Path)
	if in == nil || in.YAML == nil {
		return ""
	}
	m := in.YAML.Root().Get(projectfile.Environments).Member(name)
	if m == nil {
		return ""
	}
	var keys []string
	for _, key := range m.Value.Own() {
		keys = append(keys, describe.CodeSpan(key.Key.Text))
	}
	said := "It changes nothing of what the top level says."
	if len(keys) > 0 {
		said = "It says: " + strings.Join(keys, ", ") + "."
	}
	if m.Value.Get("protected") != nil && m.Value.Get("protected").Text == "true" {
		said += " Every call that may change something must be confirmed."
	}
	return describe.Paragraphs("**"+name+"** · environment", said, fmt.Sprintf("Defined in `%s`, line %d.", shortPath(in.Path), model.LineOf(in, m.Key.Span)))
}

// hoverAlias shows what an alias stands for.
func hoverAlias(f *model.File, offset int) (Hover, bool) {
	for _, l := range model.YamlLinks(f) {
		if l.IsAlias() && l.Span.Touches(offset) {
			where := fmt.Sprintf("Defined in line %d.", model.LineOf(f, l.Anchor))
			return Hover{l.Span, describe.Paragraphs("**"+l.Name+"** · alias", standsFor(f, l), where)}, true
		}
	}
	return Hover{}, false
}

// standsFor is the text of what an alias leads to, as if it stood at the edge.
func standsFor(f *model.File, l yaml.Link) string {
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

// hoverReference tells of the part of a schema to which a reference leads.
func hoverReference(f *model.File, offset int) (Hover, bool) {
	r, ok := model.SchemaReferenceAt(f, offset)
	if !ok {
		return Hover{}, false
	}
	whole := func(n *yaml.Node) foreign.Node { return foreign.Outline(n).Whole() }
	p := schema.ParamIn(whole(r.Root), r.Name, whole(r.To.Value))
	return Hover{r.Span, describe.Paragraphs("**"+p.Name+"** · "+describe.CodeSpan(p.Type.String()), p.Description)}, true
}

// hoverNao tells of what the run has under a name in a text of Nao's that is no
// parameter: its arguments, its result, a namespace.
func hoverNao(w model.Workspace, f *model.File, offset int) (Hover, bool) {
	t, x, ok := model.NaoTextAt(f, offset)
	if !ok {
		return Hover{}, false
	}
	s, at := x.Source(f)
	in := cursor.Line{Cursor: model.Cursor{File: f, Offset: offset}, W: w, Scope: cursor.NaoScope(x, t.ToolDecl)}
	for _, n := range x.Names(s) {
		for _, part := range n.Parts {
			if !part.Shift(at).Touches(offset) {
				continue
			}
			path := s[n.Head().Start:part.End]
			said := describeScoped(in, path)
			if space, ok := model.FindNamespace(path); said == "" && ok {
				said = describe.Paragraphs("**"+path+"**", space.Doc)
			}
			return Hover{part.Shift(at), said}, said != ""
		}
	}
	return Hover{}, false
}
