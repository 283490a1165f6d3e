package edit

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// IndentIn returns the text before a node on its line, which is not the first one of its entry.
func IndentIn(n syntax.Node) string {
	before := n.Entry().Text()[:n.Span().Start]
	return before[strings.LastIndexAny(before, "\r\n")+1:]
}

// linesOf returns the lines of a node with the line end before them.
func linesOf(n syntax.Node) text.Span {
	before := n.Entry().Text()[:n.Span().Start]
	end := n.Span().Start + len(strings.TrimRight(n.Text(), " \t\r\n"))
	return text.Span{Start: len(strings.TrimSuffix(strings.TrimRight(before, " \t\n"), "\r")), End: end}
}

// FlatKeys returns those properties of a tool that were once flat in it, by the block that they
// belong to.
func FlatKeys(props []model.Property) map[string][]model.Property {
	flat := map[string][]model.Property{}
	for _, p := range props {
		if p.FlatPath != nil {
			flat[p.FlatPath[0]] = append(flat[p.FlatPath[0]], p)
		}
	}
	return flat
}

// Nest returns the fix that moves the flat keys of a tool into one block, all at once: one by one,
// they would make a block each. It fails if the block is written inline, and if a key appears
// twice, or is in the block already. Spans are relative to the tool's entry.
func Nest(props []model.Property, home string) (model.Fix, bool) {
	return nestFix(props, home, FlatKeys(props)[home])
}

// NestOne returns the fix that moves p into the block home. The second result is false if other
// keys have to move there too, for which see [Nest], or if the fix is not possible.
func NestOne(props []model.Property, p model.Property, home string) (model.Fix, bool) {
	if len(FlatKeys(props)[home]) > 0 {
		return model.Fix{}, false
	}
	p.FlatPath = []string{home, p.Name()}
	return nestFix(props, home, []model.Property{p})
}

func nestFix(props []model.Property, home string, flat []model.Property) (model.Fix, bool) {
	fix := model.Fix{Title: "Move below `" + home + ":`", Best: true}
	named := map[string]bool{}
	for _, p := range flat {
		named[p.Name()] = true
	}
	if len(named) < len(flat) {
		return fix, false
	}
	var block syntax.Node
	for _, p := range props {
		if p.FlatPath != nil || p.Name() != home {
			continue
		}
		if block = p.Block(); block.IsZero() {
			return fix, false
		}
		for _, there := range p.Properties() {
			if named[there.Name()] {
				return fix, false
			}
		}
	}
	indent := IndentIn(flat[0].Node)
	if block.IsZero() {
		fix.Edits = append(fix.Edits, model.ReplaceEdit(flat[0].Node.Span(), home+":"+nestedLines(flat, indent+"  ")))
		flat = flat[1:]
	} else {
		last := LastOf(block)
		fix.Edits = append(fix.Edits, model.ReplaceEdit(text.Span{Start: last.Span().End, End: last.Span().End}, nestedLines(flat, IndentIn(last))))
	}
	for _, p := range flat {
		fix.Edits = append(fix.Edits, model.ReplaceEdit(linesOf(p.Node), ""))
	}
	return fix, true
}

// nestedLines returns properties as lines of their own, each after a line end, with what is below
// them.
func nestedLines(props []model.Property, indent string) string {
	var b strings.Builder
	for _, p := range props {
		rest := p.Node.Text()[p.Key.Span().End-p.Node.Span().Start:]
		rest = strings.ReplaceAll(strings.ReplaceAll(rest, "\r\n", "\n"), "\n", "\n"+"  ")
		b.WriteString("\n" + indent + p.FlatPath[len(p.FlatPath)-1] + strings.TrimRight(rest, " \t\n"))
	}
	return b.String()
}

// LastOf returns the last line of block that is no comment; the zero Node if there is none.
func LastOf(block syntax.Node) syntax.Node {
	var last syntax.Node
	for c := range block.Children() {
		if c.Kind() != syntax.Comment {
			last = c
		}
	}
	return last
}
