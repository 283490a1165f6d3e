package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// A line with a wrong indentation, or with a dash too many or too few, is read as part of
// something else, and so may be the lines around it. Which line is meant to be where is not
// known from the lines alone: those that may be slips are tried, and the one that explains
// most of the findings is reported.

// maxTries is how often a text is checked again in search of one such slip, maxRounds how many
// slips are searched for, and maxDistance how many lines a line that need not be wrong may be away
// from a finding.
const (
	maxTries    = 8
	maxRounds   = 4
	maxDistance = 4
)

// indentSlip is a line that may be a slip, and its repair.
type indentSlip struct {
	line    int
	indent  int // the right one; -1 if the dash is wrong
	edits   []text.Edit
	list    string // the key that a list is moved below; else ""
	sure    bool   // the line is certainly wrong
	distant bool   // the finding is elsewhere: the line is read as part of another block
}

// repairIndents repairs the slips of indentation that explain the findings.
func (m *repairedText) repairIndents() *repairedText {
	if !slices.ContainsFunc(m.found, mayBeExplained) {
		return m
	}
	slips := indentSlipsIn(m.f.Doc, m.found)
	for range maxRounds {
		best, rest := m.withBestSlip(slips)
		if best == m {
			break
		}
		m, slips = best, rest
	}
	return m
}

// withBestSlip repairs the slip that explains most of the findings; it returns m itself if none
// does. rest are those that may explain something else.
func (m *repairedText) withBestSlip(slips []indentSlip) (best *repairedText, rest []indentSlip) {
	best, most, tries := m, 0, 0
	for _, slip := range slips {
		if countGrave(m.found) < slip.minExplained() || !slip.fitsSections(m.f) {
			continue
		}
		if tries == maxTries || best != m && countGrave(best.found) == len(best.slips) {
			rest = append(rest, slip)
			continue
		}
		reported := slip.diagnostic(m.f)
		again := m.withEdits([]model.Diagnostic{reported}, slip.edits)
		if again == nil {
			continue
		}
		tries++
		n := m.countExplained(again, reported)
		if n > 0 {
			rest = append(rest, slip)
		}
		if n >= slip.minExplained() && n > most {
			best, most = again, n
		}
	}
	return best, rest
}

// fitsSections reports whether a line that is moved to column 0 is a section of the file.
func (s indentSlip) fitsSections(f *model.File) bool {
	if s.indent != 0 || s.list != "" {
		return true
	}
	info, known := model.LookupSection(strings.TrimSuffix(strings.TrimSpace(lineText(f.Doc, s.line)), ":"))
	return known && info.Fits(f.Kind)
}

// minExplained returns how many findings the slip must explain. A list below its key and a line off
// by one are certainly wrong.
func (s indentSlip) minExplained() int {
	if s.sure {
		return 1
	}
	return 3
}

// countExplained returns how many errors and warnings a slip explains; 0 if its repair causes
// others, hides a finding that may be about a single line, or explains little but its own line.
func (m *repairedText) countExplained(again *repairedText, slip model.Diagnostic) int {
	lines := m.f.Doc.Lines()
	count, single, elsewhere := 0, 0, false
	for _, d := range m.found {
		if d.Severity > model.Warning || d.Code == platformLoss.Code || indexOf(again.found, d) >= 0 {
			continue
		}
		if !mayBeExplained(d) {
			return 0
		}
		if strings.Contains(d.Message, "did you mean") {
			single++
		}
		count++
		elsewhere = elsewhere || lines.Line(d.Span.Start) != lines.Line(slip.Span.Start)
	}
	for _, d := range again.found {
		if d.Severity <= model.Warning && indexOf(m.found, d) < 0 && d.Message != slip.Message {
			return 0
		}
	}
	const many = 3
	if count < many && !elsewhere || single*many > count {
		return 0
	}
	return count
}

// mayBeExplained reports whether an error or a warning may be due to what surrounds its line.
func mayBeExplained(d model.Diagnostic) bool {
	return d.Severity <= model.Warning && slices.Contains(structureCodes, d.Code) &&
		(d.Code != invalidValue.Code || strings.Contains(d.Message, "in the lines below"))
}

// structureCodes are the codes that may be due to what surrounds a line.
var structureCodes = []string{
	"syntax-error", "unknown-property", "unknown-section", "missing-property", "missing-section", "duplicate-property", "duplicate-section",
	"undefined-step", "unreachable-step", "missing-reasoning", "section-case", "unmatched-input", "unused-tool",
	"invalid-value", "binding-without-type", "unbound-tool", "undefined-tool", "unknown-template-name",
}

// diagnostic returns the diagnostic of the slip.
func (s indentSlip) diagnostic(f *model.File) model.Diagnostic {
	var out findings
	own := lineText(f.Doc, s.line)
	start := f.Doc.Lines().LineStart(s.line) + len(indentation(f.Doc, s.line))
	name := strings.TrimPrefix(strings.TrimLeft(own, blanks), "- ")
	if i := strings.IndexAny(name, ":("); i >= 0 {
		name = name[:i]
	}
	if word := firstWord(name); slices.Contains(ruleWords, word) {
		name = word
	}
	name = strings.TrimSpace(name)
	at := text.Span{Start: start, End: start + len(strings.TrimSpace(own))}
	if s.indent == 0 && s.list == "" {
		at.End = start + len(name)
	}
	title, code := "Insert the dash", syntaxError.Code
	switch {
	case s.list != "":
		listDepth(&out, at, s.list)
		title = listTitle(s.list)
	case s.indent == 0:
		out.warn(at, "A section begins at column 0; `%s` is indented.", name)
		title, code = "Move to column 0", sectionIndent.Code
	case s.indent > 0:
		out.err(at, "`%s` is indented by %d, so that it or the lines below belong to something else; indent it by %d.", name, width(indentation(f.Doc, s.line)), s.indent)
		title = fmt.Sprintf("Indent it by %d", s.indent)
	case s.edits[0].NewText == "":
		out.err(at, "The dash makes `%s` an item of a list, unlike the lines around it; delete the dash.", name)
		title = "Delete the dash"
	default:
		reportDash(&out, name, at, nil)
	}
	fix := model.Fix{Title: title, Edits: model.EditsIn("", s.edits...), Best: true, ChangesParse: true}
	out[0].Code, out[0].Fixes = code, []model.Fix{fix}
	return out[0]
}

// width returns the column at which blanks end.
func width(blanks string) int {
	column := 0
	for _, c := range blanks {
		if column++; c == '\t' {
			column = (column + 3) / 4 * 4
		}
	}
	return column
}

// openBlock is an open block.
type openBlock struct {
	indent int

	first int  // its first line
	last  int  // the last line of it so far
	item  bool // the text after a dash
}

// indentScan searches for lines that may be slips.
type indentScan struct {
	doc    *syntax.Document
	levels []openBlock
	last   int  // the line before, blank lines and comments apart
	names  bool // the section has names at two spaces
	slips  []indentSlip
}

// mayOpenBlock reports whether a line may have others below it: it ends with a colon, apart from a
// comment, or has an arrow after a bracket.
func mayOpenBlock(line string) bool {
	for i := range len(line) {
		rest := line[i+1:]
		switch line[i] {
		case ':':
			if rest = strings.TrimLeft(rest, "\t\n\f\r "); rest == "" || rest[0] == '#' {
				return true
			}
		case ')':
			if strings.HasPrefix(strings.TrimLeft(rest, " "), "->") {
				return true
			}
		}
	}
	return false
}

// indentSlipsIn returns the lines that may be slips, in the sections with an error or a warning,
// those next to it first.
func indentSlipsIn(doc *syntax.Document, found []model.Diagnostic) []indentSlip {
	lines := doc.Lines()
	distance := distances(doc, found)
	s := &indentScan{doc: doc, last: -1}
	skipped := -1 // the indentation of a pipe block's key
	for i := range lines.LineCount() {
		own := strings.TrimSpace(lineText(doc, i))
		indent := width(indentation(doc, i))
		if own == "" || own[0] == '#' || skipped >= 0 && indent > skipped {
			continue
		}
		skipped = -1
		if strings.HasSuffix(own, ": |") || strings.HasSuffix(own, ": |-") {
			skipped = indent
		}
		s.scanLine(i, indent, own)
	}
	s.slips = slices.DeleteFunc(s.slips, func(slip indentSlip) bool {
		return !slip.distant && (distance[slip.line] < 0 || !slip.sure && distance[slip.line] > maxDistance)
	})
	slices.SortStableFunc(s.slips, func(a, b indentSlip) int {
		return cmp.Or(cmp.Compare(a.minExplained(), b.minExplained()), cmp.Compare(distance[a.line], distance[b.line]))
	})
	seen := map[text.Edit]bool{}
	return slices.DeleteFunc(s.slips, func(slip indentSlip) bool {
		twice := seen[slip.edits[0]]
		seen[slip.edits[0]] = true
		return twice
	})
}

// distances returns the distance of each line from one with an error or a warning in its section;
// -1 if there is none.
func distances(doc *syntax.Document, found []model.Diagnostic) []int {
	lines := doc.Lines()
	out := make([]int, lines.LineCount())
	wrong := make([]bool, len(out))
	for _, d := range found {
		wrong[lines.Line(d.Span.Start)] = wrong[lines.Line(d.Span.Start)] || d.Severity <= model.Warning
	}
	isHead := func(i int) bool {
		own := lineText(doc, i)
		return own != "" && strings.IndexByte(blanks+"#", own[0]) < 0
	}
	last := -1
	for i := range out {
		if out[i] = -1; isHead(i) {
			last = -1
		}
		if wrong[i] {
			last = i
		}
		if last >= 0 {
			out[i] = i - last
		}
	}
	last = -1
	for i := len(out) - 1; i >= 0; i-- {
		if wrong[i] {
			last = i
		}
		if last >= 0 && (out[i] < 0 || last-i < out[i]) {
			out[i] = last - i
		}
		if isHead(i) {
			last = -1
		}
	}
	return out
}

// scanLine scans one line.
func (s *indentScan) scanLine(line, indent int, own string) {
	dash := strings.HasPrefix(own, "- ")
	s.scanSection(line, indent, own)
	popped := s.closeBlocks(indent)
	top := -1
	if n := len(s.levels); n > 0 {
		top = s.levels[n-1].indent
	}
	opens := s.last >= 0 && mayOpenBlock(lineText(s.doc, s.last))
	switch {
	case top < indent && popped != nil: // between two depths
		s.addMove(line, popped.indent)
		s.addMove(line, top)
		s.addMove(popped.first, indent)
		if n := len(s.levels); n > 0 {
			s.addMove(s.levels[n-1].last, indent)
		}
	case top < indent && s.last >= 0 && !opens && !s.isItem(s.last): // below a value
		s.addMove(line, top)
		s.addMove(s.last, indent)
	case opens && s.last >= 0 && width(indentation(s.doc, s.last)) >= indent: // nothing is below
		n := width(indentation(s.doc, s.last))
		if dash && n == indent {
			s.addListBelow(line, indent)
		}
		s.addMove(s.last, n-2)
		for i := len(s.levels) - 1; i >= 0 && i > len(s.levels)-4; i-- {
			if s.levels[i].indent < n {
				s.addMove(s.last, s.levels[i].indent)
			}
		}
		s.addMove(line, indent+2)
	case opens && indent > width(indentation(s.doc, s.last))+2:
		s.addMove(s.last, indent-2)
	}
	s.scanName(line, indent, own)
	if top < indent {
		s.levels = append(s.levels, openBlock{indent: indent, first: line, last: line})
	} else {
		s.scanDashes(line, dash, s.levels[len(s.levels)-1])
		s.scanRepeatedKey(line, own, s.levels[len(s.levels)-1])
		s.levels[len(s.levels)-1].last = line
	}
	if dash {
		content := indent + len(own) - len(strings.TrimLeft(own[1:], blanks))
		s.levels = append(s.levels, openBlock{indent: content, first: line, last: line, item: true})
	}
	s.last = line
}

// scanName looks at a name at column 0 whose block is as deep as those of names at two spaces above
// it.
func (s *indentScan) scanName(line, indent int, own string) {
	if indent != 0 && indent != len(twoSpaces) {
		return
	}
	isName := strings.HasSuffix(own, ":") && unindentedName.MatchString(own) && s.nextIndent(line) > len(twoSpaces)
	switch {
	case indent == len(twoSpaces) && isName:
		s.names = true
	case indent == 0 && isName:
		start := s.doc.Lines().LineStart(line)
		s.addSlip(indentSlip{line: line, indent: len(twoSpaces), distant: s.names}, start, start, twoSpaces)
	case indent == 0:
		s.names = false
	}
}

// scanSection looks at a line with a section's name that is indented by a space or two.
func (s *indentScan) scanSection(line, indent int, own string) {
	name, colon := strings.CutSuffix(own, ":")
	if !colon || indent == 0 || indent > len(twoSpaces) {
		return
	}
	if info, known := model.LookupSection(name); known && info.Name == name {
		s.addMove(line, 0)
	}
}

// closeBlocks closes the blocks that a line with an indentation is not in, and returns the
// outermost of these.
func (s *indentScan) closeBlocks(indent int) *openBlock {
	var popped *openBlock
	for n := len(s.levels); n > 0 && s.levels[n-1].indent > indent; n-- {
		popped = &s.levels[n-1]
		s.levels = s.levels[:n-1]
	}
	return popped
}

func (s *indentScan) isItem(line int) bool {
	return strings.HasPrefix(strings.TrimLeft(lineText(s.doc, line), blanks), "- ")
}

// addSlip adds a slip that one edit repairs.
func (s *indentScan) addSlip(slip indentSlip, start, end int, newText string) {
	slip.edits = []text.Edit{{Span: text.Span{Start: start, End: end}, NewText: newText}}
	s.slips = append(s.slips, slip)
}

// addMove adds that a line may belong to another depth.
func (s *indentScan) addMove(line, indent int) {
	old := indentation(s.doc, line)
	odd, isOdd := width(old)%2 == 1, indent%2 == 1
	if indent < 0 || width(old) == indent || width(old) == 0 || isOdd && !odd {
		return
	}
	if indent == 0 {
		name, _, _ := strings.Cut(strings.TrimSpace(lineText(s.doc, line)), ":")
		if info, known := model.LookupSection(name); !known || info.Name != name {
			return
		}
	}
	start := s.doc.Lines().LineStart(line)
	s.addSlip(indentSlip{line: line, indent: indent, sure: odd && !isOdd}, start, start+len(old), strings.Repeat(" ", indent))
}

// setSure marks the slips from an index on as certainly wrong.
func (s *indentScan) setSure(from int) {
	for i := from; i < len(s.slips); i++ {
		s.slips[i].sure = true
	}
}

// addListBelow adds that a list may belong below the key above it.
func (s *indentScan) addListBelow(line, indent int) {
	lines := s.doc.Lines()
	key, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(lineText(s.doc, s.last)), "- "), ":")
	slip := indentSlip{line: line, list: key, sure: true}
	for i := line; i < lines.LineCount(); i++ {
		own := strings.TrimSpace(lineText(s.doc, i))
		if own == "" || own[0] == '#' {
			continue
		}
		if n := width(indentation(s.doc, i)); n < indent || n == indent && !s.isItem(i) {
			break
		}
		slip.edits = append(slip.edits, text.Edit{Span: text.Span{Start: lines.LineStart(i), End: lines.LineStart(i)}, NewText: twoSpaces})
	}
	s.slips = append(s.slips, slip)
}

// scanDashes looks at a line and the one before it at its depth, if only one of them has a dash.
func (s *indentScan) scanDashes(line int, dash bool, before openBlock) {
	own := before.item && before.last == before.first // the item that the line is in
	if dash && before.item {                          // an item is in none
		n := len(s.slips)
		s.addMove(line, before.indent-2)
		s.setSure(n)
	}
	if own || dash == s.isItem(before.last) {
		return
	}
	switch {
	case dash && before.item:
	case dash:
		s.addMove(line, before.indent+2)
	case !before.item:
		s.addMove(line, before.indent+2)
	}
	for _, i := range []int{before.last, line} {
		start := s.doc.Lines().LineStart(i) + len(indentation(s.doc, i))
		switch {
		case !s.isItem(i) && !before.item:
			s.addSlip(indentSlip{line: i, indent: -1}, start, start, "- ")
		case s.isItem(i) && s.isAlone(i):
			s.addSlip(indentSlip{line: i, indent: -1}, start, start+len("- "), "")
		}
	}
}

// isAlone reports whether an item is a single key.
func (s *indentScan) isAlone(item int) bool {
	own := strings.TrimSpace(lineText(s.doc, item))
	if strings.HasSuffix(own, ":") {
		return true
	}
	return strings.Contains(own, ": ") && s.nextIndent(item) <= width(indentation(s.doc, item))
}

// nextIndent returns the indentation of the next line that is not blank; 0 after the last.
func (s *indentScan) nextIndent(line int) int {
	for i := line + 1; i < s.doc.Lines().LineCount(); i++ {
		if own := strings.TrimSpace(lineText(s.doc, i)); own != "" && own[0] != '#' {
			return width(indentation(s.doc, i))
		}
	}
	return 0
}

// unindentedName is a name at column 0, as steps may have it.
var unindentedName = lazyregexp.New(`^\w*[a-z]\w*:$`)

// scanRepeatedKey looks at a key that the item has already, and that begins another item.
func (s *indentScan) scanRepeatedKey(line int, own string, in openBlock) {
	if !in.item || in.first == line {
		return
	}
	first := strings.TrimLeft(strings.TrimSpace(lineText(s.doc, in.first))[1:], blanks)
	if a, b := firstWord(first), firstWord(own); a == b || a == "IF" && b == "ELSE" || slices.Contains(ruleWords, a) && slices.Contains(ruleWords, b) {
		start := s.doc.Lines().LineStart(line) + len(indentation(s.doc, line))
		s.addSlip(indentSlip{line: line, indent: -1, sure: true}, start-len("- "), start, "- ")
	}
}

// firstWord returns what a line begins with, as far as it is letters, digits and `_`.
func firstWord(line string) string {
	const wordBytes = "_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	return line[:len(line)-len(strings.TrimLeft(line, wordBytes))]
}
