// Package refactor changes files in ways that no diagnostic asks for but a person may want:
// refactorings, the order of imports, all fixes at once, and saved cases.
package refactor

import (
	"context"
	"errors"
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis/edit"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Refactoring is a change that a person may want at a place, whether or not anything is wrong
// there. Its edits are computed when they are asked for.
type Refactoring struct {
	Name     string // of the refactoring in the list; if one place has two of a name, their titles differ
	Kind     RefactorKind
	Title    string // what it does, as a menu shows it
	Disabled string // why it cannot be done here; "" if it can

	// Reads are files that its edits depend on, whether or not they exist. The workspace passed to
	// Edits must know them.
	Reads []string

	// Creates is a file that is created if it does not exist; "" for none.
	Creates string

	// Opens is a file to show afterwards; "" for none. If Reads has several candidates, the edits
	// decide: see OpenedFile.
	Opens string

	path  string // of the file in which it was offered
	edits func(context.Context, model.Workspace) ([]model.FileEdit, error)
}

// RefactorKind is the kind of a refactoring, by which menus sort it.
type RefactorKind int

// The kinds.
const (
	RewriteKind RefactorKind = iota + 1
	ExtractKind
	InlineKind
)

// refactoring finds what it can do at a place. It is asked at every movement of a cursor, so it
// looks at nothing but the place. The caller sets Name and Kind of the result.
type refactoring struct {
	name  string
	kind  RefactorKind
	offer func(selection) []Refactoring
}

// refactorings returns all refactorings, in the order of menus.
func refactorings() []refactoring {
	return []refactoring{
		{"confirmation", RewriteKind, addConfirmation},
		{noEffectsName, RewriteKind, addNoEffectsHint},
		{"case", RewriteKind, addCase},
		{"nest", RewriteKind, nestKeys},
		{"signature", RewriteKind, reshapeSignature},
		{"block", RewriteKind, toBlock},
		{"inline", RewriteKind, toInline},
		{"convert", RewriteKind, convertToABL},
		{convertInFile, RewriteKind, convertHere},
		{dialectName, RewriteKind, convertDialect},
		{"extract_tools", ExtractKind, extractTools},
		{"inline_tools", InlineKind, inlineTools},
	}
}

// Refactorings returns the refactorings that are offered for a span of the file at path, of the
// kinds for which wants returns true.
func Refactorings(w model.Workspace, path string, span text.Span, wants func(RefactorKind) bool) []Refactoring {
	f := w.File(path)
	if f == nil || f.Doc == nil || f.Kind == model.YAML && !model.IsCertainlyForeign(w, path) {
		return nil
	}
	if !f.IsYAMLAgent() {
		span = atFirstWord(f, span)
	}
	var all []Refactoring
	for _, r := range refactorings() {
		if !wants(r.kind) || f.Kind == model.YAML && r.name != convertInFile || f.IsYAMLAgent() && r.name != dialectName {
			continue
		}
		for _, offered := range r.offer(selection{w, f, span}) {
			offered.Name, offered.Kind, offered.path = r.name, r.kind, path
			all = append(all, offered)
		}
	}
	return all
}

// atFirstWord returns a span in the text of a file. One that begins in a line's indentation begins at
// its first word, as lines that are selected whole do.
func atFirstWord(f *model.File, span text.Span) text.Span {
	size := len(f.Doc.Text())
	span.Start = min(max(span.Start, 0), size)
	lines := f.Doc.Lines()
	span.Start = max(span.Start, lines.LineStart(lines.Line(span.Start))+len(model.IndentAt(f, span.Start)))
	span.End = min(max(span.End, span.Start), size)
	return span
}

// FindRefactoring returns the refactoring with that name and title for a span of the file at path.
// ok is false if none is offered there.
func FindRefactoring(w model.Workspace, path string, span text.Span, name, title string) (r Refactoring, ok bool) {
	for _, r := range Refactorings(w, path, span, func(RefactorKind) bool { return true }) {
		if r.Name == name && r.Title == title {
			return r, true
		}
	}
	return Refactoring{}, false
}

// Edits returns the edits of the refactoring, each with the path of its file and with that file's
// line ends. The workspace must know the files in Reads. An error is a reason to show.
func (r Refactoring) Edits(ctx context.Context, w model.Workspace) ([]model.FileEdit, error) {
	if r.Disabled != "" {
		return nil, errors.New(r.Disabled)
	}
	edits, err := r.edits(ctx, w)
	if err != nil {
		return nil, err
	}
	return model.Edits(w, r.path, model.Fix{Edits: edits}), ctx.Err()
}

// OpenedFile returns the file to show after these edits; "" for none.
func (r Refactoring) OpenedFile(edits []model.FileEdit) string {
	for _, e := range edits {
		if r.Opens != "" && slices.Contains(r.Reads, e.Path) {
			return e.Path
		}
	}
	return r.Opens
}

// selection is the place for which refactorings are offered.
type selection struct {
	w    model.Workspace
	file *model.File
	text.Span
}

// tool returns the declaration in whose signature the selection begins. An incomplete declaration
// does not count.
func (s selection) tool() (model.PositionedTool, bool) {
	t, ok := s.file.ToolAround(s.Start)
	return t, ok && t.SignatureSpan().Touches(s.Start) && edit.IsCompleteSignature(t)
}

// ownFileEdits returns a function that returns edits of the selection's own file.
func ownFileEdits(edits ...text.Edit) func(context.Context, model.Workspace) ([]model.FileEdit, error) {
	return func(context.Context, model.Workspace) ([]model.FileEdit, error) {
		return model.EditsIn("", edits...), nil
	}
}
