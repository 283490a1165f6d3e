package analysis

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/describe"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Hover is the documentation of a word.
type Hover struct {
	Span     text.Span // the word
	Markdown string
}

// HoverAt returns the documentation of the word at an offset of the file at path; ok is false if
// there is none.
func HoverAt(w model.Workspace, path string, offset int) (h Hover, ok bool) {
	if f := w.File(path); f.IsYAMLAgent() {
		if h, ok := hoverWritten(w, f, f.WrittenOffset(offset)); ok {
			return h, true
		}
	}
	if t, ok := cursor.ForeignAt(w.File(path), offset); ok {
		return Hover{t.Span, targetMarkdown(w, w.File(path), t)}, true
	}
	if h, ok := hoverAlias(w.File(path), offset); ok {
		return h, true
	}
	if f := w.File(path); f != nil && f.Foreign != nil {
		return hoverForeign(w, f, offset)
	} else if f != nil && f.YAML != nil {
		return hoverYAML(w, f, offset)
	}
	c, ok := w.Cursor(path, offset)
	if !ok || c.Node().Kind() == syntax.Comment {
		return Hover{}, false
	}
	if t, ok := cursor.TargetAt(w, c); ok {
		return Hover{t.Span, targetMarkdown(w, c.File, t)}, true
	}
	for _, find := range []func(model.Cursor) (Hover, bool){
		hoverKeyword, hoverToolsKey, hoverType, hoverNamespace, hoverWord,
	} {
		if h, ok := find(c); ok {
			return h, true
		}
	}
	if h, ok := hoverNumbered(w, path, offset); ok {
		return h, true
	}
	if h, ok := hoverPlatformTool(c); ok {
		return h, true
	}
	if h, ok := hoverPasted(w, c); ok {
		return h, true
	}
	if h, ok := hoverServerTool(w, c); ok {
		return h, true
	}
	if !isDeclared(w, c) {
		if h, ok := hoverExported(w, c); ok {
			return h, true
		}
	}
	if h, ok := hoverName(w, c); ok {
		return h, true
	}
	if h, ok := hoverProperty(c); ok {
		return h, true
	}
	if h, ok := hoverUse(w, c); ok {
		return h, true
	}
	for _, find := range []func(model.Workspace, model.Cursor) (Hover, bool){hoverTypeField, hoverBoolean, hoverConfig, hoverEvent} {
		if h, ok := find(w, c); ok {
			return h, true
		}
	}
	return Hover{}, false
}

func targetMarkdown(w model.Workspace, from *model.File, t cursor.Target) string {
	switch {
	case t.File != nil:
		return describe.ImportMarkdown(w, t.File)
	case t.Step != nil:
		return t.Step.Markdown()
	case t.Param != nil:
		return describe.ParamMarkdown(w, from, t.Tool, t.Param)
	}
	return describe.ToolMarkdown(w, from, t.Tool)
}

// hoverKeyword describes a section's keyword, or the word of a rule.
func hoverKeyword(c model.Cursor) (Hover, bool) {
	n := c.Node()
	if n.Kind() != syntax.Keyword || n.Parent().Kind() == syntax.BlockHelper {
		return Hover{}, false
	}
	if n.Parent().Kind() == syntax.Rule {
		w, ok := tool.LookupWord(model.RuleWords, n.Text())
		return Hover{n.Span(), "**" + w.Name + "**\n\n" + w.Doc}, ok
	}
	s, ok := model.LookupSection(c.Section.Name())
	if !ok {
		return Hover{}, false
	}
	title := "**" + s.Name + "**"
	if r := s.Repeat.String(); r != "" {
		title += " · " + r
	}
	keys := ""
	if field := model.SectionField(c.Kind(), s.Name); field != nil && len(field.Fields) > 0 {
		keys = "Keys: " + describe.FieldList(field.Fields) + "."
	}
	return Hover{n.Span(), describe.Paragraphs(title, s.Doc, keys)}, true
}

// hoverToolsKey describes `file`, `HIDE` and `ADD`.
func hoverToolsKey(c model.Cursor) (Hover, bool) {
	n := c.Node()
	if n.Kind() != syntax.Key || !n.Parent().Parent().IsZero() || c.Section.Head.Kind() != syntax.ToolsSection {
		return Hover{}, false
	}
	k, ok := tool.LookupWord(model.ToolsKeys, n.Text())
	return Hover{n.Span(), "**" + k.Name + "**\n\n" + k.Doc}, ok
}

// hoverType describes a type of a signature.
func hoverType(c model.Cursor) (Hover, bool) {
	n := c.Node()
	if n.Kind() != syntax.TypeIdentifier {
		return Hover{}, false
	}
	return Hover{n.Span(), typeMarkdown(n.Text())}, true
}

func typeMarkdown(name string) string {
	if w, ok := builtInType(name); ok {
		return describe.Paragraphs("**"+w.Name+"**", w.Doc, describe.EditionNote(w.Edition))
	}
	return "**" + name + "**\n\nA type of the author's own. ABL declares types nowhere, so any value fits it."
}

// builtInType returns a type of the language itself.
func builtInType(name string) (tool.Word, bool) {
	for _, words := range [][]tool.Word{tool.ReturnTypes(), tool.ParamTypes(), genericTypes} {
		if w, ok := tool.LookupWord(words, name); ok {
			return w, true
		}
	}
	return tool.Word{}, false
}

var genericTypes = []tool.Word{
	{Name: "enum", Doc: "One of the words given: `enum<[a, b]>`."},
	{Name: "union", Doc: "A value of one of the types given: `union<[string, number]>`."},
	{Name: "nullable", Doc: "A value of the type given, or `null`: `nullable<string>`."},
}

// hoverNamespace describes what is before the dot in {{secrets.X}}.
func hoverNamespace(c model.Cursor) (Hover, bool) {
	if c.Entry.Entry == nil || !c.Entry.Span().Touches(c.Offset) {
		return Hover{}, false
	}
	for m := range c.File.NameRefs(c.Entry) {
		if m.Kind == model.NamespaceRef && m.Span.Touches(c.Offset) {
			n, _ := model.FindNamespace(m.Name)
			return Hover{m.Span, "**" + n.Name + "**\n\n" + n.Doc}, true
		}
	}
	return Hover{}, false
}

// hoverProperty describes a property of a tool, a shared default, or a word of a property's closed
// set.
func hoverProperty(c model.Cursor) (Hover, bool) {
	path := cursor.PropertiesAround(c)
	if len(path) == 0 {
		return Hover{}, false
	}
	if h, ok := hoverNamed(c, path); ok {
		return h, true
	}
	p := path[len(path)-1]
	place := func(n syntax.Node) text.Span { return n.Span().Shift(c.Entry.Offset) }
	if span := place(p.Key); span.Touches(c.Offset) {
		if p.Field == nil {
			return Hover{}, false
		}
		return Hover{span, describe.Paragraphs(describe.FieldMarkdown(*p.Field, "auth"), kindsNote(c, path))}, true
	}
	for _, value := range model.ValueWords(p.Node) {
		span := value.Span.Shift(c.Entry.Offset)
		if !span.Touches(c.Offset) {
			continue
		}
		if isTypeProperty(p, path) {
			name := strings.TrimSuffix(value.Text, "[]")
			span.End = span.Start + len(name)
			return Hover{span, typeMarkdown(name)}, strings.Trim(name, model.NameBytes) == ""
		}
		if p.Field == nil {
			return Hover{}, false
		}
		if word, ok := tool.LookupWord(p.Field.Values, value.Text); ok {
			return Hover{span, describe.ValueMarkdown(p.Field.Name, word)}, true
		}
	}
	return Hover{}, false
}

// hoverNamed describes the word after a name in a list of names: `- city: required`.
func hoverNamed(c model.Cursor, path []model.Property) (Hover, bool) {
	if len(path) < 2 || !path[len(path)-1].IsAuthorName {
		return Hover{}, false
	}
	list, own := path[len(path)-2].ValueField, path[len(path)-1]
	if list == nil || !list.Named {
		return Hover{}, false
	}
	at := model.UnquotedWord(own.Value)
	span := at.Span.Shift(c.Entry.Offset)
	w, ok := tool.LookupWord(list.Values, at.Text)
	return Hover{span, describe.ValueMarkdown(own.Name(), w)}, ok && span.Touches(c.Offset)
}

// isTypeProperty reports whether the property's value is a type.
func isTypeProperty(p model.Property, path []model.Property) bool {
	return p.Field != nil && p.Field.Type == tool.TypeType ||
		p.IsAuthorName && path[0].Name() == "parameters" && !p.Value.IsZero()
}

// kindsNote says which kinds of tools have a property.
func kindsNote(c model.Cursor, path []model.Property) string {
	kinds := tool.BindingOnly(path[0].Name())
	if !cursor.InTools(c) || len(path) > 1 || len(kinds) == 0 || path[0].Node.Parent().IsZero() {
		return ""
	}
	return "Of `type: " + model.JoinStrings(kinds, "`, `") + "`."
}

// hoverServerTool documents a server's tool at a place that names it.
func hoverServerTool(w model.Workspace, c model.Cursor) (Hover, bool) {
	decl, ok := c.File.ToolAround(c.Offset)
	if !ok {
		return Hover{}, false
	}
	use, ok := decl.ServerUse()
	at := use.Tool.Span.Shift(decl.Offset)
	if !ok || use.Own || !at.Touches(c.Offset) {
		return Hover{}, false
	}
	server, found := w.Servers(c.File.Path).FindTool(use)
	switch {
	case found != nil:
		return Hover{at, describe.ServerToolMarkdown(found)}, true
	case server != nil && server.More:
		return Hover{at, "The server `" + use.Server.Text + "` has too many tools to keep all of them, and this is not among those that are kept." + describe.ServerAge(server)}, true
	case server != nil:
		return Hover{at, "The server `" + use.Server.Text + "` has no such tool." + describe.ServerAge(server)}, true
	}
	return Hover{at, "Nothing is known of the tools of the server `" + use.Server.Text + "`. A run of one asks for them, and so does the command `abl.refresh`."}, true
}
