// Package convert writes an agent in the other one of the two dialects.
//
// It tells everything that the other dialect has no form for, with its place, so that a caller can
// refuse to lose it. A line that it does not understand is among these. Comments and the order of
// the sections stay, and so does the spelling of values that mean the same in both dialects.
package convert

import (
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/section"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Result is a file in the other dialect. Text lacks what is in Lost, which is in the order of the
// source.
type Result struct {
	Text string
	Lost []Loss
}

// Loss is something that the other dialect has no form for.
type Loss struct {
	Span    text.Span // in the source
	Message string    // for the author
}

// ToYAML converts an agent or a supervisor in ABL. Of a file with several, it is the first.
func ToYAML(f *model.File) Result {
	c := &converter{file: f, lines: f.Doc.Lines(), known: map[int]bool{}, shapes: shapes()}
	for _, p := range f.Doc.Problems() {
		c.lose(p.Span, "The file cannot be read from here on.")
	}
	root := &mapping{c: c, place: "agent", rows: section.YAMLAgent().Fields}
	root.fill(c.sections())
	for _, m := range inSourceOrder(root.members) {
		c.mark(text.Span{Start: m.start, End: m.start})
	}
	comments := c.loseUnknownLines(c.comments())
	sortLosses(c.lost)
	rest := attachComments(root.members, c.lines, comments)
	hoist(root.members)
	var b strings.Builder
	writeMembers(&b, root.members, "")
	for _, comment := range rest {
		b.WriteString(comment + "\n")
	}
	return Result{b.String(), c.lost}
}

// converter converts one file.
type converter struct {
	file   *model.File
	lines  *text.Lines
	lost   []Loss
	known  map[int]bool     // the lines that are converted or lost
	flow   *model.Flow      // of the agent, nil if it has none
	shapes map[string]shape // see shapes
}

// sections returns the sections of the file's first agent.
func (c *converter) sections() (all []prop) {
	for i, part := range c.file.Parts() {
		if i > 0 {
			c.loseAs(text.Span{Start: part.Offset, End: len(c.lines.Text())}, c.lineAt(part.Offset), "A further agent in the file")
			break
		}
		c.flow = part.Flow()
		for _, s := range part.Sections {
			switch p := c.section(s); {
			case s.Name() == "":
			case part.IsProfileSection(s) || s.Name() == "STEPS":
				c.loseProp(p)
			default:
				all = append(all, p)
			}
		}
	}
	return all
}

// comments returns the comments of the file, in order.
func (c *converter) comments() (comments []text.Span) {
	for _, e := range c.file.Doc.HeadsAndEntries() {
		for n := range e.Root().Preorder() {
			if n.Kind() == syntax.Comment {
				comments = append(comments, n.Span().Shift(e.Offset))
			}
		}
	}
	return comments
}

// lose notes that a span of the source is lost.
func (c *converter) lose(span text.Span, format string, args ...any) {
	c.mark(span)
	c.lost = append(c.lost, Loss{span, fmt.Sprintf(format, args...)})
}

// loseAs notes that a span is lost because YAML has no form for it, and tells it at its name.
func (c *converter) loseAs(span, name text.Span, what string) {
	c.mark(span)
	c.lose(name, "%s has no form in YAML and would be lost.", what)
}

// loseProp notes that a key of ABL is lost with all that is below it.
func (c *converter) loseProp(p prop) { c.loseAs(p.whole, p.keySpan(), "`"+p.WrittenName()+"`") }

// mark notes that the lines of a span are converted or lost.
func (c *converter) mark(span text.Span) {
	for line := c.lines.Line(span.Start); line <= c.lines.Line(max(span.Start, span.End-1)); line++ {
		c.known[line] = true
	}
}

// loseUnknownLines notes as lost the lines of which nothing is converted: those that fit no form. It
// returns the comments with those among the lines that only the platform takes for comments.
func (c *converter) loseUnknownLines(comments []text.Span) []text.Span {
	for _, span := range comments {
		if c.trimmed(text.Span{Start: c.lines.LineStart(c.lines.Line(span.Start)), End: span.Start}).Len() == 0 {
			c.mark(span)
		}
	}
	for line := range c.lines.LineCount() {
		span := c.trimmed(c.lines.LineText(line))
		if c.known[line] || span.Len() == 0 {
			continue
		}
		written := c.lines.Text()[span.Start:]
		isComment := strings.HasPrefix(written, "//")
		if strings.HasPrefix(written, "/*") {
			if end := strings.Index(written, "*/"); end > 0 {
				span.End, isComment = span.Start+end+len("*/"), true
			}
		}
		if !isComment {
			c.lose(span, "This line is not understood and would be lost.")
			continue
		}
		c.mark(span)
		comments = append(comments, span)
	}
	slices.SortFunc(comments, func(a, b text.Span) int { return a.Start - b.Start })
	return comments
}

// lineAt returns the span of the text on the line of an offset.
func (c *converter) lineAt(offset int) text.Span {
	return c.trimmed(c.lines.LineText(c.lines.Line(offset)))
}

// trimmed returns a span without the blanks around its text.
func (c *converter) trimmed(span text.Span) text.Span {
	s := strings.TrimRight(c.lines.Text()[span.Start:span.End], " \t\r")
	span.End = span.Start + len(s)
	span.Start = span.End - len(strings.TrimLeft(s, " \t\ufeff"))
	return span
}
