package check

import (
	"fmt"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// syntaxError: every line has a form that its place allows, strings and brackets are closed, and
// the file can be read at all. If the language has no list of forms (lists of prose, steps,
// conditions …), only strings and brackets that are clearly meant as such are checked.
var syntaxError = Check{
	Code: "syntax-error",
	Form: true,
	YAML: yamlSyntax,
	Entry: func(out *findings, e Entry) {
		section, _ := model.LookupSection(e.Section)
		switch {
		case e.Root.Kind() == syntax.Comment || e.Section == "TESTS":
		case e.Section == "":
			strayLine(out, e)
		case e.Head:
			unclosedValue(out, e.Root.Value())
			if e.Section == "TOOLS" {
				toolsHead(out, e.Root)
			}
		case e.InTools():
			toolsLine(out, e.Root)
			for _, m := range e.Maps {
				unindentedLists(out, m)
			}
			for i := range e.Tools {
				toolBlock(out, &e.Tools[i])
				for _, m := range e.Tools[i].ActionMaps() {
					linesOfMap(out, m)
				}
			}
		case section.Shape != model.TextShape:
			unclosedBelow(out, e.Root)
			belowBrackets(out, e.Root)
			lineOfSection(out, e)
			for _, m := range e.Maps {
				unindentedLists(out, m)
				linesOfMap(out, m)
				noAssignments(out, m)
			}
			if e.Section != "STEPS" {
				if isNameOfKeys(e.Root) && !isReported(*out, e.Root) {
					lostColon(out, e.Root)
				}
				namesWithoutColons(out, e.Root, textsIn(e.Maps))
			}
		}
	},
	File: func(out *findings, f File) {
		textProblems(out, f.Doc)
		if f.ExcessImport != nil {
			out.err(f.ExcessImport.Span(), "This and all further imports are not read: a file has %d at most.", model.MaxImports)
		}
		reported := false // of the lines below one section, the first is enough
		for _, s := range f.Doc.Sections() {
			reported = reported && s.Indented
			if before := len(*out); !reported {
				linesBelowHeader(out, f.SectionKind(s), s)
				reported = s.Indented && len(*out) > before
			}
			dashesOfSection(out, f, s)
			listsInSection(out, f.SectionKind(s), s)
			textInGather(out, s)
			keysOfFieldAbove(out, f.Doc.Text(), s)
		}
	},
}

var problemMessages = map[syntax.ProblemKind]string{
	syntax.TooLarge: fmt.Sprintf("The file is too large to be read: %d MB is the limit. Split it.", syntax.MaxBytes>>20),
	syntax.NotUTF8:  "The file is not UTF-8 from here on; save it as UTF-8.",
	syntax.TooDeep:  "The line is nested too deep to be read; flatten what is above it.",
}

// textProblems reports what is wrong with a text as a whole.
func textProblems(out *findings, doc *syntax.Document) {
	for _, p := range doc.Problems() {
		out.err(p.Span, "%s", problemMessages[p.Kind])
	}
}

// isUnreadableText reports whether a text was not read, or is no text.
func isUnreadableText(doc *syntax.Document) bool { return doc.IsUnreadable() }

// strayLine reports a line at column 0 that is no section.
func strayLine(out *findings, e Entry) {
	n := e.Root
	if looksLikeSignature(n) {
		out.err(firstLine(n), "A tool stands indented below `TOOLS:`.")
		return
	}
	if word := keywordWithoutColon.FindString(n.Text()); word != "" {
		name := strings.TrimRight(word, " \t=")
		if info, known := model.LookupSection(name); known && info.Name == name {
			end := n.Span().Start + len(name)
			if blankBeforeColon(n) {
				d := out.err(firstLine(n), "`%s :` is no section; delete the blank before the colon.", name)
				d.Fixes = append(d.Fixes, model.ParseFix("Delete the blank", text.Span{Start: end, End: n.Span().Start + len(word)}, ""))
				return
			}
			d := out.err(firstLine(n), "`%s` lacks its colon: write `%s:`.", name, name)
			d.Fixes = append(d.Fixes, model.ParseFix("Insert the colon", text.Span{Start: end, End: n.Span().Start + len(strings.TrimRight(word, " \t"))}, ":"))
			return
		}
	}
	out.err(firstLine(n), "This is no section: write `KEYWORD:` at the beginning of a line, or indent the text below one.")
}

// keywordWithoutColon matches the beginning of a section that lacks its colon.
var keywordWithoutColon = lazyregexp.New(`^(USE BEHAVIOR_PROFILE|[A-Z_]+)\b[ \t]*=?`)

// linesBelowHeader finds lines indented below a section that has none.
func linesBelowHeader(out *findings, kind model.FileKind, s syntax.Section) {
	info, known := model.LookupSection(s.Name())
	if s.Indented && s.Name() != "" && !known && !isRemoved(s) {
		out.err(keywordOf(s), "`%s` is no section, and nothing else may stand below the line above.", s.Head.Root().Key())
	}
	value := s.Head.Root().Value()
	onLine := !value.IsZero() && value.Kind() != syntax.PipeBlock && !opensString(value.Text())
	isList := value.Kind() == syntax.List
	takesNone := known && (info.Shape == model.TextShape && onLine || isList) || isHeader(s.Name())
	first, some := firstEntry(s)
	if !takesNone || !some {
		return
	}
	if inner, section := model.LookupSection(first.Root().Key()); section && inner.Fits(kind) {
		return // meant as a section; not this check's business
	}
	out.err(firstLine(first.Root()).Shift(first.Offset), "`%s` takes its value on its own line, and nothing below.", s.Name())
}

// isHeader reports whether a section never has lines of its own.
func isHeader(name string) bool {
	switch name {
	case "AGENT", "SUPERVISOR", "VERSION", "LANGUAGE", "USE BEHAVIOR_PROFILE", "USE_BEHAVIOR_PROFILE":
		return true
	}
	return false
}

func firstEntry(s syntax.Section) (syntax.PositionedEntry, bool) {
	for _, e := range s.Entries {
		if e.Kind() != syntax.Comment {
			return e, true
		}
	}
	return syntax.PositionedEntry{}, false
}

// unclosedBelow looks at the values in an entry outside TOOLS.
func unclosedBelow(out *findings, n syntax.Node) {
	if k := n.Kind(); k == syntax.Pair || k == syntax.Assignment || k == syntax.Scalar && n.Parent().Kind() == syntax.ListItem {
		unclosedValue(out, n.Value())
	}
	block := n.Child(syntax.FieldBlock)
	if n.Kind() == syntax.ListItem && block.IsZero() {
		block = n
	}
	for c := range block.Children() {
		// Below a free line all is prose, even with a colon in it.
		if c.Kind() == syntax.Scalar && block.Kind() == syntax.Block {
			return
		}
		unclosedBelow(out, c)
	}
}

// unclosedValue looks at a value of any form.
func unclosedValue(out *findings, v syntax.Node) {
	if v.Kind() == syntax.Text {
		reportUnclosed(out, v, opensString(v.Text()), opensBracket(v.Text(), false))
	}
}

func reportUnclosed(out *findings, v syntax.Node, str, bracket bool) bool {
	switch {
	case str:
		out.err(v.Span(), "The string is not closed: end it with `\"` on the same line.")
	case bracket:
		start := v.Span().Start
		out.err(text.Span{Start: start, End: start + 1}, "The bracket is not closed.")
	}
	return str || bracket
}
