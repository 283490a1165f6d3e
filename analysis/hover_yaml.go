package analysis

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/schema"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// hoverYAML is what there is to say about a word of abl.yaml or of saved cases.
func hoverYAML(w Workspace, f *File, offset int) (Hover, bool) {
	p := yamlPlaceAt(w, f, offset)
	if h, ok := hoverSecret(w, cursor{file: f, offset: p.offset}, p.source(), p.line(p.offset)); ok {
		return h, true
	}
	return aboutWord(p)
}

// aboutWord tells of the key or the value at the cursor.
func aboutWord(p yamlPlace) (Hover, bool) {
	said := ""
	switch m := p.at.Member; {
	case p.at.Word.Empty():
	case p.at.Key && m != nil && m.Key.Span.Touches(p.offset):
		said = aboutKey(p, m)
	case p.at.Value:
		said = aboutValue(p, p.source()[p.at.Word.Start:p.at.Word.End])
	}
	return Hover{p.at.Word, said}, said != ""
}

// aboutKey documents a key.
func aboutKey(p yamlPlace, m *yaml.Member) string {
	if rest, ok := p.below("args"); ok {
		return aboutArgument(p, rest, m.Key.Text)
	}
	if p.inCases() && len(p.at.Path) == 0 {
		if t, ok := caseTool(p.w, p.f.Path, m.Key.Text); ok {
			return toolMarkdown(p.w, p.f, t)
		}
		return ""
	}
	if p.row == nil {
		return ""
	}
	switch row := projectfile.Below(p.row, m.Key.Text); {
	case row == nil:
		return ""
	case row == p.row.Each && p.f.Foreign != nil:
		return aboutForeign(p, ForeignName{row.Ref, m.Key.Text, m.Key.Inner(), true}, projectfile.KindOf(row, m.Value))
	case row == p.row.Each:
		return aboutName(p, row, m)
	default:
		return yamlFieldMarkdown(row, p.row.By)
	}
}

// aboutArgument documents a parameter, or a field of one's type.
func aboutArgument(p yamlPlace, path []yaml.Step, name string) string {
	t, ok := p.caseTool()
	if !ok {
		return ""
	}
	if d := t.Param(name); len(path) == 0 && d != nil {
		return paramMarkdown(p.w, p.f, t, d)
	}
	of, _ := p.argumentType(t, append(slices.Clip(path), yaml.Step{Key: name, Index: -1}))
	if of == nil {
		return ""
	}
	return fenced(name + ": " + of.String())
}

// aboutName documents a name that abl.yaml lists: what it is, and who names it.
func aboutName(p yamlPlace, one *tool.Field, m *yaml.Member) string {
	table := p.at.Path[len(p.at.Path)-1].Key
	if table == projectfile.Environments {
		return aboutEnvironment(p, m.Key.Text)
	}
	kind := projectfile.KindOf(one, m.Value)
	title := "**" + m.Key.Text + "** · " + one.Name
	if kind != "" {
		title += " · " + codeSpan(kind)
	}
	said := one.Doc
	if by, _ := tool.Find(one.Fields, one.By); by != nil {
		if w, ok := tool.LookupWord(by.Values, kind); ok {
			said = w.Doc
		}
	}
	if table == projectfile.Servers {
		said = paragraphs(said, serverMarkdown(p.w, p.f.Path, m.Key.Text))
	}
	return paragraphs(title, said, namedBy(p.w, subject{ProjectSubject, p.f.Path, table, m.Key.Text}))
}

// namedBy are the tools, and the saved cases, that name a subject.
func namedBy(w Workspace, s subject) string {
	var names []string
	for _, r := range referencesTo(w, context.Background(), s.path, s) {
		f := w.files.get(r.Path)
		if r.Access == Declares || f.Path == s.path && f.Foreign == nil {
			continue
		}
		name := codeSpan(shortPath(r.Path))
		if t, ok := f.toolAround(r.Span.Start); ok {
			name = codeSpan(t.Name)
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
func aboutValue(p yamlPlace, word string) string {
	if p.row == nil {
		return ""
	}
	if p.row.Name == "default_environment" || p.row.Name == "environment" && p.row.Type == tool.String {
		return aboutEnvironment(p, word)
	}
	w, ok := tool.LookupWord(p.row.Values, word)
	if !ok {
		return ""
	}
	return valueMarkdown(p.row.Name, w)
}

// aboutEnvironment says what an environment lays over the top level.
func aboutEnvironment(p yamlPlace, name string) string {
	in, _ := p.w.Project(p.f.Path)
	if in == nil || in.YAML == nil {
		return ""
	}
	m := in.YAML.Root().Get(projectfile.Environments).Member(name)
	if m == nil {
		return ""
	}
	var keys []string
	for _, key := range m.Value.Own() {
		keys = append(keys, codeSpan(key.Key.Text))
	}
	said := "It changes nothing of what the top level says."
	if len(keys) > 0 {
		said = "It says: " + strings.Join(keys, ", ") + "."
	}
	if m.Value.Get("protected") != nil && m.Value.Get("protected").Text == "true" {
		said += " Every call that may change something must be confirmed."
	}
	return paragraphs("**"+name+"** · environment", said, fmt.Sprintf("Defined in `%s`, line %d.", shortPath(in.Path), lineOf(in, m.Key.Span)))
}

// hoverAlias shows what an alias stands for.
func hoverAlias(f *File, offset int) (Hover, bool) {
	for _, l := range yamlLinks(f) {
		if l.IsAlias() && l.Span.Touches(offset) {
			where := fmt.Sprintf("Defined in line %d.", lineOf(f, l.Anchor))
			return Hover{l.Span, paragraphs("**"+l.Name+"** · alias", standsFor(f, l), where)}, true
		}
	}
	return Hover{}, false
}

// standsFor is the text of what an alias leads to, as if it stood at the edge.
func standsFor(f *File, l yaml.Link) string {
	at := l.Node.Span
	edge := strings.Repeat(" ", at.Start-f.Doc.Lines().LineStart(f.Doc.Lines().Line(at.Start)))
	lines := strings.Split(strings.TrimRight(f.Doc.Text()[at.Start:at.End], breaks+" "), "\n")
	if len(lines) > maxListed {
		lines = append(lines[:maxListed], edge+"…")
	}
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], edge)
	}
	return fencedAs("yaml", strings.Join(lines, "\n"))
}

// hoverReference tells of the part of a schema to which a reference leads.
func hoverReference(f *File, offset int) (Hover, bool) {
	r, ok := schemaReferenceAt(f, offset)
	if !ok {
		return Hover{}, false
	}
	whole := func(n *yaml.Node) foreign.Node { return foreign.Outline(n).Whole() }
	p := schema.ParamIn(whole(r.root), r.name, whole(r.to.value))
	return Hover{r.span, paragraphs("**"+p.Name+"** · "+codeSpan(p.Type.String()), p.Description)}, true
}

// hoverNao tells of what the run has under a name in a text of Nao's that is no
// parameter: its arguments, its result, a namespace.
func hoverNao(w Workspace, f *File, offset int) (Hover, bool) {
	t, x, ok := naoTextAt(f, offset)
	if !ok {
		return Hover{}, false
	}
	s, at := x.source(f)
	in := typed{cursor: cursor{file: f, offset: offset}, w: w, scope: naoScope(x, t.ToolDecl)}
	for _, n := range x.names(s) {
		for _, part := range n.Parts {
			if !part.Shift(at).Touches(offset) {
				continue
			}
			path := s[n.Head().Start:part.End]
			said := describeScoped(in, path)
			if space, ok := namespaceOf(path); said == "" && ok {
				said = paragraphs("**"+path+"**", space.doc)
			}
			return Hover{part.Shift(at), said}, said != ""
		}
	}
	return Hover{}, false
}
