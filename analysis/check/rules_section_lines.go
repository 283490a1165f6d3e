package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// The forms of lines outside TOOLS, for syntax-error: only where it is certain that a line has
// none.

// lineOfSection looks at a line directly below a section's keyword.
func lineOfSection(out *findings, e Entry) {
	field := model.SectionField(e.Kind, e.Section)
	if field == nil || e.Section == "STEPS" || isPlatformComment(e.Root) {
		return
	}
	if field.Type == tool.AnyType {
		textAmongKeys(out, e.Root)
	}
	if hasPairs(field) && pairWithoutColon(out, e.Root) {
		return
	}
	switch e.Root.Kind() {
	case syntax.ListItem:
		if !takesItem(field) {
			reportNoForm(out, e.Root, field.Fields)
		}
		if (field.Type == tool.BlockList || field.Items != nil) && !field.Named && len(e.Maps) == 0 {
			itemWithoutColon(out, e.Root, itemFields(field))
		}
	case syntax.Scalar:
		if takesLines(field) && !isChain(field, e.Root) || field.Type == tool.MapType {
			reportNoForm(out, e.Root, field.Fields)
		}
	case syntax.Assignment, syntax.Mapping:
		if takesLines(field) && !isChain(field, e.Root) {
			reportNoForm(out, e.Root, field.Fields)
		}
	}
}

// dashesOfSection finds keys directly below a section's keyword that lack their dash. If several
// lines follow each other, the first one lacks it: the others belong to its item.
func dashesOfSection(out *findings, f File, s syntax.Section) {
	field := model.SectionField(f.SectionKind(s), s.Name())
	if field == nil || field.Type != tool.BlockList && field.Items == nil {
		return
	}
	before := false
	for i, e := range s.Entries {
		if e.Kind() == syntax.Comment {
			continue
		}
		lacks := lacksDash(field, e.Root())
		if lacks && !before {
			dashLostInSection(out, f.Doc.Text(), s, i, field)
		}
		before = lacks
	}
}

// takesLines reports whether a section consists of keys and items alone. One that may be a single
// value may be a text; a profile has only its name, on the line.
func takesLines(field *tool.Field) bool {
	return (field.Type == tool.Block || field.Type == tool.BlockList) && (!field.OneLine || field.Name == "BEHAVIOR_PROFILE")
}

// hasPairs reports whether a section consists of `name: text` lines, with names of the author's.
func hasPairs(field *tool.Field) bool { return field.Type == tool.MapType || field.Name == "INTENTS" }

// pairWithoutColon reports a line or an item that is `name "text"` or `name = text`.
func pairWithoutColon(out *findings, line syntax.Node) bool {
	if line.Kind() == syntax.ListItem {
		line = line.FirstBlockChild()
	}
	switch {
	case line.Kind() == syntax.Assignment:
		reportNoForm(out, line, nil)
	case line.Kind() == syntax.Scalar && nameAndText.MatchString(line.Value().Text()):
		lostColon(out, line)
	default:
		return false
	}
	return true
}

// nameAndText is a name and a string, without a colon between them.
var nameAndText = lazyregexp.New(`^[A-Za-z_][\w.-]*[ \t]+"[^"]*"$`)

var oneWord = lazyregexp.New(`^[A-Za-z_][\w.-]*$`)

// namesWithoutColons finds names with keys below them that lack their colon, in places that have no
// text.
func namesWithoutColons(out *findings, n syntax.Node, texts map[syntax.Node]bool) {
	first := true
	for c := range n.BlockChildren() {
		begins := first && n.Kind() == syntax.ListItem
		first = false
		switch {
		case texts[c]:
			continue
		case begins || !isNameOfKeys(c) || isReported(*out, c):
		default:
			lostColon(out, c)
		}
		namesWithoutColons(out, c, texts)
	}
}

// isNameOfKeys reports whether a line is one word, with nothing but keys and items below.
func isNameOfKeys(c syntax.Node) bool {
	if c.Kind() != syntax.Scalar || isVerb(c) || !oneWord.MatchString(c.Value().Text()) {
		return false
	}
	keys := false
	for below := range c.BlockChildren() {
		switch below.Kind() {
		case syntax.Pair:
			keys = true
		case syntax.ListItem, syntax.Comment, syntax.Assignment, syntax.Mapping:
		default:
			return false
		}
	}
	return keys
}

func isReported(found findings, c syntax.Node) bool {
	return slices.ContainsFunc(found, func(d model.Diagnostic) bool { return d.Span.Start == c.Span().Start })
}

// lostColon reports a line whose first word lacks its colon, or has a blank before it.
func lostColon(out *findings, c syntax.Node) {
	word, rest, _ := strings.Cut(firstWords(c), " ")
	end := c.Span().Start + len(word)
	switch blank, rest := len(rest)-len(strings.TrimLeft(rest, " ")), strings.TrimLeft(rest, " "); {
	case strings.HasPrefix(rest, ":"):
		d := out.err(firstLine(c), "`%s` fits no form; delete the blank before the colon.", firstWords(c))
		d.Fixes = append(d.Fixes, model.ParseFix("Delete the blank", text.Span{Start: end, End: end + 1 + blank}, ""))
	case word == "ELSE" && elseIf.MatchString(rest):
		d := out.err(firstLine(c), "`%s` fits no form; write `IF: …`: the first branch whose condition is true is taken.", firstWords(c))
		condition := text.Span{Start: c.Span().Start, End: end + 1 + blank + len(elseIf.FindString(rest))}
		d.Fixes = append(d.Fixes, model.ParseFix("Write `IF:`", condition, "IF: "))
	default:
		d := out.err(firstLine(c), "`%s` fits no form; did you forget the colon after `%s`?", firstWords(c), word)
		d.Fixes = append(d.Fixes, model.ParseFix("Insert the colon", text.Span{Start: end, End: end}, ":"))
	}
}

// elseIf matches what follows `ELSE` if another condition is meant.
var elseIf = lazyregexp.New(`^(?i:IF)(:[ \t]*|[ \t]+:?[ \t]*)`)

// textsIn returns the properties of some places that take a text.
func textsIn(places []model.Map) map[syntax.Node]bool {
	texts := map[syntax.Node]bool{}
	for _, m := range places {
		for _, p := range m.Properties {
			isText := p.ValueField != nil && (p.ValueField.Type == tool.String || p.ValueField.Type == tool.CodeType || p.ValueField.Type == tool.AnyType && mayBeProse[p.Name()])
			if isText && len(p.ValueField.Fields) == 0 {
				texts[p.Node] = true
			}
		}
	}
	return texts
}

// isChain reports whether a line of a flow is a chain of steps.
func isChain(field *tool.Field, n syntax.Node) bool {
	return field.Pattern != nil && field.Pattern.MatchString(n.Text())
}

// linesOfMap looks at what is below the values of a place, and at its lines that are neither keys
// nor items.
func linesOfMap(out *findings, m model.Map) {
	for i, p := range m.Properties {
		isDashed := m.Item && i == 0 && m.Node.FirstBlockChild() == p.Node // what is below it may be the item's
		if lost := !m.Item && lacksDash(m.Field, p.Node); !isDashed && !lost {
			belowScalar(out, m, p)
		}
		linesOfList(out, p)
		unclosedCall(out, p)
		unclosedMap(out, p)
		textForMap(out, p)
		storeWithoutArrow(out, p)
		setWithoutSign(out, p)
		if p.ValueField != nil && p.ValueField.Type == tool.AnyType && !mayBeProse[p.Name()] {
			textAmongKeys(out, p.Node)
		}
	}
	if m.Field == nil && m.Open && !m.Item {
		textAfterKeys(out, m.Node)
	}
	belowName(out, m)
	itemsWithin(out, m)
	keysAtDashDepth(out, m)
	if isStrayList(m) {
		reportNoForm(out, firstLineBelow(m.Node), m.Fields)
		return
	}
	if m.Field == nil || m.Single || len(m.Fields) == 0 && m.Field.Each == nil && m.Field.Type != tool.MapType {
		return
	}
	first, rest, lacked := true, false, false
	for c := range m.Node.BlockChildren() {
		if c.Kind() == syntax.Comment || isPlatformComment(c) {
			continue
		}
		lacks := lacksDash(m.Field, c) && !m.Item
		switch {
		case rest && c.Kind() == syntax.Scalar:
			continue // of a string or a bracket that is not closed
		case lacks && lacked: // it belongs to the item whose dash is lost
		case lacks:
			dashLost(out, c, m.Field)
		case blankBeforeColon(c):
			lostColon(out, c)
		case !fitsPlace(m, c, first), lacksItsColon(c) && !isValueOf(m, "remember") && !isValueOf(m, "recall"):
			reportNoFormIn(out, c, m.Field, m.Fields)
		}
		first, rest, lacked = false, isUnclosed(c.Value()), lacks
	}
}

// storeWithoutArrow finds a STORE without a path on its line and without a block.
func storeWithoutArrow(out *findings, p model.Property) {
	v := p.Value
	if p.ValueField == nil || p.ValueField.Name != "STORE" || v.Kind() != syntax.Text || strings.Contains(v.Text(), "->") || isUnclosed(v) || !strings.Contains(v.Text(), " ") {
		return
	}
	if p.Block().IsZero() {
		out.err(firstLine(v), "`%s` fits no form; write `STORE: value -> path`.", firstWords(v))
	}
}

// setWithoutSign finds a SET whose line assigns nothing. A single word may be unfinished.
func setWithoutSign(out *findings, p model.Property) {
	v := p.Value
	if p.ValueField == nil || !isAssigning(p.ValueField) || v.Kind() != syntax.Text || !p.Block().IsZero() || isUnclosed(v) {
		return
	}
	if line := v.Text(); wrongSign.MatchString(line) || strings.Contains(line, " ") && !strings.ContainsAny(line, "=:") && !strings.Contains(line, "->") {
		assignmentLost(out, v, line)
	}
}

// isAssigning reports whether the lines of a map assign to variables.
func isAssigning(field *tool.Field) bool {
	return field.Type == tool.MapType && strings.EqualFold(field.Name, "SET")
}

// assignmentLost reports a line that lacks the sign of an assignment, or has another sign.
func assignmentLost(out *findings, c syntax.Node, line string) {
	d := out.err(firstLine(c), "`%s` fits no form; a line here reads `name = expression`.", firstWords(c))
	words := strings.Fields(line)
	if sign := wrongSign.FindStringSubmatchIndex(line); sign != nil {
		d.Fixes = append(d.Fixes, model.ParseFix("Write `=`", text.Span{Start: sign[2], End: sign[3]}.Shift(c.Span().Start), " = "))
	} else if nameAndLiteral.MatchString(line) || len(words) > 1 && words[0] == words[1] {
		end := c.Span().Start + len(words[0])
		d.Fixes = append(d.Fixes, model.ParseFix("Insert `=`", text.Span{Start: end, End: end}, " ="))
	}
}

// textForMap finds lines of text in a place for names with values that has none.
func textForMap(out *findings, p model.Property) {
	if p.ValueField == nil || p.ValueField.Type != tool.MapType || !p.Value.IsZero() || len(p.Properties()) > 0 || hasItem(p.Node) {
		return
	}
	for c := range p.Node.BlockChildren() {
		isWord := !strings.Contains(c.Value().Text(), " ") // unfinished
		if c.Kind() == syntax.Scalar && !isWord && !isPlatformComment(c) {
			reportNoFormIn(out, c, p.ValueField, nil)
		}
	}
}

// belowName looks at the lines below the name that an item begins with.
func belowName(out *findings, m model.Map) {
	if !m.Item || m.Field == nil || m.Field.Loose || len(m.Properties) == 0 || !m.Properties[0].IsAuthorName || len(m.Fields) == 0 {
		return
	}
	for c := range m.Properties[0].Node.BlockChildren() {
		if c.Kind() == syntax.Scalar && !isVerb(c) && !isPlatformComment(c) || c.Kind() == syntax.Assignment && m.Field.Type != tool.MapType {
			reportNoForm(out, c, m.Fields)
		}
	}
}

// mayBeProse are keys whose own keys no page lists, and that may have a text below instead.
var mayBeProse = map[string]bool{"PRESENT": true, "BEHAVIOR": true, "STEP_CONSTRAINTS": true, "CORRECTIONS": true, "VALIDATION": true}

// textAmongKeys finds lines of text in the blocks of keys below a node whose keys are unpublished.
func textAmongKeys(out *findings, n syntax.Node) {
	if !textAfterKeys(out, n) {
		return
	}
	for c := range n.BlockChildren() {
		if c.Kind() == syntax.Pair {
			textAmongKeys(out, c)
		}
	}
}

// textAfterKeys finds lines of text after keys in one block. It returns false for a block that
// begins with a text: that is prose, with a colon here and there.
func textAfterKeys(out *findings, n syntax.Node) bool {
	keys, rest := false, false
	for c := range n.BlockChildren() {
		isText := c.Kind() == syntax.Scalar && !isPlatformComment(c)
		if isText && !keys {
			return false
		}
		if isText && !rest && !isVerb(c) {
			out.err(firstLine(c), "`%s` fits no form; a line here reads `name: value`.", firstWords(c))
		}
		keys = keys || c.Kind() == syntax.Pair
		rest = isUnclosed(c.Value()) || rest && isText
	}
	return true
}

func isUnclosed(v syntax.Node) bool {
	return v.Kind() == syntax.Text && (opensString(v.Text()) || opensBracket(v.Text(), false))
}

// fitsPlace reports whether a line has a form that its place may have. An item may begin with a
// name, a rule or a text.
func fitsPlace(m model.Map, c syntax.Node, first bool) bool {
	begins := first && m.Item
	field := m.Field
	switch c.Kind() {
	case syntax.Assignment:
		isMap := field.Type == tool.MapType && (field.Each == nil || field.Each.Type != tool.ListType)
		return begins && !assignsKey(field, c, m.Fields) || isMap || len(m.Fields) == 0 && field.Type != tool.MapType
	case syntax.Mapping:
		return begins || field.Type == tool.MapType || field.Pattern != nil || field.Name == "STORE" || field.Name == "steps"
	case syntax.ListItem:
		return m.Item || takesItem(field)
	case syntax.Scalar:
		return begins && isBeginning(m, c) || isVerb(c) || field.Open && field.Each == nil && field.Type == tool.Block && !lacksColon(c, m.Fields)
	}
	return true
}

// assignsKey reports whether a line is `KEY = value` with a known key of the place, or one that
// looks like a key. In a list of names a word in another casing is a name; in one of rules it may
// be a variable.
func assignsKey(list *tool.Field, c syntax.Node, fields []tool.Field) bool {
	target := c.Child(syntax.FieldTarget).Text()
	field, _ := tool.Find(fields, target)
	ofRules, _ := tool.Find(fields, ruleWords[0])
	if field == nil {
		return ofRules == nil && !list.Named && target == strings.ToUpper(target)
	}
	return ofRules == nil && (!list.Named || target == field.Name)
}

// isBeginning reports whether an item may begin with a line that has no key: a name, a text, or an
// event or a condition in the older form.
func isBeginning(m model.Map, c syntax.Node) bool {
	isOld := m.Field.Name == "remember" || m.Field.Name == "recall"
	isName := !strings.Contains(c.Value().Text(), " ") && c.Value().Text() != "ELSE"
	return isOld || isName || !lacksColon(c, m.Fields)
}

var verb = lazyregexp.New(`^(BLOCK|COMPLETE|CONTINUE|ESCALATE( with .*)?|RESUME|RETRY|RETURN)$`)

// isVerb reports whether a line is an action that needs no value, and has no colon.
func isVerb(c syntax.Node) bool { return verb.MatchString(c.Value().Text()) }

// lacksColon reports whether a line without a key begins with the name of one of the fields.
func lacksColon(c syntax.Node, fields []tool.Field) bool {
	word, _, _ := strings.Cut(firstWords(c), " ")
	field, _ := tool.Find(fields, word)
	return (c.Kind() == syntax.Scalar || lacksItsColon(c)) && field != nil && !slices.Contains(ruleWords, field.Name) // their word alone begins a rule
}

// lacksItsColon reports whether a line is `WHEN condition`, without a colon.
func lacksItsColon(c syntax.Node) bool {
	return c.Kind() == syntax.Pair && strings.EqualFold(c.Key(), "WHEN") && !strings.HasPrefix(strings.TrimLeft(c.Text()[len("WHEN"):], " \t"), ":")
}

// blankBeforeColon reports whether a key has blanks before its colon.
func blankBeforeColon(c syntax.Node) bool {
	return spacedColon.MatchString(c.Text())
}

// spacedColon matches a key with blanks before its colon.
var spacedColon = lazyregexp.New(`^(USE BEHAVIOR_PROFILE|[A-Za-z_][\w.-]*)[ \t]+:([ \t\r\n]|$)`)

// lacksDash reports whether a line in a list is a key that only the list's items have.
func lacksDash(field *tool.Field, c syntax.Node) bool {
	if field == nil || c.Kind() != syntax.Pair || field.Named {
		return false
	}
	ofItem, _ := tool.Find(field.Items, c.Key())
	sibling, _ := tool.Find(field.Fields, c.Key())
	switch {
	case field.Items == nil:
		return field.Type == tool.BlockList && sibling != nil
	case ofItem == nil || sibling != nil:
		return false
	}
	return field.Each == nil || ofItem.Name == field.Items[0].Name && !c.Value().IsZero()
}

// reportNoForm reports a line that has no known form. If it begins with a known key, its colon was
// forgotten.
func reportNoForm(out *findings, c syntax.Node, fields []tool.Field) {
	switch {
	case lacksColon(c, fields) || isNameOfKeys(c) || blankBeforeColon(c):
		lostColon(out, c)
	case c.Kind() == syntax.Assignment && !c.Value().IsZero():
		target := c.Child(syntax.FieldTarget)
		d := out.err(firstLine(c), "`%s` fits no form; write a colon: `%s: …`.", firstWords(c), target.Text())
		if field, _ := tool.Find(fields, target.Text()); field != nil || len(fields) == 0 {
			between := text.Span{Start: target.Span().End, End: c.Value().Span().Start}
			d.Fixes = append(d.Fixes, model.ParseFix("Write a colon", between, ": "))
		}
	default:
		out.err(firstLine(c), "`%s` fits no form; a line here reads `name: value`.", firstWords(c))
	}
}

// reportNoFormIn reports a line that has no known form in a place, which may be a map of names and
// values.
func reportNoFormIn(out *findings, c syntax.Node, field *tool.Field, fields []tool.Field) {
	isMap := field.Type == tool.MapType && c.Kind() == syntax.Scalar && !blankBeforeColon(c)
	switch line := c.Value().Text(); {
	case isMap && isAssigning(field):
		assignmentLost(out, c, line)
	case isMap && nameAndLiteral.MatchString(line):
		lostColon(out, c)
	default:
		reportNoForm(out, c, fields)
	}
}

var (
	nameAndLiteral = lazyregexp.New(`^[A-Za-z_][\w.]*[ \t]+("[^"]*"|-?[0-9][0-9.]*|true|false|null)$`)

	// wrongSign matches a comparison that is meant as an assignment.
	wrongSign = lazyregexp.New(`^[A-Za-z_][\w.]*([ \t]*(?:==|:=)[ \t]*)[^ \t]`)
)

// linesOfList finds lines between the items of a list that are no items.
func linesOfList(out *findings, p model.Property) {
	if p.ValueField == nil || p.Node.Kind() == syntax.SectionNode {
		return
	}
	switch {
	case p.Value.IsZero() && p.ValueField.Type != tool.ListType:
		itemsWithoutColon(out, p)
		actionsWithoutDash(out, p)
	case p.ValueField.Type == tool.ListType && p.Value.IsZero() && hasItem(p.Node):
		for c := range p.Node.BlockChildren() {
			if c.Kind() != syntax.ListItem && c.Kind() != syntax.Comment && !isPlatformComment(c) {
				dashLost(out, c, nil)
			}
		}
	}
}

// actionsWithoutDash finds lines of a `DO:` that are neither items nor keys.
func actionsWithoutDash(out *findings, p model.Property) {
	if p.ValueField.Name != "DO" || len(p.Properties()) > 0 { // then its lines are those of a map
		return
	}
	for c := range p.Node.BlockChildren() {
		if c.Kind() == syntax.Scalar && !isPlatformComment(c) {
			dashLost(out, c, nil)
		}
	}
}

// itemsWithoutColon finds items that consist of one line which begins with a key of the list's
// items, and lacks its colon.
func itemsWithoutColon(out *findings, p model.Property) {
	if p.ValueField.Named {
		namesWithoutColon(out, p)
		return
	}
	if p.ValueField.Type != tool.Block && p.ValueField.Type != tool.BlockList || p.ValueField.Name == "remember" || p.ValueField.Name == "recall" {
		return
	}
	for _, item := range p.Items() {
		if len(item.Properties()) == 0 {
			itemWithoutColon(out, item.Node, itemFields(p.ValueField))
		}
	}
}

var nameAndMore = lazyregexp.New(`^([A-Za-z_][\w.]*)[ \t]+[^\s:=(-].*$`)

// namesWithoutColon finds items of a list of names that have more on their line than a name, and no
// colon after it.
func namesWithoutColon(out *findings, p model.Property) {
	for _, item := range p.Items() {
		if item.Kind() == syntax.ListItem {
			nameWithoutColon(out, item.Node)
		}
	}
}

func nameWithoutColon(out *findings, item syntax.Node) {
	c := item.FirstBlockChild()
	if c.Kind() == syntax.Scalar && c.Value().Kind() == syntax.Text && nameAndMore.MatchString(c.Value().Text()) {
		lostColon(out, c)
	}
}

// itemFields returns the keys of a list's items.
func itemFields(field *tool.Field) []tool.Field {
	if field.Items != nil {
		return field.Items
	}
	return field.Fields
}

func itemWithoutColon(out *findings, item syntax.Node, fields []tool.Field) {
	c := item.FirstBlockChild()
	isName := !strings.Contains(c.Value().Text(), " ") && c.Value().Text() != "ELSE"
	if c.Kind() == syntax.Scalar && !isName && lacksColon(c, fields) && !isVerb(c) {
		reportNoForm(out, c, fields)
	}
}

func hasItem(n syntax.Node) bool {
	for c := range n.BlockChildren() {
		if c.Kind() == syntax.ListItem {
			return true
		}
	}
	return false
}

var beginsCall = lazyregexp.New(`^[A-Za-z_][\w.]*\(`)

// unclosedCall finds a call whose arguments have no end, on its line or below it.
func unclosedCall(out *findings, p model.Property) {
	if at, is := openCall(p.ValueField, p.Node); is {
		out.err(at, "The bracket is not closed.")
	}
}

// openCall returns the opening bracket of the call in n, whose schema field is field, if no bracket
// closes it. The second result is false if there is no such call.
func openCall(field *tool.Field, n syntax.Node) (at text.Span, is bool) {
	if field == nil || field.Ref != tool.RefTool || field.Type != tool.Expr {
		return at, false
	}
	call := n.Value()
	if call.IsZero() {
		call = firstLineBelow(n)
	}
	open := beginsCall.FindString(call.Text())
	if open == "" || call.Kind() != syntax.Text && call.Kind() != syntax.Scalar {
		return at, false
	}
	end := call.Span().Start + len(open)
	return text.Span{Start: end - 1, End: end}, opensBracket("["+n.Text()[end-n.Span().Start:], true)
}

// firstLineBelow returns the first line in the block of a node that is no comment.
func firstLineBelow(n syntax.Node) syntax.Node {
	for c := range n.BlockChildren() {
		if c.Kind() != syntax.Comment && !isPlatformComment(c) {
			return c
		}
	}
	return syntax.Node{}
}

// unclosedMap finds an inline map or list whose own bracket is not closed, though one inside it is.
func unclosedMap(out *findings, p model.Property) {
	if isOpenBracket(p) && !opensBracket(p.Value.Text(), false) {
		reportUnclosed(out, p.Value, false, true)
	}
}

// isOpenBracket reports whether a value that can only be a list or a map is not closed.
func isOpenBracket(p model.Property) bool {
	if p.ValueField == nil || p.Value.Kind() != syntax.Text {
		return false
	}
	switch p.ValueField.Type {
	case tool.Block, tool.BlockList, tool.MapType, tool.ListType:
		return opensBracket(p.Value.Text(), true)
	}
	return false
}

// belowBrackets finds lines below a list or a map that is closed on its line.
func belowBrackets(out *findings, n syntax.Node) {
	for c := range n.BlockChildren() {
		belowBrackets(out, c)
	}
	if n.Kind() != syntax.Pair && n.Kind() != syntax.Step {
		return
	}
	if n.Parent().Kind() == syntax.ListItem && strings.Contains(n.Text(), "\n\t") {
		return // a tab reaches past what is after the dash
	}
	switch n.Value().Kind() {
	case syntax.List:
		blockBelow(out, n, "`"+syntax.Unquote(n.Key())+"` has its list on its own line, and nothing below.")
	case syntax.Map:
		blockBelow(out, n, "`"+syntax.Unquote(n.Key())+"` has its map on its own line, and nothing below.")
	}
}

// belowScalar finds lines below a single value. A text may continue there, unless it is in quotes,
// or the lines are keys that belong to the place of the value's key.
func belowScalar(out *findings, m model.Map, p model.Property) {
	if p.Field != nil && p.Field.Type.IsSingle() && !p.Value.IsZero() {
		for c := range p.Node.BlockChildren() {
			if lacksColon(c, p.Field.Fields) {
				reportNoForm(out, c, p.Field.Fields)
			}
		}
	}
	if p.Field == nil || p.Field.Elsewhere != "" || !p.Field.Type.IsSingle() || len(p.Field.Fields) > 0 || p.Value.IsZero() || p.Block().IsZero() || p.Value.Kind() == syntax.PipeBlock {
		return
	}
	if m.Field != nil && m.Field.Deeper && holdsKeys(p.Node, m.Fields) {
		return
	}
	unquoted := p.Field.Type != tool.String && p.Field.Type != tool.Expr || p.Field.Name == "entry_point"
	if opensString(p.Value.Text()) || !unquoted && p.Value.Kind() != syntax.String && !holdsKeys(p.Node, m.Fields) {
		return
	}
	blockBelow(out, p.Node, "`"+p.Name()+"` takes its value on its own line, and nothing below.")
}

// holdsKeys reports whether the lines below n are keys with these fields.
func holdsKeys(n syntax.Node, fields []tool.Field) bool {
	some := false
	for c := range n.BlockChildren() {
		if field, _ := tool.Find(fields, c.Key()); field == nil || c.Kind() != syntax.Pair {
			return false
		}
		some = true
	}
	return some
}

// textInGather finds lines of text among the fields of GATHER, which may also be a list of names
// alone.
func textInGather(out *findings, s syntax.Section) {
	isKeyed := func(e syntax.PositionedEntry) bool { return e.Kind() == syntax.Pair || e.Kind() == syntax.ListItem }
	if s.Name() != "GATHER" || !slices.ContainsFunc(s.Entries, isKeyed) {
		return
	}
	field := model.SectionField(model.Agent, "GATHER")
	for _, e := range s.Entries {
		if c := e.Root(); c.Kind() == syntax.Scalar && !isPlatformComment(c) && !isNameOfKeys(c) || c.Kind() == syntax.Assignment {
			var found findings
			reportNoForm(&found, c, field.Fields)
			*out = append(*out, found[0].Shift("", e.Offset))
		}
	}
}

// keysOfFieldAbove finds keys of a field of GATHER that are at the depth of its name.
func keysOfFieldAbove(out *findings, source string, s syntax.Section) {
	field := model.SectionField(model.Agent, "GATHER")
	if s.Name() != "GATHER" || field.Each == nil {
		return
	}
	var above syntax.PositionedEntry
	for _, e := range s.Entries {
		c := e.Root()
		sibling, _ := tool.Find(field.Fields, c.Key())
		switch key, _ := tool.Find(field.Each.Fields, c.Key()); {
		case c.Kind() != syntax.Pair:
		case key == nil || sibling != nil || key.Name != c.Key() || c.Value().IsZero() || c.Value().Kind() == syntax.Map || above.Entry == nil:
			above = syntax.PositionedEntry{}
			if first := firstLineBelow(c); !first.IsZero() && first.Kind() == syntax.Pair {
				above = e
			}
		default:
			by := columnAt(source, above.Offset+firstLineBelow(above.Root()).Span().Start) - columnAt(source, e.Offset)
			var found findings
			reportKeyOfLineAbove(&found, c, above.Root().Key(), by)
			*out = append(*out, found[0].Shift("", e.Offset))
		}
	}
}

// keysAtDashDepth finds keys of a list's item that are at the depth of its dash.
func keysAtDashDepth(out *findings, m model.Map) {
	if m.Item || m.Field == nil || !m.Field.Named {
		return
	}
	var above syntax.Node
	for c := range m.Node.BlockChildren() {
		key, _ := tool.Find(itemFields(m.Field), c.Key())
		switch {
		case c.Kind() == syntax.ListItem:
			above = c
		case c.Kind() == syntax.Pair && key != nil && key.Name == c.Key() && !c.Value().IsZero() && !above.IsZero():
			reportKeyOfLineAbove(out, c, firstWords(above.FirstBlockChild()), len("- "))
		}
	}
}

// reportKeyOfLineAbove reports a key that belongs to the line above it.
func reportKeyOfLineAbove(out *findings, c syntax.Node, above string, by int) {
	d := out.err(firstLine(c), "`%s` belongs to `%s`, but is indented no deeper; indent it.", firstWords(c), above)
	if by > 0 {
		fix := model.Fix{Title: fmt.Sprintf("Indent it by %d more", by), Best: true, ChangesParse: true}
		fix.Edits = indentEdits(c, by)
		d.Fixes = append(d.Fixes, fix)
	}
}
