package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// removedSection: what was removed from the language is no longer used. At the top level these are
// `MODE:` and `MODEL:`, in TOOLS two older forms of imports, in a handoff `grant_memory`.
var removedSection = Check{
	Code: "removed-section",
	Tag:  model.Deprecated,
	Entry: func(out *findings, e Entry) {
		switch {
		case e.InTools():
			for n := range toolLines(e.Root) {
				removedImport(out, n)
			}
		case e.Section == "HANDOFF":
			removedGrant(out, e.Root)
		}
	},
	File: func(out *findings, f File) {
		for _, s := range f.Doc.Sections() {
			switch s.Name() {
			case "MODE":
				d := out.err(keywordOf(s), "`MODE:` was removed; delete it, and say `REASONING: true` or `false` in each step.")
				if onOneLine(s) {
					d.Fixes = append(d.Fixes, deleteSection(f.Doc, s))
				}
			case "MODEL":
				d := out.err(keywordOf(s), "`MODEL:` is no section; write `model:` below `EXECUTION:`.")
				if onOneLine(s) && !f.Doc.Sections().Has("EXECUTION") {
					d.Fixes = append(d.Fixes, model.ReplaceFix("Move below `EXECUTION:`", keywordOf(s), "EXECUTION:\n"+indentBefore(f.Doc, s)+"  model"))
				}
			}
		}
	},
}

// isRemoved reports whether a section was removed from the language.
func isRemoved(s syntax.Section) bool { return s.Name() == "MODE" || s.Name() == "MODEL" }

// onOneLine reports whether a section has nothing below its line.
func onOneLine(s syntax.Section) bool {
	return len(s.Entries) == 0 && !strings.ContainsAny(s.Head.Text(), "\r\n")
}

func deleteSection(doc *syntax.Document, s syntax.Section) model.Fix {
	line := doc.Lines().Line(s.Head.Offset)
	span := text.Span{Start: doc.Lines().LineStart(line), End: doc.Lines().LineStart(line + 1)}
	return model.ReplaceFix("Delete `"+s.Head.Root().Key()+"`", span, "")
}

// The forms of imports that were removed.
var (
	removedFrom = lazyregexp.New(`(?i)^FROM[ \t]+("[^"\r\n]*"|'[^'\r\n]*'|\S+)[ \t]+USE[ \t]*:[ \t]*([^\r\n]*)`)
	removedUse  = lazyregexp.New(`(?i)^USE[ \t]+TOOLS?[ \t]*:`)
)

// isRemovedImport reports whether a line of TOOLS has one of these forms.
func isRemovedImport(n syntax.Node) bool {
	return n.Kind() == syntax.Scalar && (removedFrom.MatchString(n.Text()) || removedUse.MatchString(n.Text()))
}

var nameList = lazyregexp.New(`^\w+([ \t]*,[ \t]*\w+)*$`)

func removedImport(out *findings, n syntax.Node) {
	if !isRemovedImport(n) {
		return
	}
	d := out.err(firstLine(n), "This form of import was removed; write `file: \"./name.tools.abl\" [name, name]`.")
	m := removedFrom.FindStringSubmatch(n.Text())
	if m == nil || !n.Child(syntax.FieldBlock).IsZero() {
		return
	}
	names := strings.Trim(strings.TrimSpace(m[2]), "[]")
	if nameList.MatchString(names) {
		d.Fixes = append(d.Fixes, model.ReplaceFix("Write it as `file:`", firstLine(n), `file: "`+syntax.Unquote(m[1])+`" [`+names+`]`))
	}
}

func removedGrant(out *findings, root syntax.Node) {
	for n := range root.Preorder() {
		if (n.Kind() == syntax.Pair || n.Kind() == syntax.MapPair) && strings.EqualFold(n.Key(), "grant_memory") {
			at := n.KeyNode().Span()
			d := out.err(at, "`grant_memory` was removed; write `memory_grants`, a list of `path` and `access`.")
			fix := model.ReplaceFix("Write `memory_grants`", at, "memory_grants")
			fix.Best = false
			d.Fixes = append(d.Fixes, fix)
		}
	}
}
