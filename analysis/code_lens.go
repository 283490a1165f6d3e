package analysis

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/describe"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Lens is a line of text above a declaration, with a command.
type Lens struct {
	Span  text.Span // the lens is above this
	Title string
	Kind  LensKind
	Tool  string // to run or to preview
	Case  string // of the tool, to run
	Path  string // of the imported file, to open
}

// LensKind is the kind of a lens.
type LensKind int

// The kinds of lenses.
const (
	RunLens  LensKind = iota
	CaseLens          // runs a saved case
	PreviewLens
	ImportLens     // says what an import brings
	ReferencesLens // says how often a tool is named
	ProjectLens    // says what an exported project brings
)

// CodeLenses returns the lenses of the file at path: for each tool one to run it, one for each of
// its saved cases and one to preview it; for each import of an agent what it brings; one to run each
// tool that a call or an import names; and for a project.json what the project brings. In an agent in
// YAML a tool without a binding, in the file or in a library, has only those of its cases. errors
// returns how many errors a tool has, for the title of its lens; it may be nil. Only a tool's own
// errors change its lenses.
func CodeLenses(w model.Workspace, path string, errors func(model.PositionedTool) int) []Lens {
	f := w.File(path)
	switch {
	case f == nil || f.Doc == nil:
		return nil
	case f.YAML != nil:
		return casesLenses(w, path)
	case model.IsManifest(path):
		return projectLenses(w, path)
	}
	var lenses []Lens
	if f.Kind != model.Library {
		for i := range f.Imports {
			if l, ok := importLens(w, &f.Imports[i]); ok {
				lenses = append(lenses, l)
			}
		}
	}
	errorNote := func(t model.PositionedTool) string {
		if errors == nil {
			return ""
		}
		if n := errors(t); n > 0 {
			return fmt.Sprintf(" (%s)", describe.Count(n, "error"))
		}
		return ""
	}
	own, cases := model.Scope{}, model.CasesOfTool(w, path)
	for _, t := range f.Tools {
		own.Tools = append(own.Tools, model.ScopedTool{PositionedTool: t, File: f})
	}
	for i, name := range own.CallNames() {
		t := own.Tools[i]
		ofTool := toolLenses(t, name, errorNote(t.PositionedTool), cases(t))
		if !isRunnable(w, t) {
			ofTool = slices.DeleteFunc(ofTool, func(l Lens) bool { return l.Kind != CaseLens })
		}
		lenses = append(lenses, ofTool...)
	}
	return append(lenses, namedToolLenses(w, f, errorNote)...)
}

// isRunnable reports whether a tool has a binding, in its file or in a library. Only in agents in
// YAML is a tool without one no tool to run.
func isRunnable(w model.Workspace, t model.ScopedTool) bool {
	return !t.File.IsYAMLAgent() || !t.IsUnbound() || len(model.LibraryTools(w, t.File.Path, t.Name)) > 0
}

// toolLenses returns the lenses of a tool that is called by name, each with a note.
func toolLenses(t model.ScopedTool, name, note string, cases []projectfile.Case) []Lens {
	lenses := []Lens{{Span: t.NameSpan(), Title: "Run" + note, Kind: RunLens, Tool: name}}
	for _, c := range cases {
		lenses = append(lenses, Lens{Span: t.NameSpan(), Title: "▶ " + caseTitle(c.Name) + note, Kind: CaseLens, Tool: c.Tool, Case: c.Name}) // as its key says, by which editors know it again
	}
	return append(lenses, Lens{Span: t.NameSpan(), Title: "Preview" + note, Kind: PreviewLens, Tool: name})
}

// projectLenses returns the lens with what the project of a project.json brings, once that is
// known.
func projectLenses(w model.Workspace, path string) []Lens {
	f := w.File(path)
	if len(f.Public[model.AgentNameKind]) == 0 && f.EntryAgent().Text == "" || !model.KnowsWorkspace(w, path) {
		return nil // perhaps another system's
	}
	root := filepath.Dir(path)
	title := strings.Join([]string{
		describe.Count(len(model.PublicNamesIn(w, root, model.AgentNameKind)), "agent"), describe.Count(len(model.PublicNamesIn(w, root, model.ToolNameKind)), "tool"), describe.Count(len(model.PublicNamesIn(w, root, model.ProfileNameKind)), "profile"),
	}, " · ")
	return []Lens{{Title: title, Kind: ProjectLens}}
}

// casesLenses returns a lens for each saved case, which runs it.
func casesLenses(w model.Workspace, path string) []Lens {
	var lenses []Lens
	tools := model.TestedToolsOf(w, path)
	for _, c := range model.SavedCases(w, path) {
		if of, _, ok := tools.Tool(c.Tool); ok {
			at := text.Span{Start: c.Span.Start, End: c.Span.Start}
			lenses = append(lenses, Lens{Span: at, Title: "Run", Kind: CaseLens, Path: of, Tool: c.Tool, Case: c.Name})
		}
	}
	return lenses
}

// ReferencesLenses returns a lens for each tool of the file at path, for the number of references
// to the tool. The lenses have no title yet, since counting is costly: see [ReferencesOfTool].
func ReferencesLenses(w model.Workspace, path string) []Lens {
	f := w.File(path)
	if f == nil || f.Doc == nil {
		return nil
	}
	var lenses []Lens
	for _, t := range f.Tools {
		lenses = append(lenses, Lens{Span: t.NameSpan(), Kind: ReferencesLens, Tool: t.Name})
	}
	return lenses
}

// ReferencesOfTool returns the references to the tool called name in the file at path, without its
// declaration, and the title of the lens for them. ok is false if there is no such tool.
func ReferencesOfTool(ctx context.Context, w model.Workspace, path, name string) (title string, uses []model.Reference, ok bool) {
	f := w.File(path)
	if f == nil {
		return "", nil, false
	}
	i := slices.IndexFunc(f.Tools, func(t model.PositionedTool) bool { return t.Name == name })
	if i < 0 {
		return "", nil, false
	}
	for _, r := range References(ctx, w, path, f.Tools[i].NameSpan().Start) {
		if r.Access != model.Declares {
			uses = append(uses, r)
		}
	}
	return describe.Count(len(uses), "reference"), uses, true
}

// importLens returns the lens with what an import brings; ok is false if its file cannot be read.
func importLens(w model.Workspace, i *model.Import) (Lens, bool) {
	l := Lens{Span: i.InFile(i.KeyNode()).Span(), Kind: ImportLens, Path: i.Target}
	if from := w.File(l.Path); i.Path == "" || from == nil || from.Absent != model.Present {
		return Lens{}, false
	}
	tools, _ := model.Imported(w, i)
	if len(tools) == 0 {
		l.Title = "brings no tools"
		return l, true
	}
	var names []string
	for _, t := range tools {
		names = append(names, t.Name)
	}
	if len(names) > maxNames {
		names = append(names[:maxNames], "…")
	}
	l.Title = fmt.Sprintf("brings %s: %s", describe.Count(len(tools), "tool"), strings.Join(names, ", "))
	return l, true
}

const maxNames = 8 // in a lens

// caseTitle returns a name on one line, cut to the length that fits next to other lenses.
func caseTitle(name string) string {
	runes := []rune(strings.Join(strings.Fields(name), " "))
	if len(runes) > maxTitle {
		return string(runes[:maxTitle-1]) + "…"
	}
	return string(runes)
}

const maxTitle = 60
