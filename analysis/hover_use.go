package analysis

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/describe"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
)

// hoverUse documents a name that another part of the project declares: an agent, a profile, a
// message and the like, an entry of abl.yaml, or a variable.
func hoverUse(w model.Workspace, c model.Cursor) (Hover, bool) {
	u, ok := cursor.OccurrenceAt(w, c.File.Path, c.Offset)
	if !ok {
		return Hover{}, false
	}
	var what string
	switch u.Symbol.Kind {
	case model.AgentSymbol, model.ProfileSymbol:
		what = u.Symbol.Kind.String()
	case model.SectionEntrySymbol:
		what = declaredWords[u.Symbol.Owner]
	case model.ProjectEntrySymbol:
		what = projectWords[u.Symbol.Owner]
	case model.VariableSymbol:
		return Hover{u.Span, sharedVariableMarkdown(w, c.File, u.Symbol)}, true
	default:
		return Hover{}, false
	}
	server := ""
	if u.Symbol.Kind == model.ProjectEntrySymbol && u.Symbol.Owner == projectfile.Servers {
		server = describe.ServerMarkdown(w, c.File.Path, u.Symbol.Name)
	}
	return Hover{u.Span, describe.Paragraphs("**"+u.Symbol.Name+"** · "+what, server, declaredMarkdown(w, c.File, u.Symbol))}, true
}

// declaredWords are the nouns for what the sections declare.
var declaredWords = map[string]string{
	"MESSAGES": "message", "RETURN_HANDLERS": "return handler", "ENTITIES": "entity", "LOOKUP_TABLES": "look-up table",
	"DESTINATIONS": "destination", model.ActionHandlers: "action", model.Aliases: "alias of an agent",
}

// projectWords are the nouns for what the tables of abl.yaml list.
var projectWords = map[string]string{
	projectfile.Servers: "server", projectfile.Functions: "function", projectfile.Sources: "source", projectfile.AuthServices: "auth service",
}

// declaredMarkdown says what is known of a declaration, and where it is.
func declaredMarkdown(w model.Workspace, from *model.File, s model.Symbol) string {
	found := declaringReferences(w, from.Path, s)
	if len(found) == 0 {
		return "Nothing that is known here declares it."
	}
	var text []string
	for _, r := range found {
		text = append(text, declaredText(w, r, s), describe.DeclaredIn(from, w.File(r.Path), r.Span))
	}
	return describe.Paragraphs(text...)
}

// declaredText returns the text of a declaration: the goal of an agent, the text of a message, the
// condition of a profile.
func declaredText(w model.Workspace, at model.Reference, s model.Symbol) string {
	f := w.File(at.Path)
	switch s.Kind {
	case model.AgentSymbol:
		return describe.OneLine(headText(f, "GOAL"), describe.MaxDoc)
	case model.ProfileSymbol:
		return describe.CodeSpan(describe.OneLine(headText(f, "WHEN"), describe.MaxDoc))
	case model.SectionEntrySymbol:
		if path := cursor.PropertiesAround(f.Cursor(at.Span.Start)); len(path) > 0 && s.Owner == "MESSAGES" {
			return describe.FencedAs("", path[len(path)-1].Text())
		}
	}
	return ""
}

// headText returns the text after a section's keyword.
func headText(f *model.File, section string) string {
	if f.Doc == nil || f.Kind == model.YAML {
		return ""
	}
	for s := range f.Doc.Sections().Named(section) {
		return model.HeadProperty(f.Kind, section, s.Head.Root()).Text()
	}
	return ""
}

// sharedVariableMarkdown documents a variable that another file declares or sets, or that has no
// declaration.
func sharedVariableMarkdown(w model.Workspace, from *model.File, s model.Symbol) string {
	for _, r := range declaringReferences(w, from.Path, s) {
		f := w.File(r.Path)
		is := func(v model.Variable) bool { return v.Span.Touches(r.Span.Start) }
		if all := f.AllVariables(); slices.ContainsFunc(all, is) {
			v, _ := f.Variable(s.Name)
			return describe.Paragraphs(describe.VariableMarkdown(v), resultNote(w, f, v), describe.DeclaredIn(from, w.File(r.Path), r.Span))
		}
	}
	return describe.Paragraphs("**"+s.Name+"** · variable", "Nothing that is known here gives it a value.")
}
