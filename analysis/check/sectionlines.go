package check

import (
	"regexp"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// The forms of lines outside of TOOLS, for syntax-error: only where it is
// certain that a line has none.

// lineOfSection looks at a line directly below a section's keyword.
func lineOfSection(out *findings, e Entry) {
	row := analysis.SectionRow(e.Kind, e.Section)
	if row == nil || e.Section == "STEPS" || isPlatformComment(e.Root) {
		return
	}
	switch e.Root.Kind() {
	case syntax.Pair:
		if lacksDash(row, e.Root) {
			dashLost(out, e.Root)
		}
	case syntax.ListItem:
		if row.Type == tool.Block && !row.Open && row.Items == nil && !row.OneLine {
			noForm(out, e.Root, row.Fields)
		}
		if row.Type == tool.BlockList && !row.OneLine && len(e.Maps) == 0 {
			itemWithoutColon(out, e.Root, itemFields(row))
		}
	case syntax.Scalar:
		if takesLines(row) && !isChain(row, e.Root) || row.Type == tool.MapType {
			noForm(out, e.Root, row.Fields)
		}
	case syntax.Assignment, syntax.Mapping:
		if takesLines(row) && !isChain(row, e.Root) {
			noForm(out, e.Root, row.Fields)
		}
	}
}

// takesLines reports whether a section consists of keys and items alone. What may be a
// single value may be a text.
func takesLines(row *tool.Field) bool {
	return (row.Type == tool.Block || row.Type == tool.BlockList) && !row.OneLine
}

// isChain reports whether a line of a flow is a chain of steps.
func isChain(row *tool.Field, n syntax.Node) bool {
	return row.Pattern != nil && row.Pattern.MatchString(n.Text())
}

// linesOfMap looks at what is below the values of a place, and at its lines that are
// neither keys nor items.
func linesOfMap(out *findings, m analysis.Map) {
	for i, p := range m.Properties {
		if !m.Item || i > 0 {
			belowScalar(out, m, p)
		}
		linesOfList(out, p)
		unclosedCall(out, p)
	}
	if m.Row == nil || m.Single || len(m.Fields) == 0 && m.Row.Each == nil && m.Row.Type != tool.MapType {
		return
	}
	first, rest := true, false
	for c := range m.Node.Entries() {
		if c.Kind() == syntax.Comment || isPlatformComment(c) {
			continue
		}
		switch {
		case rest && c.Kind() == syntax.Scalar:
			continue // of a string or a bracket that is not closed
		case lacksDash(m.Row, c) && !m.Item:
			dashLost(out, c)
		case !fitsPlace(m, c, first):
			noForm(out, c, m.Fields)
		}
		first, rest = false, isUnclosed(c.Value())
	}
}

func isUnclosed(v syntax.Node) bool {
	return v.Kind() == syntax.Text && (opensString(v.Text()) || opensBracket(v.Text(), false))
}

// fitsPlace reports whether a line has a form that its place takes. An item may begin with a
// name, a rule or a text.
func fitsPlace(m analysis.Map, c syntax.Node, first bool) bool {
	begins := first && m.Item
	row := m.Row
	switch c.Kind() {
	case syntax.Assignment:
		return begins || row.Type == tool.MapType || len(m.Fields) == 0
	case syntax.Mapping:
		return begins || row.Type == tool.MapType || row.Pattern != nil || row.Name == "STORE" || row.Name == "steps"
	case syntax.ListItem:
		return m.Item || row.Type != tool.Block || row.Open || row.Items != nil || row.OneLine
	case syntax.Scalar:
		return begins && isBeginning(m, c) || isVerb(c) || row.Open && row.Each == nil && row.Type == tool.Block && !lacksColon(c, m.Fields)
	}
	return true
}

// isBeginning reports whether an item may begin with a line that has no key: a name, a
// text, or an event or a condition in the older form.
func isBeginning(m analysis.Map, c syntax.Node) bool {
	isOld := m.Row.Name == "remember" || m.Row.Name == "recall"
	isName := !strings.Contains(c.Value().Text(), " ") && c.Value().Text() != "ELSE"
	return isOld || isName || !lacksColon(c, m.Fields)
}

var verb = regexp.MustCompile(`^(BLOCK|COMPLETE|CONTINUE|ESCALATE( with .*)?|RESUME|RETRY|RETURN)$`)

// isVerb reports whether a line is an action that needs no value, and has no colon.
func isVerb(c syntax.Node) bool { return verb.MatchString(c.Value().Text()) }

// lacksColon reports whether a line without a key begins with one of those rows.
func lacksColon(c syntax.Node, fields []tool.Field) bool {
	word, _, _ := strings.Cut(firstWords(c), " ")
	row, _ := tool.Find(fields, word)
	return c.Kind() == syntax.Scalar && row != nil && !slices.Contains(ruleWords, row.Name) // of which the word alone begins a rule
}

// lacksDash reports whether a key in the place of a list's items is one that only those have.
func lacksDash(row *tool.Field, c syntax.Node) bool {
	if row == nil || c.Kind() != syntax.Pair || row.Named {
		return false
	}
	ofItem, _ := tool.Find(row.Items, c.Key())
	beside, _ := tool.Find(row.Fields, c.Key())
	switch {
	case row.Items == nil:
		return row.Type == tool.BlockList && beside != nil
	case ofItem == nil || beside != nil:
		return false
	}
	return row.Each == nil || ofItem.Name == row.Items[0].Name && !c.Value().IsZero()
}

func dashLost(out *findings, c syntax.Node) {
	d := out.err(firstLine(c), "`%s` belongs to an item of a list; did you forget the dash before it?", firstWords(c))
	at := c.Span().Start
	d.Fixes = append(d.Fixes, analysis.Change("Insert the dash", text.Span{Start: at, End: at}, "- "))
}

// noForm reports a line that has no form. Where it begins with a known key, its colon was
// forgotten.
func noForm(out *findings, c syntax.Node, fields []tool.Field) {
	start := c.Span().Start
	switch {
	case lacksColon(c, fields):
		word, _, _ := strings.Cut(firstWords(c), " ")
		d := out.err(firstLine(c), "`%s` fits no form; did you forget the colon after `%s`?", firstWords(c), word)
		at := start + len(word)
		d.Fixes = append(d.Fixes, analysis.Change("Insert the colon", text.Span{Start: at, End: at}, ":"))
	case c.Kind() == syntax.Assignment && !c.Value().IsZero():
		target := c.Child(syntax.AsTarget)
		d := out.err(firstLine(c), "`%s` fits no form; write a colon: `%s: …`.", firstWords(c), target.Text())
		if row, _ := tool.Find(fields, target.Text()); row != nil {
			between := text.Span{Start: target.Span().End, End: c.Value().Span().Start}
			d.Fixes = append(d.Fixes, analysis.Change("Write a colon", between, ": "))
		}
	default:
		out.err(firstLine(c), "`%s` fits no form; a line here reads `name: value`.", firstWords(c))
	}
}

// linesOfList finds lines below a list that is on its line, and those between the items of
// one that are no items.
func linesOfList(out *findings, p analysis.Property) {
	if p.Row == nil || p.Node.Kind() == syntax.SectionNode {
		return
	}
	isList := p.Row.Type == tool.ListType || p.Row.Type == tool.BlockList
	switch {
	case isList && p.Value.Kind() == syntax.List:
		blockBelow(out, p.Node, "`"+p.Written()+"` has its list on its own line, and nothing below.")
	case p.Value.IsZero() && p.Row.Type != tool.ListType:
		itemsWithoutColon(out, p)
	case p.Row.Type == tool.ListType && p.Value.IsZero() && hasItem(p.Node):
		for c := range p.Node.Entries() {
			if c.Kind() != syntax.ListItem && c.Kind() != syntax.Comment && !isPlatformComment(c) {
				dashLost(out, c)
			}
		}
	}
}

// itemsWithoutColon finds items of nothing but a line that begins with a key of the list's
// items, and lacks its colon.
func itemsWithoutColon(out *findings, p analysis.Property) {
	if p.Row.Named || p.Row.Type != tool.Block && p.Row.Type != tool.BlockList || p.Row.Name == "remember" || p.Row.Name == "recall" {
		return
	}
	for _, item := range p.Items() {
		if len(item.Properties()) == 0 {
			itemWithoutColon(out, item.Node, itemFields(p.Row))
		}
	}
}

// itemFields are the keys of a list's items.
func itemFields(row *tool.Field) []tool.Field {
	if row.Items != nil {
		return row.Items
	}
	return row.Fields
}

func itemWithoutColon(out *findings, item syntax.Node, fields []tool.Field) {
	c := beginningOf(item)
	isName := !strings.Contains(c.Value().Text(), " ") && c.Value().Text() != "ELSE"
	if c.Kind() == syntax.Scalar && !isName && lacksColon(c, fields) && !isVerb(c) {
		noForm(out, c, fields)
	}
}

func hasItem(n syntax.Node) bool {
	for c := range n.Entries() {
		if c.Kind() == syntax.ListItem {
			return true
		}
	}
	return false
}

var beginsCall = regexp.MustCompile(`^[A-Za-z_][\w.]*\(`)

// unclosedCall finds a call whose arguments have no end, on its line or below it.
func unclosedCall(out *findings, p analysis.Property) {
	open := beginsCall.FindString(p.Value.Text())
	if p.Row == nil || p.Row.Ref != tool.RefTool || p.Row.Type != tool.Expr || open == "" || p.Value.Kind() != syntax.Text {
		return
	}
	if !opensBracket("["+p.Node.Text()[p.Value.Span().Start-p.Node.Span().Start+len(open):], true) {
		return
	}
	end := p.Value.Span().Start + len(open)
	out.err(text.Span{Start: end - 1, End: end}, "The bracket is not closed.")
}

// belowScalar finds lines below a single value. A text may go on there, unless
// it is in quotes, or the lines are keys that belong beside it.
func belowScalar(out *findings, m analysis.Map, p analysis.Property) {
	if p.Field == nil || !p.Field.Type.IsSingle() || len(p.Field.Fields) > 0 || p.Value.IsZero() || p.Block().IsZero() || p.Value.Kind() == syntax.PipeBlock {
		return
	}
	bare := p.Field.Type != tool.String && p.Field.Type != tool.Expr
	if opensString(p.Value.Text()) || !bare && p.Value.Kind() != syntax.String && !holdsKeys(p.Node, m.Fields) {
		return
	}
	blockBelow(out, p.Node, "`"+p.Name()+"` takes its value on its own line, and nothing below.")
}

// holdsKeys reports whether the lines below n are keys of those rows.
func holdsKeys(n syntax.Node, fields []tool.Field) bool {
	some := false
	for c := range n.Entries() {
		if row, _ := tool.Find(fields, c.Key()); row == nil || c.Kind() != syntax.Pair {
			return false
		}
		some = true
	}
	return some
}
