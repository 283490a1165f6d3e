package analysis

import (
	"path/filepath"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Link is a path in a text that leads to a file.
type Link struct {
	Span    text.Span // without quotes
	Path    string
	Tooltip string // "" if nothing is known of the file
}

// DocumentLinks returns the links of the file at path: of imports whose file can be read, and of
// other paths. Files of other paths are never read, so they may not exist.
func DocumentLinks(w model.Workspace, path string) []Link {
	f := w.File(path)
	if f == nil || f.Doc == nil {
		return nil
	}
	var links []Link
	for _, p := range model.PathUses(f) {
		if target := model.Resolve(path, p.Path); !p.Sure && filepath.Ext(p.Path) != "" && filepath.IsAbs(target) {
			links = append(links, Link{Span: withoutQuotes(f.Doc.Text(), p.Span), Path: target})
		}
	}
	for i := range f.Imports {
		if l, ok := importLink(w, &f.Imports[i]); ok {
			links = append(links, l)
		}
	}
	return links
}

func withoutQuotes(source string, span text.Span) text.Span {
	if span.Len() > 1 && (source[span.Start] == '"' || source[span.Start] == '\'') {
		return text.Span{Start: span.Start + 1, End: span.End - 1}
	}
	return span
}

// importLink returns the link of an import, whose tooltip says what it brings.
func importLink(w model.Workspace, i *model.Import) (Link, bool) {
	lens, ok := importLens(w, i)
	if !ok || !model.IsImportable(i.Path) {
		return Link{}, false
	}
	return Link{Span: model.UnquotedWord(i.PathNode().Node).Span.Shift(i.Offset), Path: i.Target, Tooltip: lens.Title}, true
}
