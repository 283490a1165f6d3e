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
	p := yamlPlaceAt(w, f, offset)
	if at, ok := foreignSecret(p); ok {
		return Hover{at, aboutSecret(w, f.Path, p.source()[at.Start:at.End])}, true
	}
	if h, ok := hoverNao(w, f, offset); ok {
		return h, true
	}
	for n := range f.ForeignNames() {
		if !n.Span.Touches(p.offset) {
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
func foreignSecret(p yamlPlace) (at text.Span, ok bool) {
	form := foreignSecrets[p.f.Foreign.System]
	isPlace := func(s yaml.Step) bool { return slices.Contains([]string{"headers", "env", "mcpEndpoint"}, s.Key) }
	if form == nil || p.f.Foreign.System == "corail" && !slices.ContainsFunc(p.at.Path, isPlace) {
		return at, false
	}
	return groupAt(form, p.source(), p.line(p.offset), 1, p.offset)
}

// foreignSecretAt is where the secret is kept that a text of another system's file names.
func foreignSecretAt(w Workspace, path string, offset int) []Location {
	f := w.files.get(path)
	if f == nil || f.Foreign == nil || f.Tree() == nil {
		return nil
	}
	p := yamlPlaceAt(w, f, offset)
	at, ok := foreignSecret(p)
	if !ok {
		return nil
	}
	var out []Location
	for _, r := range declaringReferences(w, path, subject{SecretSubject, projectPath(w, path), "", p.source()[at.Start:at.End]}) {
		out = append(out, Location{From: at, Path: r.Path, Span: r.Span, Full: r.Span})
	}
	return out
}

// hoverPlaceholder tells of the parameter that a text names, or counts.
func hoverPlaceholder(w Workspace, f *File, offset int) (Hover, bool) {
	t, ok := f.foreignAround(offset)
	if !ok {
		return Hover{}, false
	}
	for _, p := range parameterPlaces(f, t) {
		if !p.Span.Touches(offset) {
			continue
		}
		if i := p.Index - 1; i >= 0 && i < len(t.foreign.Tool.Params) {
			p.Name = t.foreign.Tool.Params[i].Name
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
		return paramMarkdown(w, t.File, t, d)
	}
	return pastedMarkdown(w, t, name)
}

// aboutForeign documents a name that the file declares or names.
func aboutForeign(p yamlPlace, n ForeignName, kind string) string {
	r := resolver{w: p.w, f: p.f}
	s, ok := r.foreignSubject(n)
	if b, builtin := p.f.builtins[n.Name]; !ok && builtin && n.Ref == tool.RefResource {
		return toolMarkdown(p.w, p.f, ScopedTool{PlacedTool: b, File: p.f})
	}
	if !ok {
		return ""
	}
	switch n.Ref {
	case tool.RefForeignTool:
		t, ok := p.w.Scope(p.f.Path).Tool(n.Name)
		if !ok {
			return ""
		}
		return toolMarkdown(p.w, p.f, t)
	case tool.RefParameter:
		t, _ := p.f.foreignAround(n.Span.Start)
		return aboutForeignParam(p.w, ScopedTool{PlacedTool: t, File: p.f}, n.Name)
	case tool.RefResource:
		return aboutResource(p, s)
	}
	title := "**" + n.Name + "** · " + s.what()
	if kind == "" {
		kind = kindOfForeign(p.w, s)
	}
	if kind != "" {
		title += " · " + codeSpan(kind)
	}
	where := ""
	if !n.Declares {
		where = whereForeign(p.w, s)
	}
	return paragraphs(title, where, namedBy(p.w, s))
}

// aboutResource documents the tool of one of Récif's resources.
func aboutResource(p yamlPlace, s subject) string {
	f := p.w.files.get(s.path)
	for n := range f.ForeignNames() {
		if n.Ref != tool.RefResource || !n.Declares || n.Name != s.name {
			continue
		}
		if t, ok := f.foreignAround(n.Span.Start); ok {
			return toolMarkdown(p.w, p.f, ScopedTool{PlacedTool: t, File: f})
		}
	}
	return ""
}

// kindOfForeign is what a source or an auth service is, by the file that declares
// it.
func kindOfForeign(w Workspace, s subject) string {
	f := w.files.get(s.path)
	if f == nil || f.Tree() == nil {
		return ""
	}
	for _, root := range f.Tree().Roots() {
		table := root.Get(s.owner)
		if s.owner == projectfile.AuthServices && f.Foreign != nil {
			table = root.Get("authServices")
		}
		if kind := table.Get(s.name).Get("kind").Word(); kind != "" {
			return kind
		}
		if root.Get("name").Word() == s.name {
			return root.Get("type").Word()
		}
	}
	return ""
}

// whereForeign says where a name is declared.
func whereForeign(w Workspace, s subject) string {
	for _, r := range declaringReferences(w, s.path, s) {
		if f := w.files.get(r.Path); f != nil && f.Doc != nil {
			return fmt.Sprintf("Defined in `%s`, line %d.", shortPath(r.Path), lineOf(f, r.Span))
		}
	}
	return "Nothing declares it."
}
