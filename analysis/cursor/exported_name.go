package cursor

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// ExportedName is a word that names something of an exported project, with the places that list it.
type ExportedName struct {
	Span   text.Span // of the word
	Name   string
	Noun   string // the noun for it in a text
	IsText bool   // it has a text in each locale
	Places []model.Location
}

// exportedPlaceholder is a placeholder of a variable or a text.
var exportedPlaceholder = lazyregexp.New(placeholder.Open + `(?:config|env|secrets|locale)\.([A-Za-z_][\w.-]*)`)

// ExportedAt returns the name that the word under the cursor has in the exported project: that of a
// variable, an MCP server, or a localized text. ok is false if the word is no such name, or the
// project does not list it.
func ExportedAt(w model.Workspace, c model.Cursor) (e ExportedName, ok bool) {
	source, lines := c.File.Doc.Text(), c.File.Doc.Lines()
	if at, isPlaceholder := GroupAt(exportedPlaceholder, source, lines.LineText(lines.Line(c.Offset)), 1, c.Offset); isPlaceholder {
		e = ExportedName{Span: at, Name: source[at.Start:at.End], IsText: strings.HasSuffix(source[:at.Start], "locale.")}
		if e.IsText {
			return exportedPlaces(w, c.File, e, "text", model.TextNameKind)
		}
		return exportedPlaces(w, c.File, e, "variable", model.SecretNameKind)
	}
	if c.Entry.Entry == nil {
		return e, false
	}
	for m := range c.File.NameRefs(c.Entry) {
		if !m.Span.Touches(c.Offset) || m.Access == model.Declares {
			continue
		}
		e = ExportedName{Span: m.Span, Name: m.Name}
		switch {
		case m.Kind == model.ProjectEntryRef && m.Owner == projectfile.Servers:
			return exportedPlaces(w, c.File, e, "MCP server", model.ServerNameKind)
		case m.Kind == model.SectionEntryRef && m.Owner == "MESSAGES":
			e.IsText = true
			return exportedPlaces(w, c.File, e, "text", model.TextNameKind)
		}
	}
	return e, false
}

// exportedPlaces returns an exported name with its places; ok is false if it has none.
func exportedPlaces(w model.Workspace, from *model.File, e ExportedName, what string, kind model.NameKind) (ExportedName, bool) {
	root, _ := w.WorkspaceRoot(from.Path)
	files := w.FilesDeclaring(root, e.Name, kind)
	if e.IsText {
		ofOther := func(f *model.Handle) bool { return !isTextOf(f.Path, from.AgentName().Text) }
		if own := slices.DeleteFunc(slices.Clone(files), ofOther); len(own) > 0 {
			files = own
		}
	}
	e.Noun = what + " of the exported project"
	for _, f := range files {
		for _, n := range f.Public[kind] {
			if n.Name == e.Name {
				e.Places = append(e.Places, model.Location{From: e.Span, Path: f.Path, Span: n.Span, Full: n.Span})
			}
		}
	}
	return e, len(e.Places) > 0
}

// isTextOf reports whether a file has the texts of an agent, or of all agents.
func isTextOf(path, agent string) bool {
	name := strings.TrimSuffix(filepath.Base(path), ".json")
	return name == agent || name == "_shared"
}
