package yaml

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// The bounds of parsing.
const (
	MaxBytes    = 1 << 20 // a longer text gives one Fault and an empty root
	MaxDepth    = 100     // of nested maps and lists
	maxFaults   = 1000    // further faults are dropped
	maxRepeated = 100_000 // the nodes that all aliases repeat
)

const byteOrderMark = "\ufeff"

// Parse parses a text.
func Parse(source string) *Document { return ParseLines(text.NewLines(source)) }

// ParseLines parses a text whose lines are known.
func ParseLines(lines *text.Lines) *Document { return parse(lines, nil) }

func parse(lines *text.Lines, before *previousVersion) *Document {
	r := &reader{src: lines.Text(), lines: lines, lastFault: -1, before: before, seen: new(int)}
	r.moveToLine(0)
	d := &Document{lines: lines}
	if len(r.src) > MaxBytes {
		d.starts, d.roots = []int{0}, []*Node{{Incomplete: true}}
		d.faults = []Fault{{text.Span{}, "A text of more than 1 MB is not read."}}
		return d
	}
	for len(d.roots) == 0 || r.hasNextDocument() {
		r.anchors = map[string]AnchorOccurrence{}
		d.starts = append(d.starts, r.at)
		m, _ := r.readOrReuse(func() (Member, bool) { return Member{Value: r.readDocument()}, true })
		d.roots = append(d.roots, m.Value)
	}
	d.faults, d.comments, d.parts, d.hasAnchors = r.faults, r.comments, r.parts, r.hasAnchors
	d.occurrences = slices.SortedFunc(slices.Values(r.occurrences), func(a, b AnchorOccurrence) int { return a.Span.Start - b.Span.Start })
	return d
}

// reader is at a byte of a line. skipToToken skips blank lines and comments, so a
// method that reads a node begins at a token. It leaves the reader after the node,
// at most at the end of the node's line.
type reader struct {
	src   string
	lines *text.Lines

	at                 int
	line               int
	lineStart, lineEnd int // of the line, without its line end

	depth        int
	closers      []byte // the brackets that close the open ones
	anchors      map[string]AnchorOccurrence
	occurrences  []AnchorOccurrence
	aliasedNodes int
	faults       []Fault
	lastFault    int // the line of the last fault
	comments     []text.Span

	before     *previousVersion
	seen       *int // the offset up to which it has looked; it only grows
	parts      []reusablePart
	origins    []Origin // for nodes that have none yet
	hasAnchors bool     // the text has anchors or aliases
}

// readDocument reads up to the next marker.
func (r *reader) readDocument() *Node {
	r.skipDirectives()
	if r.atMarker("---") {
		r.at += len("---")
	}
	root := r.readValue(-1, atStart)
	for r.skipToToken() {
		r.addFault(r.restOfLine(), "This fits nothing that stands above it; mind the indentation.")
		r.skipDeeperLines(r.column())
		root.Incomplete = true
	}
	if r.atMarker("...") {
		r.at = r.lineEnd
	}
	return root
}

// hasNextDocument reports whether another document follows.
func (r *reader) hasNextDocument() bool { return r.skipToToken() || r.atMarker("---") }

func (r *reader) skipDirectives() {
	for r.skipToToken() && r.at == r.lineStart && r.src[r.at] == '%' {
		r.at = r.lineEnd
	}
}

// atMarker reports whether the reader is at the start of a line that is a marker (`---` or
// `...`).
func (r *reader) atMarker(mark string) bool {
	rest, ok := strings.CutPrefix(r.src[r.at:r.lineEnd], mark)
	return ok && r.at == r.lineStart && (rest == "" || isBlank(rest[0]))
}

func (r *reader) column() int { return r.at - r.lineStart }

// restOfLine returns the rest of the line without a comment, and without spaces and tabs at its end.
func (r *reader) restOfLine() text.Span {
	end := r.at
	for i := r.at; i < r.lineEnd; i++ {
		if r.isComment(i) {
			break
		}
		if !isBlank(r.src[i]) {
			end = i + 1
		}
	}
	return text.Span{Start: r.at, End: end}
}

// isComment reports whether a comment begins at i.
func (r *reader) isComment(i int) bool {
	return r.src[i] == '#' && (i == r.lineStart || isBlank(r.src[i-1]))
}

func (r *reader) moveToLine(i int) {
	span := r.lines.LineText(i)
	r.line, r.lineStart, r.lineEnd = i, span.Start, span.End
	*r.seen = max(*r.seen, r.lines.LineStart(i+1))
	if i == 0 && strings.HasPrefix(r.src, byteOrderMark) {
		r.lineStart = len(byteOrderMark)
	}
	r.at = r.lineStart
}

// nextLine goes to the beginning of the next line, if there is one.
func (r *reader) nextLine() bool {
	r.at = r.lineEnd
	if r.line+1 >= r.lines.LineCount() {
		return false
	}
	r.moveToLine(r.line + 1)
	return true
}

func (r *reader) skipBlanks() {
	for r.at < r.lineEnd && isBlank(r.src[r.at]) {
		r.at++
	}
}

// skipToToken goes to the next token. It returns false at the end of the document.
func (r *reader) skipToToken() bool {
	for {
		fresh := r.at == r.lineStart
		r.skipBlanks()
		switch {
		case r.at == r.lineEnd:
		case r.src[r.at] == '#':
			r.readComment()
		default:
			if fresh && len(r.closers) == 0 && strings.Contains(r.src[r.lineStart:r.at], "\t") {
				r.addFault(text.Span{Start: r.lineStart, End: r.at}, "YAML is indented with spaces, never with tabs.")
			}
			return !r.atMarker("---") && !r.atMarker("...")
		}
		if !r.nextLine() {
			return false
		}
	}
}

func (r *reader) readComment() {
	r.comments = append(r.comments, text.Span{Start: r.at, End: r.lineEnd})
	r.at = r.lineEnd
}

// finishLine goes to the end of the line. Anything before it but a comment is a fault.
func (r *reader) finishLine() {
	r.skipBlanks()
	if r.at == r.lineEnd {
		return
	}
	if r.isComment(r.at) {
		r.readComment()
		return
	}
	r.addFault(r.restOfLine(), "Nothing may stand behind the value; put a text with brackets or quotes in it into quotes.")
	r.at = r.lineEnd
}

// skipDeeperLines skips the line and the lines below it that are indented deeper than a column.
func (r *reader) skipDeeperLines(column int) {
	for r.nextLine() {
		r.skipBlanks()
		if r.at == r.lineEnd {
			continue
		}
		if r.column() <= column {
			r.at = r.lineStart
			return
		}
	}
}

// addFault records a fault. Only the first on each line is kept.
func (r *reader) addFault(at text.Span, message string) {
	line := r.lines.Line(at.Start)
	if line == r.lastFault || len(r.faults) == maxFaults {
		return
	}
	r.lastFault = line
	r.faults = append(r.faults, Fault{at, message})
}

// firstOnLine reports whether the token is the first on its line.
func (r *reader) firstOnLine() bool {
	return strings.Trim(r.src[r.lineStart:r.at], " \t") == ""
}

// newEmptyNode returns an empty node at the reader.
func (r *reader) newEmptyNode() *Node {
	return &Node{Span: text.Span{Start: r.at, End: r.at}, weight: 1}
}

// enterLevel goes one level deeper. If that would be deeper than MaxDepth, it reports a fault,
// skips the rest of the line and returns false.
func (r *reader) enterLevel() bool {
	if r.depth == MaxDepth {
		r.addFault(r.restOfLine(), "This is nested too deep to be read.")
		r.at = r.lineEnd
		return false
	}
	r.depth++
	return true
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }
