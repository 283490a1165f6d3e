package model

import (
	"slices"
	"testing"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// TestProfiles checks that an agent can call what its profiles add, and is checked again when one
// of them changes.
func TestProfiles(t *testing.T) {
	w := Workspace{}.
		With("/a.agent.abl", syntax.Parse("AGENT: A\nUSE BEHAVIOR_PROFILE: night\nUSE_BEHAVIOR_PROFILE: \"late\"\nTOOLS:\n  own() -> string\n")).
		With("/n.behavior_profile.abl", syntax.Parse("BEHAVIOR_PROFILE: night\nTOOLS:\n  ADD:\n    bell() -> string\n    own() -> number\n"))
	s := w.Callable("/a.agent.abl")
	if s.Complete {
		t.Error("the profile `late` is not known, and nobody says so")
	}
	w = w.With("/l.behavior_profile.abl", syntax.Parse("BEHAVIOR_PROFILE: late\n"))
	s = w.Callable("/a.agent.abl")
	if names := s.Names(); !s.Complete || !slices.Equal(names, []string{"own", "bell", "own"}) {
		t.Errorf("got %v, whole: %v", names, s.Complete)
	}
	if own := s.Index()["own"]; own.File.Path != "/a.agent.abl" {
		t.Errorf("the tool of %s wins", own.File.Path)
	}
	if got := w.Importers("/n.behavior_profile.abl"); !slices.Equal(got, []string{"/a.agent.abl"}) {
		t.Errorf("the profile is used by %v", got)
	}
}

// TestSummariesAreKept checks that an entry is read again only if its text or its section changes.
func TestSummariesAreKept(t *testing.T) {
	source := "AGENT: A\nFLOW:\n  a:\n    THEN: b\n  b:\n    THEN: a\n"
	doc := syntax.Parse(source)
	w := Workspace{}.With("/a.agent.abl", doc)
	first := w.File("/a.agent.abl")
	insert := func(at int, s string) *syntax.Document {
		return doc.Apply(text.Edit{Span: text.Span{Start: at, End: at}, NewText: s})
	}
	same := func(doc *syntax.Document, section, entry int) bool {
		w := w.With("/a.agent.abl", doc)
		entryOf := func(f *File) *entrySummary { return f.summary(f.Doc.Sections()[section].Entries[entry]) }
		before, after := entryOf(first), entryOf(w.File("/a.agent.abl"))
		return before != nil && before == after
	}
	edited := insert(len(source)-2, "b")
	if !same(edited, 1, 0) {
		t.Error("an edit of another step lets a step be read again")
	}
	renamed := insert(len("AGENT: A\nFLOW"), "S")
	if same(renamed, 1, 0) {
		t.Error("a line of FLOWS is read as a step")
	}
}
