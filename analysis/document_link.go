package analysis

import (
	"path/filepath"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Link is a path in a text that leads to a file.
type Link struct {
	Span    text.Span // without quotes
	Path    string
	Tooltip string // "" where nothing is known of the file
}

// DocumentLinks are the links of the file at path: of imports whose file can be
// read, and of agents that are named by their files.
func (w Workspace) DocumentLinks(path string) []Link {
	f := w.files[path]
	if f == nil || f.Doc == nil || f.Kind == YAML {
		return nil
	}
	var links []Link
	for _, s := range f.Doc.Sections() {
		for e := range entriesOf(s) {
			switch e.Kind() {
			case syntax.Tool, syntax.Import, syntax.Comment:
			default:
				links = append(links, agentLinks(f, e)...)
			}
		}
	}
	for i := range f.Imports {
		if l, ok := w.importLink(&f.Imports[i]); ok {
			links = append(links, l)
		}
	}
	return links
}

// importLink is the link of an import, whose tooltip says what it brings.
func (w Workspace) importLink(i *Import) (Link, bool) {
	lens, ok := w.importLens(i)
	if !ok || !Importable(i.Path) {
		return Link{}, false
	}
	return Link{Span: bare(i.PathNode().Node).span.Shift(i.Offset), Path: i.Target, Tooltip: lens.Title}, true
}

// agentLinks are the links of `REF:` lines. Nothing reads those files, so nobody
// knows whether they exist.
func agentLinks(f *File, e syntax.Placed) []Link {
	var links []Link
	for n := range e.Root().All() {
		if n.Kind() != syntax.Pair || !strings.EqualFold(n.Key(), "REF") {
			continue
		}
		ref := bare(n.Value())
		if target := Resolve(f.Path, ref.text); IsABL(ref.text) && filepath.IsAbs(target) {
			links = append(links, Link{Span: ref.span.Shift(e.Offset), Path: target})
		}
	}
	return links
}
