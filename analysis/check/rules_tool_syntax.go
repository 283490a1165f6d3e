package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// The forms of lines in TOOLS, for syntax-error.

func toolsHead(out *findings, head syntax.Node) {
	switch v := head.Value(); v.Kind() {
	case syntax.Other, syntax.List, syntax.Map, syntax.Null:
	default:
		out.err(firstLine(v), "Tools stand indented below `TOOLS:`, not behind it.")
	}
}

// toolsLine looks at a line directly under TOOLS or ADD. toolBlock looks at the lines below a
// signature.
func toolsLine(out *findings, n syntax.Node) {
	switch n.Kind() {
	case syntax.Tool, syntax.Comment:
	case syntax.Add:
		for c := range n.BlockChildren() {
			toolsLine(out, c)
		}
	case syntax.Import:
		importLine(out, n)
	case syntax.Pair:
		checkProperty(out, model.SharedDefault(n))
	default:
		if !looksLikeSignature(n) && !isPlatformComment(n) && !isRemovedImport(n) {
			out.err(firstLine(n), "`%s` is no line of `TOOLS:`, which takes `name(parameter: type) -> type`, `file: \"path\"` and `name: value`.", firstWords(n))
		}
	}
}

func importLine(out *findings, n syntax.Node) {
	const missing = "The path of the import is missing: `file: \"./name.tools.abl\"`."
	path, rest := n.Child(syntax.FieldPath), n.ChildOf(syntax.Text)
	switch {
	case !rest.IsZero() && path.IsZero():
		d := out.err(rest.Span(), "The path of an import stands in quotes: `file: \"./name.tools.abl\"`.")
		if unquoted, _, _ := strings.Cut(rest.Text(), " "); !strings.ContainsAny(unquoted, "\"'") {
			at := text.Span{Start: rest.Span().Start, End: rest.Span().Start + len(unquoted)}
			d.Fixes = append(d.Fixes, model.ParseFix("Write the path in quotes", at, `"`+unquoted+`"`))
		}
	case strings.HasPrefix(rest.Text(), "["):
		out.err(rest.Span(), "The list of names is not closed: end it with `]`.")
	case !rest.IsZero():
		out.err(rest.Span(), "Behind the path of an import only a list of names may stand: `[name, name]`.")
	case path.IsZero():
		out.err(n.KeyNode().Span(), missing)
	case path.UnquotedText() == "":
		out.err(path.Span(), missing)
	}
	blockBelow(out, n, "An import takes nothing below it.")
}

func blockBelow(out *findings, n syntax.Node, message string) {
	for c := range n.BlockChildren() {
		out.err(firstLine(c), "%s", message)
		return
	}
}

func toolBlock(out *findings, t *model.ToolDecl) {
	if _, unclosed := unclosedSignature(t.Node); unclosed {
		return // some of the lines below are within the bracket
	}
	reportFormless(out, t.Node, model.ToolFields(t.Kind()), syntax.Scalar, syntax.ListItem, syntax.Assignment, syntax.Mapping)
	for _, p := range t.Properties() {
		checkProperty(out, p)
	}
}

// checkProperty looks at the value of one property and at what is below it.
func checkProperty(out *findings, p model.Property) {
	switch {
	case unclosedProperty(out, p):
	case p.Field == nil:
		if p.Value.Kind() == syntax.List {
			blockBelow(out, p.Node, "`"+p.Name()+"` has its list on its own line, and nothing below.")
		}
		checkProperties(out, p.Properties())
	case slices.Contains([]tool.FieldType{tool.Block, tool.BlockList, tool.MapType}, p.Field.Type):
		mapItems(out, p)
		blockLines(out, p)
	case p.Field.Type == tool.ListType:
		for _, item := range p.Items() {
			unclosedValue(out, item.Value())
		}
		if p.Value.Kind() == syntax.List {
			blockBelow(out, p.Node, "`"+p.Name()+"` has its list on its own line, and nothing below.")
		}
	case p.Field.Type == tool.AnyType:
		for c := range p.Node.BlockChildren() {
			unclosedBelow(out, c)
		}
	default:
		scalarBelow(out, p)
	}
}

func checkProperties(out *findings, props []model.Property) {
	for _, p := range props {
		checkProperty(out, p)
	}
}

// scalarBelow finds lines below a value that can have none. A property without a value may have
// text below it.
func scalarBelow(out *findings, p model.Property) {
	if p.Field.Type == tool.CodeType && p.Value.IsZero() && !p.Block().IsZero() && strings.HasSuffix(p.Name(), "code") {
		end := p.Key.Span().End + 1
		d := out.err(p.Key.Span(), "`%s` has its lines below a `|`: write `%s: |`.", p.Name(), p.Name())
		d.Fixes = append(d.Fixes, model.ParseFix("Write `|`", text.Span{Start: end, End: end}, " |"))
		return
	}
	word := p.Field.Type == tool.WordType || p.Field.Type == tool.NumberType || p.Field.Type == tool.BooleanType
	if word || !p.Value.IsZero() {
		blockBelow(out, p.Node, "`"+p.Name()+"` takes its value on its own line, and nothing below.")
	}
}

// unclosedProperty reports a list or a map that is not closed. The property's field tells which one
// is meant.
func unclosedProperty(out *findings, p model.Property) bool {
	if p.Value.Kind() != syntax.Text {
		return false
	}
	s := p.Value.Text()
	bracket := false
	if p.Field == nil {
		bracket = opensBracket(s, false)
	} else if t := p.Field.Type; t == tool.Block || t == tool.BlockList || t == tool.MapType || t == tool.ListType {
		bracket = opensBracket(s, true)
	}
	return reportUnclosed(out, p.Value, opensString(s), bracket)
}

// mapItems finds members of an inline map that have no key.
func mapItems(out *findings, p model.Property) {
	if p.Value.Kind() != syntax.Map {
		return
	}
	for c := range p.Value.Children() {
		optional := p.Field.Open && isOptionalField(c)
		if c.Kind() != syntax.MapPair && c.Kind() != syntax.Comment && c.Kind() < syntax.Colon && !optional {
			out.err(c.Span(), "`%s` has no value: write `name: value`.", firstWords(c))
		}
	}
}

// blockLines looks at the lines below a property that has properties, or names of the author's,
// below it.
func blockLines(out *findings, p model.Property) {
	switch {
	case p.Name() == "RESULT_SECRETS":
		secretLines(out, p.Node)
		return
	case p.Field.Open && p.Field.Each == nil:
		return
	case p.Field.Open:
		authorLines(out, p)
	case p.Field.Type == tool.Block:
		reportFormless(out, p.Node, p.Field.Fields, syntax.Scalar, syntax.Assignment, syntax.Mapping)
	case p.Field.Fields == nil && len(p.Properties()) > 0: // a list alone is a wrong value
		reportFormless(out, p.Node, nil, syntax.Scalar, syntax.ListItem)
	case p.Field.Type == tool.BlockList && withoutDash(out, p):
		return
	default:
		reportFormless(out, p.Node, p.Field.Fields, syntax.Scalar)
	}
	checkProperties(out, p.Properties())
	for _, item := range p.Items() {
		if props := item.Properties(); len(props) > 0 {
			if !p.Field.Open { // else it may begin with a name
				reportFormless(out, item.Node, p.Field.Fields, syntax.Scalar, syntax.Assignment, syntax.Mapping)
			}
			if isDeeper(props) { // as a tab before each line makes them
				unclosedProperty(out, props[0])
				props = props[1:]
			}
			checkProperties(out, props)
		}
	}
}

// withoutDash finds the first key below a list that lacks its dash.
func withoutDash(out *findings, p model.Property) bool {
	for c := range p.Node.BlockChildren() {
		if lacksDash(p.Field, c) {
			dashLost(out, c, p.Field)
			return true
		}
	}
	return false
}

// isDeeper reports whether something is below the first key of an item, and all of it belongs to
// the item.
func isDeeper(props []model.Property) (deeper bool) {
	for c := range props[0].Node.BlockChildren() {
		deeper = slices.ContainsFunc(props[1:], func(p model.Property) bool { return p.Node == c })
		if !deeper {
			return false
		}
	}
	return deeper
}

// reportFormless finds lines below n that are of one of these kinds. After a string or a bracket
// that is not closed they are its rest, and are skipped.
func reportFormless(out *findings, n syntax.Node, fields []tool.Field, kinds ...syntax.Kind) {
	rest := false
	for c := range n.BlockChildren() {
		isMap := c.Kind() == syntax.Scalar && c.Value().Kind() == syntax.Map // an item of a list
		if slices.Contains(kinds, c.Kind()) && !isMap && !rest && !isPlatformComment(c) {
			reportNoForm(out, c, fields)
		}
		if c.Kind() != syntax.Scalar {
			v := c.Value()
			rest = v.Kind() == syntax.Text && (opensString(v.Text()) || opensBracket(v.Text(), false))
		}
	}
}

// isOptionalField reports whether a line or a member is `name?: type`. No page shows it there, but
// it has only one possible meaning.
func isOptionalField(n syntax.Node) bool {
	_, ok := model.OptionalFieldOf(n)
	return ok
}

// authorLines looks at the lines below a key whose own keys are the author's, and at those below
// each of them.
func authorLines(out *findings, p model.Property) {
	nodes := []syntax.Node{p.Node}
	for _, inner := range p.Properties() {
		nodes = append(nodes, inner.Node)
	}
	for _, n := range nodes {
		for c := range n.BlockChildren() {
			if c.Kind() == syntax.Scalar && !isOptionalField(c) && !isPlatformComment(c) {
				out.err(firstLine(c), "`%s` fits no form; a line here reads `name: type`.", firstWords(c))
			}
			if c.Kind() == syntax.ListItem {
				nameWithoutColon(out, c)
			}
		}
	}
}

func secretLines(out *findings, n syntax.Node) {
	for c := range n.BlockChildren() {
		line, _, _ := strings.Cut(c.Text(), "\n")
		options := strings.Index(line, "(")
		switch {
		case c.Kind() == syntax.Scalar && !strings.Contains(line, "->") && !isPlatformComment(c):
			out.err(firstLine(c), "`%s` fits no form; a line here reads `path -> key`.", firstWords(c))
		case c.Kind() == syntax.Mapping && options >= 0 && opensBracket("["+line[options+1:], true):
			start := c.Span().Start + options
			out.err(text.Span{Start: start, End: start + 1}, "The bracket is not closed.")
		}
	}
}

// firstWords returns the beginning of a line, long enough to identify it.
func firstWords(n syntax.Node) string {
	if n.Kind() == syntax.PipeBlock {
		return clipLine(n.UnquotedText())
	}
	return clipLine(n.Text())
}

// clipLine returns the beginning of the first line of a text.
func clipLine(s string) string {
	const most = 30
	line, _, _ := strings.Cut(s, "\n")
	line = strings.TrimRight(line, "\r")
	if r := []rune(line); len(r) > most {
		return string(r[:most]) + "…"
	}
	return line
}
