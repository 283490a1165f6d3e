package analysis

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// exportedName is a word that names something of an exported project, with the places that
// list it.
type exportedName struct {
	span   text.Span // of the word
	name   string
	what   string // it is
	isText bool   // it has a text in each locale
	places []Location
}

// exportedPlaceholder is a placeholder of a variable or a text.
var exportedPlaceholder = regexp.MustCompile(placeholder.Open + `(?:config|env|secrets|locale)\.([A-Za-z_][\w.-]*)`)

// exportedAt is what the word under the cursor names of the exported project that its file
// belongs to: a variable, an MCP server, or a localized text.
func exportedAt(w Workspace, c cursor) (e exportedName, ok bool) {
	source, lines := c.file.Doc.Text(), c.file.Doc.Lines()
	if at, isPlaceholder := groupAt(exportedPlaceholder, source, lines.LineText(lines.Line(c.offset)), 1, c.offset); isPlaceholder {
		e = exportedName{span: at, name: source[at.Start:at.End], isText: strings.HasSuffix(source[:at.Start], "locale.")}
		if e.isText {
			return exportedPlaces(w, c.file, e, "text", textNames, func(n publicNames) []placedName { return n.texts })
		}
		return exportedPlaces(w, c.file, e, "variable", secretNames, func(n publicNames) []placedName { return n.secrets })
	}
	if c.entry.Entry == nil {
		return e, false
	}
	for _, m := range slices.Concat(c.file.Mentions(c.entry), c.file.names(c.entry)) {
		if !m.Span.Touches(c.offset) || m.Access == Declares {
			continue
		}
		e = exportedName{span: m.Span, name: m.Name}
		switch {
		case m.Kind == OfProject && m.Tool == projectfile.Servers:
			return exportedPlaces(w, c.file, e, "MCP server", serverNames, func(n publicNames) []placedName { return n.servers })
		case m.Kind == OfNamed && m.Tool == "MESSAGES":
			e.isText = true
			return exportedPlaces(w, c.file, e, "text", textNames, func(n publicNames) []placedName { return n.texts })
		}
	}
	return e, false
}

// exportedPlaces is an exported name with its places; ok is false where it has none.
func exportedPlaces(w Workspace, from *File, e exportedName, what string, kind nameKind, of func(publicNames) []placedName) (exportedName, bool) {
	root, _ := w.WorkspaceRoot(from.Path)
	files := w.filesWith(root, e.name, kind)
	if e.isText {
		ofOther := func(f *File) bool { return !isTextOf(f.Path, from.agentName().text) }
		if own := slices.DeleteFunc(slices.Clone(files), ofOther); len(own) > 0 {
			files = own
		}
	}
	e.what = what + " of the exported project"
	for _, f := range files {
		for _, n := range of(f.public) {
			if n.Name == e.name {
				e.places = append(e.places, Location{From: e.span, Path: f.Path, Span: n.Span, Full: n.Span})
			}
		}
	}
	return e, len(e.places) > 0
}

// isTextOf reports whether a file has the texts of an agent, or of all.
func isTextOf(path, agent string) bool {
	name := strings.TrimSuffix(filepath.Base(path), ".json")
	return name == agent || name == "_shared"
}
