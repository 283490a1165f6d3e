package model

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
	"github.com/abl-lsp/abl-lsp/tool/sqltext"
)

// InvalidPlaceholder is a placeholder of a statement that stops a run, or that a run reads as text
// though it looks like a template parameter.
type InvalidPlaceholder struct {
	Span    text.Span
	Message string
	Name    string   // of the parameter that does not exist; "" if something else is wrong
	Known   []string // the parameters that exist
}

var (
	// pastePattern matches comments; quoted text, which is the first group; and a placeholder outside
	// both, which is the second group.
	pastePattern = lazyregexp.New(`--[^\n]*|(?s:/\*.*?\*/)|('[^']*'|"[^"]*"|` + "`[^`]*`" + `)|((?s:\{\{.*?\}\}))`)
	// BracedPattern matches a placeholder in braces.
	BracedPattern = lazyregexp.New(`(?s:\{\{.*?\}\})`)
)

// InvalidPlaceholders returns the placeholders that stop a run of the statement. Inside quotes, a
// placeholder that names no parameter is text, but {{.x}} is hardly meant as such.
func (s Statement) InvalidPlaceholders() (all []InvalidPlaceholder) {
	if sqltext.HasActions(s.written) {
		all = s.invalidActions()
	}
	for _, m := range pastePattern.FindAllStringSubmatchIndex(s.written, -1) {
		switch {
		case m[2] >= 0:
			for _, in := range BracedPattern.FindAllStringIndex(s.written[m[2]:m[3]], -1) {
				all = s.addInvalid(all, text.Span{Start: in[0], End: in[1]}.Shift(m[2]), true)
			}
		case m[4] >= 0:
			all = s.addInvalid(all, text.Span{Start: m[4], End: m[5]}, false)
		}
	}
	return all
}

func (s Statement) addInvalid(all []InvalidPlaceholder, at text.Span, inQuotes bool) []InvalidPlaceholder {
	written := s.written[at.Start:at.End]
	if sqltext.HasActions(s.written) && sqltext.IsAction(written) {
		return all
	}
	name, array, isTemplate := sqltext.TemplatePlaceholder(written)
	wrong := InvalidPlaceholder{Span: s.place(at), Known: s.templateNames()}
	i := slices.Index(wrong.Known, name)
	switch {
	case i >= 0:
		wrong.Message = s.templates[i].Mispasted(array)
		if wrong.Message == "" && inQuotes && s.templates[i].Escape != "" && s.hasPlainQuotes() {
			wrong.Message = "{{." + name + "}} " + sqltext.QuotedTwice
		}
	case inQuotes && !isTemplate:
		if s.bindsName(name) && s.hasPlainQuotes() {
			wrong.Message = written + " " + sqltext.BoundInQuotes
		}
	case isTemplate:
		wrong.Name = name
	case s.bindsName(name):
	case !sqltext.IsPlaceholder(name):
		wrong.Message = written + " " + sqltext.NoPlaceholder
	default:
		wrong.Name, wrong.Message = name, "{{"+name+"}} is no parameter of this tool"
		wrong.Known = append(wrong.Known, s.Names...)
	}
	if wrong.Message == "" && wrong.Name == "" {
		return all
	}
	return append(all, wrong)
}

// invalidActions returns what is wrong with the conditions and loops of the statement, at the first of
// them.
func (s Statement) invalidActions() (all []InvalidPlaceholder) {
	var first text.Span
	for _, at := range BracedPattern.FindAllStringIndex(s.written, -1) {
		if sqltext.IsAction(s.written[at[0]:at[1]]) {
			first = s.place(text.Span{Start: at[0], End: at[1]})
			break
		}
	}
	t, err := sqltext.ParseTemplate(s.written)
	if err != nil {
		return []InvalidPlaceholder{{Span: first, Message: "The statement is no template of Go: " + err.Error()}}
	}
	known := s.templateNames()
	for _, name := range t.Fields() {
		if !slices.Contains(known, name) && !strings.Contains(s.written, "{{."+name+"}}") { // which is reported at its place
			all = append(all, InvalidPlaceholder{Span: first, Known: known, Message: "The conditions and loops of a statement read template parameters, and `" + name + "` is none"})
		}
	}
	return all
}

// bindsName reports whether a name is that of a value that a run binds, or may bind.
func (s Statement) bindsName(name string) bool {
	space, rest, dotted := strings.Cut(name, ".")
	switch {
	case s.step != "" && (space == "result" || space == "args" && !dotted):
		return true
	case s.step != "" && space == "args":
		return slices.Contains(s.ofRun, placeholder.RootName(rest))
	case space == "input":
		return !dotted || slices.Contains(s.Names, placeholder.RootName(rest))
	case dotted && IsNamespace(space):
		return true
	}
	head := placeholder.RootName(name)
	return slices.Contains(s.Names, head) || s.Tool.ReadsContext(head) || s.Tool.SetsName(head)
}

// hasPlainQuotes reports whether quotes end where they seem to, in every database.
func (s Statement) hasPlainQuotes() bool { return !strings.ContainsAny(s.written, `\$`) }

func (s Statement) templateNames() []string { return paramNames(s.templates) }
