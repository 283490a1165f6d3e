package analysis

import (
	"fmt"
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/describe"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// hoverForeign documents a word of a foreign file that is neither a declared tool nor a declared
// parameter.
func hoverForeign(w model.Workspace, f *model.File, offset int) (Hover, bool) {
	if h, ok := hoverPlaceholder(w, f, offset); ok {
		return h, true
	}
	if h, ok := hoverReference(f, offset); ok {
		return h, true
	}
	t := cursor.YAMLLine(w, f, offset)
	if at, ok := foreignSecret(t); ok {
		return Hover{at, secretMarkdown(w, f.Path, f.Doc.Text()[at.Start:at.End])}, true
	}
	if h, ok := hoverNao(w, f, offset); ok {
		return h, true
	}
	if h, ok := hoverPrompt(f, offset); ok {
		return h, true
	}
	for n := range f.ForeignNames() {
		if !n.Span.Touches(t.Offset) {
			continue
		}
		if markdown := foreignNameMarkdown(t, n, ""); markdown != "" {
			return Hover{n.Span, markdown}, true
		}
	}
	return hoverSchema(t)
}

// hoverPrompt documents the prompt whose declared name is at an offset.
func hoverPrompt(f *model.File, offset int) (Hover, bool) {
	for i := range f.Foreign.Prompts {
		p := &f.Foreign.Prompts[i]
		if name := model.Unquoted(f, p.Name); name.Touches(offset) {
			return Hover{name, describe.PromptMarkdown(&p.Prompt)}, true
		}
	}
	return Hover{}, false
}

// foreignSecrets match the secrets of each system: Toolbox and Nao have them anywhere, Corail only
// where its reader expects one.
var foreignSecrets = map[string]*lazyregexp.Regexp{
	"toolbox": lazyregexp.New(`\$\{(\w+)`),
	"corail":  lazyregexp.New(`\$\{?([A-Za-z_]\w*)`),
	"nao":     lazyregexp.New(placeholder.Open + `secrets\.([A-Za-z_]\w*)`),
}

// foreignSecret returns the span of the secret that a text names.
func foreignSecret(t cursor.Line) (at text.Span, ok bool) {
	form := foreignSecrets[t.File.Foreign.System]
	isPlace := func(s yaml.PathElement) bool {
		return slices.Contains([]string{"headers", "env", "mcpEndpoint"}, s.Key)
	}
	if form == nil || t.File.Foreign.System == "corail" && !slices.ContainsFunc(t.YAML.Path, isPlace) {
		return at, false
	}
	return cursor.GroupAt(form, t.File.Doc.Text(), t.LineText(t.Offset), 1, t.Offset)
}

// foreignSecretAt returns the place that has the secret which a text of a foreign file names.
func foreignSecretAt(w model.Workspace, path string, offset int) []model.Location {
	f := w.File(path)
	if f == nil || f.Foreign == nil || f.YAMLTree() == nil {
		return nil
	}
	t := cursor.YAMLLine(w, f, offset)
	at, ok := foreignSecret(t)
	if !ok {
		return nil
	}
	var out []model.Location
	for _, r := range declaringReferences(w, path, model.Symbol{Kind: model.SecretSymbol, Path: model.ProjectPath(w, path), Owner: "", Name: t.File.Doc.Text()[at.Start:at.End]}) {
		out = append(out, model.Location{From: at, Path: r.Path, Span: r.Span, Full: r.Span})
	}
	return out
}

// hoverPlaceholder documents the parameter that a text gives by its name or its number.
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
		if markdown := foreignParamMarkdown(w, model.ScopedTool{PositionedTool: t, File: f}, p.Name); markdown != "" {
			return Hover{p.Span, markdown}, true
		}
	}
	return Hover{}, false
}

// foreignParamMarkdown documents a parameter of a foreign tool, also one that is pasted.
func foreignParamMarkdown(w model.Workspace, t model.ScopedTool, name string) string {
	if d := t.Param(name); d != nil {
		return describe.ParamMarkdown(w, t.File, t, d)
	}
	return pastedMarkdown(w, t, name)
}

// foreignNameMarkdown documents a name that the file declares or uses.
func foreignNameMarkdown(at cursor.Line, n model.ForeignName, kind string) string {
	r := model.Resolver{Workspace: at.Workspace, File: at.File}
	s, ok := r.ForeignSymbol(n)
	if b, builtin := at.File.Builtins[n.Name]; !ok && builtin && n.Ref == tool.RefResource {
		return describe.ToolMarkdown(at.Workspace, at.File, model.ScopedTool{PositionedTool: b, File: at.File})
	}
	if !ok {
		return ""
	}
	switch n.Ref {
	case tool.RefForeignTool:
		t, ok := at.Workspace.Scope(at.File.Path).Tool(n.Name)
		if !ok {
			return ""
		}
		return describe.ToolMarkdown(at.Workspace, at.File, t)
	case tool.RefParameter:
		t, _ := at.File.ForeignAround(n.Span.Start)
		return foreignParamMarkdown(at.Workspace, model.ScopedTool{PositionedTool: t, File: at.File}, n.Name)
	case tool.RefResource:
		return resourceMarkdown(at, s)
	}
	title := "**" + n.Name + "** · " + s.Noun()
	if kind == "" {
		kind = foreignKindNote(at.Workspace, s)
	}
	if kind != "" {
		title += " · " + describe.CodeSpan(kind)
	}
	where := ""
	if !n.Declares {
		where = foreignPlaceNote(at.Workspace, s)
	}
	return describe.Paragraphs(title, where, namedByNote(at.Workspace, s))
}

// resourceMarkdown documents the tool of one of Récif's resources.
func resourceMarkdown(at cursor.Line, s model.Symbol) string {
	f := at.Workspace.File(s.Path)
	for n := range f.ForeignNames() {
		if n.Ref != tool.RefResource || !n.Declares || n.Name != s.Name {
			continue
		}
		if t, ok := f.ForeignAround(n.Span.Start); ok {
			return describe.ToolMarkdown(at.Workspace, at.File, model.ScopedTool{PositionedTool: t, File: f})
		}
	}
	return ""
}

// foreignKindNote returns the kind of a source or an auth service, from the file that declares it.
func foreignKindNote(w model.Workspace, s model.Symbol) string {
	f := w.File(s.Path)
	if f == nil || f.YAMLTree() == nil {
		return ""
	}
	for _, root := range f.YAMLTree().Roots() {
		table := root.Get(s.Owner)
		if s.Owner == projectfile.AuthServices && f.Foreign != nil {
			table = root.Get("authServices")
		}
		if kind := table.Get(s.Name).Get("kind").StringValue(); kind != "" {
			return kind
		}
		if root.Get("name").StringValue() == s.Name {
			return root.Get("type").StringValue()
		}
	}
	return ""
}

// foreignPlaceNote says where a name is declared.
func foreignPlaceNote(w model.Workspace, s model.Symbol) string {
	for _, r := range declaringReferences(w, s.Path, s) {
		if f := w.File(r.Path); f != nil && f.Doc != nil {
			return fmt.Sprintf("Defined in `%s`, line %d.", shortPath(r.Path), model.LineOf(f, r.Span))
		}
	}
	return "Nothing declares it."
}
