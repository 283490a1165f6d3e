package analysis

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
)

// hoverUse describes a name that another part of the project declares: an agent, a
// profile, a message and the like, what abl.yaml lists, or a variable.
func hoverUse(w Workspace, c cursor) (Hover, bool) {
	u, ok := useAt(w, c.file.Path, c.offset)
	if !ok {
		return Hover{}, false
	}
	var what string
	switch u.subject.kind {
	case AgentSubject, ProfileSubject:
		what = u.subject.kind.String()
	case NamedSubject:
		what = declaredWords[u.subject.owner]
	case ProjectSubject:
		what = projectWords[u.subject.owner]
	case VariableSubject:
		return Hover{u.span, sharedVariableMarkdown(w, c.file, u.subject)}, true
	default:
		return Hover{}, false
	}
	server := ""
	if u.subject.kind == ProjectSubject && u.subject.owner == projectfile.Servers {
		server = serverMarkdown(w, c.file.Path, u.subject.name)
	}
	return Hover{u.span, paragraphs("**"+u.subject.name+"** · "+what, server, declaredMarkdown(w, c.file, u.subject))}, true
}

// declaredWords say what the sections declare.
var declaredWords = map[string]string{
	"MESSAGES": "message", "RETURN_HANDLERS": "return handler", "ENTITIES": "entity", "LOOKUP_TABLES": "look-up table",
	"DESTINATIONS": "destination", actionHandlers: "action", aliases: "alias of an agent",
}

// projectWords say what the tables of abl.yaml list.
var projectWords = map[string]string{
	projectfile.Servers: "server", projectfile.Functions: "function", projectfile.Sources: "source", projectfile.AuthServices: "auth service",
}

// declaredMarkdown says what is known of a declaration, and where it is.
func declaredMarkdown(w Workspace, from *File, s subject) string {
	found := declaringReferences(w, from.Path, s)
	if len(found) == 0 {
		return "Nothing that is known here declares it."
	}
	var said []string
	for _, r := range found {
		said = append(said, declaredText(w, r, s), writtenIn(from, w.files.get(r.Path), r.Span))
	}
	return paragraphs(said...)
}

// declaredText is what a declaration says: the goal of an agent, the text of a
// message, when a profile counts.
func declaredText(w Workspace, at Reference, s subject) string {
	f := w.files.get(at.Path)
	switch s.kind {
	case AgentSubject:
		return oneLine(headText(f, "GOAL"), maxDoc)
	case ProfileSubject:
		return codeSpan(oneLine(headText(f, "WHEN"), maxDoc))
	case NamedSubject:
		if path := propertiesAround(f.cursor(at.Span.Start)); len(path) > 0 && s.owner == "MESSAGES" {
			return fencedAs("", path[len(path)-1].Text())
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
func sharedVariableMarkdown(w Workspace, from *File, s subject) string {
	for _, r := range declaringReferences(w, from.Path, s) {
		f := w.files.get(r.Path)
		is := func(v Variable) bool { return v.Span.Touches(r.Span.Start) }
		if all := f.allVariables(); slices.ContainsFunc(all, is) {
			v, _ := f.variable(s.name)
			return paragraphs(variableMarkdown(v), resultNote(w, f, v), writtenIn(from, w.files.get(r.Path), r.Span))
		}
	}
	return paragraphs("**"+s.name+"** · variable", "Nothing that is known here gives it a value.")
}
