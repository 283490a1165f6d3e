package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// sectionOf returns what a section means in this file; ok is false if the file's kind has no such
// section.
func (f File) sectionOf(s syntax.Section) (info model.SectionInfo, ok bool) {
	info, ok = model.LookupSection(s.Name())
	return info, ok && info.Fits(f.sectionKind(s))
}

// sectionKind returns the kind that decides how a section is read, as far as it is certain: a plain
// file that declares nothing may be a fragment of any.
func (f File) sectionKind(s syntax.Section) model.FileKind {
	named := f.isAgent() || isLibrary(f.Path) || f.Kind == model.Profile
	if !named {
		return model.Unknown
	}
	return f.SectionKind(s)
}

// indentBefore returns the indentation of a section.
func indentBefore(doc *syntax.Document, s syntax.Section) string {
	return strings.TrimPrefix(indentation(doc, doc.Lines().Line(s.Head.Offset)), "\uFEFF")
}
