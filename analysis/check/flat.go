package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Keys that once stood flat in a tool, for deprecated-spelling.

func flatKey(out *findings, t analysis.Map, p analysis.Property) {
	home, name := p.Flat[0], p.Flat[len(p.Flat)-1]
	as := ""
	if !strings.EqualFold(name, p.Written()) {
		as = ", as `" + name + "`"
	}
	d := out.hint(p.Key.Span(), "`%s` stands below `%s:` today%s.", p.Written(), home, as)
	if fix, ok := moveHome(t, home); ok {
		d.Fixes = append(d.Fixes, fix)
	}
}

// moveHome moves all flat keys of a tool that belong into one block there: it
// would otherwise make a block for each. It fails where the block is written
// inline.
func moveHome(t analysis.Map, home string) (analysis.Fix, bool) {
	fix := analysis.Fix{Title: "Move below `" + home + ":`", Best: true}
	var flat []analysis.Property
	var block syntax.Node
	for _, p := range t.Properties {
		switch {
		case p.Flat != nil && p.Flat[0] == home:
			flat = append(flat, p)
		case p.Name() == home && p.Block().IsZero():
			return fix, false
		case p.Name() == home:
			block = p.Block()
		}
	}
	indent := indentIn(flat[0].Node)
	if block.IsZero() {
		fix.Edits = append(fix.Edits, replace(flat[0].Node.Span(), home+":"+lines(flat, indent+"  ")))
		flat = flat[1:]
	} else {
		last := lastOf(block)
		fix.Edits = append(fix.Edits, replace(text.Span{Start: last.Span().End, End: last.Span().End}, lines(flat, indentIn(last))))
	}
	for _, p := range flat {
		fix.Edits = append(fix.Edits, replace(wholeLines(p.Node), ""))
	}
	return fix, true
}

func replace(at text.Span, s string) analysis.FileEdit {
	return analysis.FileEdit{Edit: text.Edit{Span: at, NewText: s}}
}

// lines are properties as lines of their own, each behind a line end, with what
// stands below them.
func lines(props []analysis.Property, indent string) string {
	var b strings.Builder
	for _, p := range props {
		rest := p.Node.Text()[p.Key.Span().End-p.Node.Span().Start:]
		rest = strings.ReplaceAll(strings.ReplaceAll(rest, "\r\n", "\n"), "\n", "\n"+"  ")
		b.WriteString("\n" + indent + p.Flat[len(p.Flat)-1] + strings.TrimRight(rest, " \t\n"))
	}
	return b.String()
}

// lastOf is the last line in a block.
func lastOf(block syntax.Node) syntax.Node {
	var last syntax.Node
	for c := range block.Children() {
		if c.Kind() != syntax.Comment {
			last = c
		}
	}
	return last
}

// indentIn is what stands before a node on its line, which is not the first of
// its entry.
func indentIn(n syntax.Node) string {
	before := n.Entry().Text()[:n.Span().Start]
	return before[strings.LastIndexAny(before, "\r\n")+1:]
}

// wholeLines are the lines of a node with the line end before them.
func wholeLines(n syntax.Node) text.Span {
	before := n.Entry().Text()[:n.Span().Start]
	end := n.Span().Start + len(strings.TrimRight(n.Text(), " \t\r\n"))
	return text.Span{Start: len(strings.TrimSuffix(strings.TrimRight(before, " \t\n"), "\r")), End: end}
}
