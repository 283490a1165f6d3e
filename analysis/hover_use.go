package analysis

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
)

// hoverUse describes a name that another part of the project declares: an agent, a
// profile, a message and the like, what abl.yaml lists, or a variable.
func (w Workspace) hoverUse(c cursor) (Hover, bool) {
	u, ok := w.useAt(c.file.Path, c.offset)
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
		return Hover{u.span, w.variableMarkdown(c.file, u.subject)}, true
	default:
		return Hover{}, false
	}
	server := ""
	if u.subject.kind == ProjectSubject && u.subject.owner == projectfile.Servers {
		server = w.serverMarkdown(c.file.Path, u.subject.name)
	}
	return Hover{u.span, paragraphs("**"+u.subject.name+"** · "+what, server, w.declaredMarkdown(c.file, u.subject))}, true
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
func (w Workspace) declaredMarkdown(from *File, s subject) string {
	found := w.declaring(from.Path, s)
	if len(found) == 0 {
		return "Nothing that is known here declares it."
	}
	var said []string
	for _, r := range found {
		said = append(said, w.declaredText(r, s), writtenIn(from, w.files.get(r.Path), r.Span))
	}
	return paragraphs(said...)
}

// declaredText is what a declaration says: the goal of an agent, the text of a
// message, when a profile counts.
func (w Workspace) declaredText(at Reference, s subject) string {
	f := w.files.get(at.Path)
	switch s.kind {
	case AgentSubject:
		return oneLine(f.headText("GOAL"), maxDoc)
	case ProfileSubject:
		return codeSpan(oneLine(f.headText("WHEN"), maxDoc))
	case NamedSubject:
		if path := f.cursor(at.Span.Start).properties(); len(path) > 0 && s.owner == "MESSAGES" {
			return fencedAs("", path[len(path)-1].Text())
		}
	}
	return ""
}

// headText is the text behind a section's keyword.
func (f *File) headText(section string) string {
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

// variableMarkdown documents a variable that another file declares or sets, or that
// nothing does.
func (w Workspace) variableMarkdown(from *File, s subject) string {
	for _, r := range w.declaring(from.Path, s) {
		f := w.files.get(r.Path)
		is := func(v Variable) bool { return v.Span.Touches(r.Span.Start) }
		if all := f.allVariables(); slices.ContainsFunc(all, is) {
			v, _ := f.variable(s.name)
			return paragraphs(v.markdown(), w.resultNote(f, v), writtenIn(from, w.files.get(r.Path), r.Span))
		}
	}
	return paragraphs("**"+s.name+"** · variable", "Nothing that is known here gives it a value.")
}
