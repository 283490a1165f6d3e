package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Keys that once stood flat in a tool, for deprecated-spelling.

// flatKeys looks at all of one tool.
func flatKeys(out *findings, t analysis.Map) {
	flat := map[string][]analysis.Property{} // by the block that they belong to
	for _, p := range t.Properties {
		if p.Flat != nil {
			flat[p.Flat[0]] = append(flat[p.Flat[0]], p)
		}
	}
	for home, props := range flat {
		fix, ok := moveHome(t, home, props)
		for _, p := range props {
			as, name := "", p.Flat[len(p.Flat)-1]
			if !strings.EqualFold(name, p.Written()) {
				as = ", as `" + name + "`"
			}
			d := out.hint(p.Key.Span(), "`%s` stands below `%s:` today%s.", p.Written(), home, as)
			if ok {
				d.Fixes = append(d.Fixes, fix)
			}
		}
	}
}

// moveHome moves the flat keys of a tool that belong into one block there, all
// at once: one by one, they would make a block each. It fails where the block is
// written inline, and where a key stands twice.
func moveHome(t analysis.Map, home string, flat []analysis.Property) (analysis.Fix, bool) {
	fix := analysis.Fix{Title: "Move below `" + home + ":`", Best: true}
	named := map[string]bool{}
	for _, p := range flat {
		named[p.Name()] = true
	}
	if len(named) < len(flat) {
		return fix, false
	}
	var block syntax.Node
	for _, p := range t.Properties {
		if p.Flat == nil && p.Name() == home {
			if block = p.Block(); block.IsZero() {
				return fix, false
			}
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
