package analysis

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/describe"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// hoverForeign is what there is to say about a word of another system's file that
// is no tool and no parameter where they are declared.
func hoverForeign(w model.Workspace, f *model.File, offset int) (Hover, bool) {
	if h, ok := hoverPlaceholder(w, f, offset); ok {
		return h, true
	}
	if h, ok := hoverReference(f, offset); ok {
		return h, true
	}
	p := cursor.YAMLPlaceAt(w, f, offset)
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
func foreignSecret(p cursor.YAMLPlace) (at text.Span, ok bool) {
	form := foreignSecrets[p.F.Foreign.System]
	isPlace := func(s yaml.Step) bool { return slices.Contains([]string{"headers", "env", "mcpEndpoint"}, s.Key) }
	if form == nil || p.F.Foreign.System == "corail" && !slices.ContainsFunc(p.At.Path, isPlace) {
		return at, false
	}
	return cursor.GroupAt(form, p.Source(), p.Line(p.Offset), 1, p.Offset)
}

// foreignSecretAt is where the secret is kept that a text of another system's file names.
func foreignSecretAt(w model.Workspace, path string, offset int) []model.Location {
	f := w.File(path)
	if f == nil || f.Foreign == nil || f.Tree() == nil {
		return nil
	}
	p := cursor.YAMLPlaceAt(w, f, offset)
	at, ok := foreignSecret(p)
	if !ok {
		return nil
	}
	var out []model.Location
	for _, r := range declaringReferences(w, path, model.Symbol{Kind: model.SecretSymbol, Path: model.ProjectPath(w, path), Owner: "", Name: p.Source()[at.Start:at.End]}) {
		out = append(out, model.Location{From: at, Path: r.Path, Span: r.Span, Full: r.Span})
	}
	return out
}

// hoverPlaceholder tells of the parameter that a text names, or counts.
func hoverPlaceholder(w model.Workspace, f *model.File, offset int) (Hover, bool) {
	t, ok := f.ForeignAround(offset)
	if !ok {
		return Hover{}, false
	}
	for _, p := range model.ParameterPlaces(f, t) {
		if !p.Span.Touches(offset) {
			continue
		}
		if i := p.Index - 1; i >= 0 && i < len(t.Foreign.Tool.Params) {
			p.Name = t.Foreign.Tool.Params[i].Name
		}
		if said := aboutForeignParam(w, model.ScopedTool{PlacedTool: t, File: f}, p.Name); said != "" {
			return Hover{p.Span, said}, true
		}
	}
	return Hover{}, false
}

// aboutForeignParam documents a parameter of a foreign tool, one that is pasted
// as well.
func aboutForeignParam(w model.Workspace, t model.ScopedTool, name string) string {
	if d := t.Param(name); d != nil {
		return describe.ParamMarkdown(w, t.File, t, d)
	}
	return pastedMarkdown(w, t, name)
}

// aboutForeign documents a name that the file declares or names.
func aboutForeign(p cursor.YAMLPlace, n model.ForeignName, kind string) string {
	r := model.Resolver{W: p.W, F: p.F}
	s, ok := r.ForeignSymbol(n)
	if b, builtin := p.F.Builtins[n.Name]; !ok && builtin && n.Ref == tool.RefResource {
		return describe.ToolMarkdown(p.W, p.F, model.ScopedTool{PlacedTool: b, File: p.F})
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
		return describe.ToolMarkdown(p.W, p.F, t)
	case tool.RefParameter:
		t, _ := p.F.ForeignAround(n.Span.Start)
		return aboutForeignParam(p.W, model.ScopedTool{PlacedTool: t, File: p.F}, n.Name)
	case tool.RefResource:
		return aboutResource(p, s)
	}
	title := "**" + n.Name + "** · " + s.What()
	if kind == "" {
		kind = kindOfForeign(p.W, s)
	}
	if kind != "" {
		title += " · " + describe.CodeSpan(kind)
	}
	where := ""
	if !n.Declares {
		where = whereForeign(p.W, s)
	}
	return describe.Paragraphs(title, where, namedBy(p.W, s))
}

// aboutResource documents the tool of one of Récif's resources.
func aboutResource(p cursor.YAMLPlace, s model.Symbol) string {
	f := p.W.File(s.Path)
	for n := range f.ForeignNames() {
		if n.Ref != tool.RefResource || !n.Declares || n.Name != s.Name {
			continue
		}
		if t, ok := f.ForeignAround(n.Span.Start); ok {
			return describe.ToolMarkdown(p.W, p.F, model.ScopedTool{PlacedTool: t, File: f})
		}
	}
	return ""
}

// kindOfForeign is what a source or an auth service is, by the file that declares
// it.
func kindOfForeign(w model.Workspace, s model.Symbol) string {
	f := w.File(s.Path)
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
func whereForeign(w model.Workspace, s model.Symbol) string {
	for _, r := range declaringReferences(w, s.Path, s) {
		if f := w.File(r.Path); f != nil && f.Doc != nil {
			return fmt.Sprintf("Defined in `%s`, line %d.", shortPath(r.Path), model.LineOf(f, r.Span))
		}
	}
	return "Nothing declares it."
}
