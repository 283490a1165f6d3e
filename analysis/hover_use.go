package analysis

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
)

// hoverUse describes a name that another part of the project declares: an agent, a
// profile, a message and the like, what abl.yaml lists, or a variable.
func hoverUse(w Workspace, c Cursor) (Hover, bool) {
	u, ok := UseAt(w, c.File.Path, c.Offset)
	if !ok {
		return Hover{}, false
	}
	var what string
	switch u.Subject.Kind {
	case AgentSubject, ProfileSubject:
		what = u.Subject.Kind.String()
	case NamedSubject:
		what = declaredWords[u.Subject.Owner]
	case ProjectSubject:
		what = projectWords[u.Subject.Owner]
	case VariableSubject:
		return Hover{u.Span, sharedVariableMarkdown(w, c.File, u.Subject)}, true
	default:
		return Hover{}, false
	}
	server := ""
	if u.Subject.Kind == ProjectSubject && u.Subject.Owner == projectfile.Servers {
		server = ServerMarkdown(w, c.File.Path, u.Subject.Name)
	}
	return Hover{u.Span, Paragraphs("**"+u.Subject.Name+"** · "+what, server, declaredMarkdown(w, c.File, u.Subject))}, true
}

// declaredWords say what the sections declare.
var declaredWords = map[string]string{
	"MESSAGES": "message", "RETURN_HANDLERS": "return handler", "ENTITIES": "entity", "LOOKUP_TABLES": "look-up table",
	"DESTINATIONS": "destination", ActionHandlers: "action", Aliases: "alias of an agent",
}

// projectWords say what the tables of abl.yaml list.
var projectWords = map[string]string{
	projectfile.Servers: "server", projectfile.Functions: "function", projectfile.Sources: "source", projectfile.AuthServices: "auth service",
}

// declaredMarkdown says what is known of a declaration, and where it is.
func declaredMarkdown(w Workspace, from *File, s Subject) string {
	found := declaringReferences(w, from.Path, s)
	if len(found) == 0 {
		return "Nothing that is known here declares it."
	}
	var said []string
	for _, r := range found {
		said = append(said, declaredText(w, r, s), WrittenIn(from, w.Files.Get(r.Path), r.Span))
	}
	return Paragraphs(said...)
}

// declaredText is what a declaration says: the goal of an agent, the text of a
// message, when a profile counts.
func declaredText(w Workspace, at Reference, s Subject) string {
	f := w.Files.Get(at.Path)
	switch s.Kind {
	case AgentSubject:
		return OneLine(headText(f, "GOAL"), MaxDoc)
	case ProfileSubject:
		return CodeSpan(OneLine(headText(f, "WHEN"), MaxDoc))
	case NamedSubject:
		if path := PropertiesAround(f.Cursor(at.Span.Start)); len(path) > 0 && s.Owner == "MESSAGES" {
			return FencedAs("", path[len(path)-1].Text())
		}
	}
	return ""
}

// headText is the text behind a section's keyword.
func headText(f *File, section string) string {
	if f.Doc == nil || f.Kind == YAML {
		return ""
	}
	for _, s := range f.Doc.Sections() {
		if s.Name() == section {
			return HeadProperty(f.Kind, section, s.Head.Root()).Text()
		}
	}
	return ""
}

// sharedVariableMarkdown documents a variable that another file declares or sets, or that
// nothing does.
func sharedVariableMarkdown(w Workspace, from *File, s Subject) string {
	for _, r := range declaringReferences(w, from.Path, s) {
		f := w.Files.Get(r.Path)
		is := func(v Variable) bool { return v.Span.Touches(r.Span.Start) }
		if all := f.AllVariables(); slices.ContainsFunc(all, is) {
			v, _ := f.Variable(s.Name)
			return Paragraphs(VariableMarkdown(v), resultNote(w, f, v), WrittenIn(from, w.Files.Get(r.Path), r.Span))
		}
	}
	return Paragraphs("**"+s.Name+"** · variable", "Nothing that is known here gives it a value.")
}
