package analysis_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/marker"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// TestMarkerNames runs the fixtures of what a name means, and where; the notes are
// documented at the functions below.
func TestMarkerNames(t *testing.T) {
	for _, dir := range []string{"references", "rename", "call_hierarchy", "workspace_symbol", "rename_files"} {
		t.Run(dir, func(t *testing.T) {
			marker.Run(t, filepath.Join("..", "testdata", "marker", dir), checks, map[string]marker.Kind{
				"definition": definition, "reference": reference, "highlight": highlight, "type": typeDefinition, "rename": rename,
				"incoming": incoming, "outgoing": outgoing, "find": find, "move": move,
			})
		})
	}
}

// place is a place of the fixture: file, line and column.
func place(f *marker.Fixture, path string, s text.Span) string {
	at := f.Workspace.File(path).Doc.Lines().Position(s.Start, text.UTF16)
	return fmt.Sprintf("%s:%d:%d", f.Rel(path), at.Line+1, at.Character+1)
}

// definition is where the word leads: file, line and the name there.
func definition(f *marker.Fixture, n marker.Note) string {
	return leads(f, n, analysis.Definition(f.Workspace, n.Path, n.Cursor))
}

// typeDefinition is where its type stands.
func typeDefinition(f *marker.Fixture, n marker.Note) string {
	return leads(f, n, analysis.TypeDefinition(f.Workspace, n.Path, n.Cursor))
}

func leads(f *marker.Fixture, n marker.Note, found []model.Location) string {
	if len(found) == 0 {
		return nothing
	}
	l := found[0]
	to := fmt.Sprintf("%s → %s %s", source(f, n.Path, l.From), place(f, l.Path, l.Span), source(f, l.Path, l.Span))
	return strings.TrimRight(to, " ")
}

// orNothing is what was found, or that nothing was.
func orNothing(found []string, between string) string {
	if len(found) == 0 {
		return nothing
	}
	return strings.Join(found, between)
}

// reference is the places of all references.
func reference(f *marker.Fixture, n marker.Note) string {
	var out []string
	for _, r := range analysis.References(context.Background(), f.Workspace, n.Path, n.Cursor) {
		out = append(out, place(f, r.Path, r.Span))
	}
	return orNothing(out, " ")
}

// highlight is the lines and columns of what is highlighted; those with an
// exclamation mark write.
func highlight(f *marker.Fixture, n marker.Note) string {
	var out []string
	for _, r := range analysis.Highlights(f.Workspace, n.Path, n.Cursor) {
		at := strings.TrimPrefix(place(f, r.Path, r.Span), f.Rel(r.Path)+":")
		if r.Access != model.Reads {
			at += "!"
		}
		out = append(out, at)
	}
	return orNothing(out, " ")
}

// rename is what a new name changes, file by file, or why it does not.
func rename(f *marker.Fixture, n marker.Note) string {
	if _, _, err := analysis.PrepareRename(f.Workspace, n.Path, n.Cursor); err != nil {
		return err.Error()
	}
	edits, err := analysis.Rename(context.Background(), f.Workspace, n.Path, n.Cursor, "brand_new")
	if err != nil {
		return err.Error()
	}
	return changes(f, edits)
}

var callerKinds = map[analysis.CallerKind]string{
	analysis.ToolCaller: "tool", analysis.StepCaller: "step", analysis.AgentCaller: "agent",
}

// incoming is what calls the word, and where.
func incoming(f *marker.Fixture, n marker.Note) string {
	c, _ := analysis.CallerAt(f.Workspace, n.Path, n.Cursor)
	var out []string
	for _, e := range analysis.Incoming(context.Background(), f.Workspace, c) {
		out = append(out, edge(f, e, e.Other.Path))
	}
	return orNothing(out, "; ")
}

// outgoing is what the word calls, and where.
func outgoing(f *marker.Fixture, n marker.Note) string {
	c, _ := analysis.CallerAt(f.Workspace, n.Path, n.Cursor)
	var out []string
	for _, e := range analysis.Outgoing(context.Background(), f.Workspace, c) {
		out = append(out, edge(f, e, c.Path))
	}
	return orNothing(out, "; ")
}

func edge(f *marker.Fixture, e analysis.CallEdge, from string) string {
	out := fmt.Sprintf("%s %s (%s) %s", callerKinds[e.Other.Kind], e.Other.Name, e.Other.Detail, place(f, e.Other.Path, e.Other.NameSpan))
	for _, s := range e.From {
		out += " @" + place(f, from, s)
	}
	return out
}

// find is what a search for the literal finds.
func find(f *marker.Fixture, n marker.Note) string {
	var out []string
	for _, s := range analysis.FindSymbols(context.Background(), f.Workspace, source(f, n.Path, n.Span)) {
		out = append(out, fmt.Sprintf("%s (%s) %s", s.Name, s.Container, place(f, s.Path, s.Span)))
	}
	return orNothing(out, "; ")
}

// move is what moving files changes, those that go with them first. The literal
// says what moves where.
func move(f *marker.Fixture, n marker.Note) string {
	edits, along := analysis.RenameFiles(context.Background(), f.Workspace, marker.Moves(source(f, n.Path, n.Span)), list(f))
	var out []string
	for _, m := range along {
		out = append(out, f.Rel(m.From)+" -> "+f.Rel(m.To))
	}
	if len(edits) > 0 {
		out = append(out, changes(f, edits))
	}
	return orNothing(out, "\n")
}
