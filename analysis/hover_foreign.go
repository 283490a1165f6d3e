package analysis

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// hoverForeign is what there is to say about a word of another system's file that
// is no tool and no parameter where they are declared.
func hoverForeign(w Workspace, f *File, offset int) (Hover, bool) {
	if h, ok := hoverPlaceholder(w, f, offset); ok {
		return h, true
	}
	if h, ok := hoverReference(f, offset); ok {
		return h, true
	}
	p := YamlPlaceAt(w, f, offset)
	if at, ok := foreignSecret(p); ok {
		return Hover{at, aboutSecret(w, f.Path, p.Source()[at.Start:at.End])}, true
	}
	if h, ok := hoverNao(w, f, offset); ok {
		return h, true
	}
	for n := range f.ForeignNames() {
		if !n.Span.Touches(p.Offset) {
			continue
		}
		if said := aboutForeign(p, n, ""); said != "" {
			return Hover{n.Span, said}, true
		}
	}
	return aboutWord(p)
}

// foreignSecrets are how the systems name one: Toolbox and Nao anywhere, Corail where
// its reader takes it for one.
var foreignSecrets = map[string]*regexp.Regexp{
	"toolbox": regexp.MustCompile(`\$\{(\w+)`),
	"corail":  regexp.MustCompile(`\$\{?([A-Za-z_]\w*)`),
	"nao":     regexp.MustCompile(placeholder.Open + `secrets\.([A-Za-z_]\w*)`),
}

// foreignSecret is the secret that a text names.
func foreignSecret(p YamlPlace) (at text.Span, ok bool) {
	form := foreignSecrets[p.F.Foreign.System]
	isPlace := func(s yaml.Step) bool { return slices.Contains([]string{"headers", "env", "mcpEndpoint"}, s.Key) }
	if form == nil || p.F.Foreign.System == "corail" && !slices.ContainsFunc(p.At.Path, isPlace) {
		return at, false
	}
	return GroupAt(form, p.Source(), p.Line(p.Offset), 1, p.Offset)
}

// foreignSecretAt is where the secret is kept that a text of another system's file names.
func foreignSecretAt(w Workspace, path string, offset int) []Location {
	f := w.Files.Get(path)
	if f == nil || f.Foreign == nil || f.Tree() == nil {
		return nil
	}
	p := YamlPlaceAt(w, f, offset)
	at, ok := foreignSecret(p)
	if !ok {
		return nil
	}
	var out []Location
	for _, r := range declaringReferences(w, path, Subject{SecretSubject, ProjectPath(w, path), "", p.Source()[at.Start:at.End]}) {
		out = append(out, Location{From: at, Path: r.Path, Span: r.Span, Full: r.Span})
	}
	return out
}

// hoverPlaceholder tells of the parameter that a text names, or counts.
func hoverPlaceholder(w Workspace, f *File, offset int) (Hover, bool) {
	t, ok := f.ForeignAround(offset)
	if !ok {
		return Hover{}, false
	}
	for _, p := range ParameterPlaces(f, t) {
		if !p.Span.Touches(offset) {
			continue
		}
		if i := p.Index - 1; i >= 0 && i < len(t.Foreign.Tool.Params) {
			p.Name = t.Foreign.Tool.Params[i].Name
		}
		if said := aboutForeignParam(w, ScopedTool{PlacedTool: t, File: f}, p.Name); said != "" {
			return Hover{p.Span, said}, true
		}
	}
	return Hover{}, false
}

// aboutForeignParam documents a parameter of a foreign tool, one that is pasted
// as well.
func aboutForeignParam(w Workspace, t ScopedTool, name string) string {
	if d := t.Param(name); d != nil {
		return ParamMarkdown(w, t.File, t, d)
	}
	return pastedMarkdown(w, t, name)
}

// aboutForeign documents a name that the file declares or names.
func aboutForeign(p YamlPlace, n ForeignName, kind string) string {
	r := Resolver{W: p.W, F: p.F}
	s, ok := r.ForeignSubject(n)
	if b, builtin := p.F.Builtins[n.Name]; !ok && builtin && n.Ref == tool.RefResource {
		return ToolMarkdown(p.W, p.F, ScopedTool{PlacedTool: b, File: p.F})
	}
	if !ok {
		return ""
	}
	switch n.Ref {
	case tool.RefForeignTool:
		t, ok := p.W.Scope(p.F.Path).Tool(n.Name)
		if !ok {
			return ""
		}
		return ToolMarkdown(p.W, p.F, t)
	case tool.RefParameter:
		t, _ := p.F.ForeignAround(n.Span.Start)
		return aboutForeignParam(p.W, ScopedTool{PlacedTool: t, File: p.F}, n.Name)
	case tool.RefResource:
		return aboutResource(p, s)
	}
	title := "**" + n.Name + "** · " + s.What()
	if kind == "" {
		kind = kindOfForeign(p.W, s)
	}
	if kind != "" {
		title += " · " + CodeSpan(kind)
	}
	where := ""
	if !n.Declares {
		where = whereForeign(p.W, s)
	}
	return Paragraphs(title, where, namedBy(p.W, s))
}

// aboutResource documents the tool of one of Récif's resources.
func aboutResource(p YamlPlace, s Subject) string {
	f := p.W.Files.Get(s.Path)
	for n := range f.ForeignNames() {
		if n.Ref != tool.RefResource || !n.Declares || n.Name != s.Name {
			continue
		}
		if t, ok := f.ForeignAround(n.Span.Start); ok {
			return ToolMarkdown(p.W, p.F, ScopedTool{PlacedTool: t, File: f})
		}
	}
	return ""
}

// kindOfForeign is what a source or an auth service is, by the file that declares
// it.
func kindOfForeign(w Workspace, s Subject) string {
	f := w.Files.Get(s.Path)
	if f == nil || f.Tree() == nil {
		return ""
	}
	for _, root := range f.Tree().Roots() {
		table := root.Get(s.Owner)
		if s.Owner == projectfile.AuthServices && f.Foreign != nil {
			table = root.Get("authServices")
		}
		if kind := table.Get(s.Name).Get("kind").Word(); kind != "" {
			return kind
		}
		if root.Get("name").Word() == s.Name {
			return root.Get("type").Word()
		}
	}
	return ""
}

// whereForeign says where a name is declared.
func whereForeign(w Workspace, s Subject) string {
	for _, r := range declaringReferences(w, s.Path, s) {
		if f := w.Files.Get(r.Path); f != nil && f.Doc != nil {
			return fmt.Sprintf("Defined in `%s`, line %d.", shortPath(r.Path), LineOf(f, r.Span))
		}
	}
	return "Nothing declares it."
}
