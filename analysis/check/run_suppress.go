package check

import (
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// suppressionPrefix begins a comment that suppresses diagnostics, after `#`.
const suppressionPrefix = "abl:ignore"

// suppression is a comment that suppresses diagnostics.
type suppression struct {
	span      text.Span // of the comment, in the file
	codes     []suppressedCode
	line      int  // that it is about, -1 for none
	onOwnLine bool // it is alone on its line
}

// suppressedCode is one of the codes that a comment names.
type suppressedCode struct {
	name string
	span text.Span
}

// withoutSuppressed removes the findings that the comments of a file suppress, and reports comments
// that suppress nothing.
func (r *run) withoutSuppressed(f *model.File, found []model.Diagnostic, o Options) []model.Diagnostic {
	doc, comments := f.Doc, r.suppressions()
	if len(comments) == 0 {
		return found
	}
	type place struct {
		line int
		code string
	}
	used := map[place]bool{}
	for _, c := range comments {
		for _, code := range c.codes {
			used[place{c.line, code.name}] = false
		}
	}
	begin := lineStarts(f)
	found = slices.DeleteFunc(found, func(d model.Diagnostic) bool {
		line := doc.Lines().Line(d.Span.Start)
		for _, at := range []place{{line, d.Code}, {begin[line], d.Code}} {
			if _, named := used[at]; named && at.line >= 0 {
				used[at] = true
				return true
			}
		}
		return false
	})
	for _, d := range r.unrepaired { // it also suppresses what follows from a slip
		line := doc.Lines().Line(d.Span.Start)
		for _, at := range []place{{line, d.Code}, {begin[line], d.Code}} {
			if _, named := used[at]; named && at.line >= 0 {
				used[at] = true
			}
		}
	}
	for _, c := range comments {
		for i, code := range c.codes {
			at := place{c.line, code.name}
			if c.onOwnLine && r.hasCheck(code.name, o) && !used[at] {
				found = append(found, unusedCode(doc, c, i))
			}
			used[at] = false // a second mention is one too many
		}
	}
	slices.SortStableFunc(found, byPosition)
	return found
}

// hasCheck reports whether a run with these options has a check of that code.
func (r *run) hasCheck(code string, o Options) bool {
	return slices.ContainsFunc(r.checks, func(c Check) bool {
		return c.Code == code && (o.Standard || !c.OnlyStandard)
	})
}

// suppressionsIn returns the comments of a file that suppress diagnostics.
func suppressionsIn(f *model.File) []suppression {
	doc := f.Doc
	if !strings.Contains(doc.Text(), suppressionPrefix) {
		return nil
	}
	var out []suppression
	next := nextLines(f)
	for span := range commentsOf(f) {
		if c, ok := parseSuppression(doc.Text()[span.Start:span.End], span.Start); ok {
			at := doc.Lines().Line(c.span.Start)
			c.onOwnLine = indentation(doc, at) == doc.Text()[doc.Lines().LineStart(at):c.span.Start]
			c.line = -1
			if c.onOwnLine {
				c.line = next[at]
			}
			out = append(out, c)
		}
	}
	return out
}

// commentsOf returns the comments of a file that may suppress diagnostics.
func commentsOf(f *model.File) iter.Seq[text.Span] {
	if f.YAML != nil {
		return slices.Values(f.YAML.Comments())
	}
	return func(yield func(text.Span) bool) {
		for _, p := range f.Doc.HeadsAndEntries() {
			if !strings.Contains(p.Text(), suppressionPrefix) {
				continue
			}
			for n := range p.Root().Preorder() {
				if n.Kind() == syntax.Comment && !yield(n.Span().Shift(p.Offset)) {
					return
				}
			}
		}
	}
}

// parseSuppression reads comment, which is at offset at. The text after ` -- ` is a note of its
// author. The second result is false if the comment does not begin as a suppression does.
func parseSuppression(comment string, at int) (suppression, bool) {
	body := strings.TrimLeft(strings.TrimPrefix(comment, "#"), " \t")
	list, ok := strings.CutPrefix(body, suppressionPrefix)
	if !ok || list != "" && strings.IndexByte(" \t", list[0]) < 0 {
		return suppression{}, false
	}
	c := suppression{span: text.Span{Start: at, End: at + len(comment)}}
	start := c.span.End - len(list)
	list, _, _ = strings.Cut(list, " -- ")
	for part := range strings.SplitSeq(list, ",") {
		name := strings.TrimSpace(part)
		if name != "" {
			from := start + strings.Index(part, name)
			c.codes = append(c.codes, suppressedCode{name, text.Span{Start: from, End: from + len(name)}})
		}
		start += len(part) + 1
	}
	return c, true
}

// nextLines returns for each line of a file the next one that is neither blank nor a comment, or
// -1. In YAML `//` begins no comment.
func nextLines(f *model.File) []int {
	doc := f.Doc
	next := make([]int, doc.Lines().LineCount())
	at := -1
	for i := range slices.Backward(next) {
		next[i] = at
		line := strings.TrimLeft(lineText(doc, i), blanks)
		isComment := strings.HasPrefix(line, "#") || f.YAML == nil && strings.HasPrefix(line, "//")
		if line != "" && !isComment {
			at = i
		}
	}
	return next
}

// lineStarts returns for each line the line above which a comment applies to it: its own, or the
// first line of the block of text, the value or the signature that continues in it. It is -1 for
// comments, and for lines that no comment can be above.
func lineStarts(f *model.File) []int {
	if f.YAML != nil {
		return yamlLineStarts(f)
	}
	doc := f.Doc
	out := make([]int, doc.Lines().LineCount())
	const goesOn, begins, comment = 0, 1, 2
	for _, p := range doc.HeadsAndEntries() {
		for n := range p.Root().Preorder() {
			what, above := begins, n.Parent().Kind()
			switch {
			case n.Kind() == syntax.Comment:
				what = comment
			case n.Span().Start != 0 && above != syntax.Block && above != syntax.ListItem:
				continue
			}
			offset := p.Offset + n.Span().Start
			line := doc.Lines().Line(offset)
			if offset == doc.Lines().LineStart(line)+len(indentation(doc, line)) {
				out[line] = what
			}
		}
	}
	last := -1
	for line, what := range out {
		if what == begins {
			last = line
		}
		out[line] = last
		if what == comment {
			out[line] = -1
		}
	}
	return out
}

// yamlLineStarts is lineStarts for YAML, in which a text may continue on further lines.
func yamlLineStarts(f *model.File) []int {
	lines := f.Doc.Lines()
	out := make([]int, lines.LineCount())
	for i := range out {
		out[i] = i
	}
	for _, c := range f.YAML.Comments() {
		if line := lines.Line(c.Start); f.Doc.Text()[lines.LineStart(line):c.Start] == indentation(f.Doc, line) {
			out[line] = -1
		}
	}
	for n := range scalars(File{File: f}) {
		first := lines.Line(n.Span.Start)
		for i := first + 1; i <= lines.Line(n.Span.End); i++ {
			out[i] = first
		}
	}
	return out
}

// Suppressor writes the comments that suppress diagnostics of one file.
type Suppressor struct {
	file       *model.File
	doc        *syntax.Document // as its author writes it
	lineStarts []int
	comments   []suppression
}

// endingsWithoutComments are the endings of files in which `#` begins no comment.
var endingsWithoutComments = []string{".json", ".ts", ".mts", ".js", ".mjs"}

// NewSuppressor returns the Suppressor for f. It offers no fix if f is nil, has no text, or cannot
// have comments.
func NewSuppressor(f *model.File) Suppressor {
	if f == nil || f.Doc == nil || isUnreadableText(f.Doc) || slices.Contains(endingsWithoutComments, strings.ToLower(filepath.Ext(f.Path))) {
		return Suppressor{}
	}
	written := f.Written()
	return Suppressor{f, written.Doc, lineStarts(written), suppressionsIn(written)}
}

// Fix returns the fix that suppresses d. It adds a comment above the line of d, or above the first
// line of the value or block that continues in that line; if there is such a comment already, it
// adds the code to it. ok is false if no comment can be there.
func (s Suppressor) Fix(d model.Diagnostic) (fix model.Fix, ok bool) {
	if d.Code == "" || d.Code == unusedSuppression.Code || s.doc == nil {
		return model.Fix{}, false
	}
	lines := s.doc.Lines()
	line := s.lineStarts[s.file.Positions().Line(d.Span)]
	if line < 0 {
		return model.Fix{}, false
	}
	title := "Suppress `" + d.Code + "` here"
	for _, c := range s.comments {
		if n := len(c.codes); c.line == line && n > 0 {
			fix = model.ReplaceFix(title, s.file.InFile(text.Span{Start: c.codes[n-1].span.End, End: c.codes[n-1].span.End}), ", "+d.Code)
			fix.Best = false
			return fix, true
		}
	}
	at, indent := lines.LineStart(line), indentation(s.doc, line)
	if rest, mark := strings.CutPrefix(indent, "\uFEFF"); mark {
		at, indent = at+len("\uFEFF"), rest
	}
	fix = model.ReplaceFix(title, s.file.InFile(text.Span{Start: at, End: at}), indent+"# "+suppressionPrefix+" "+d.Code+"\n")
	fix.Best = false
	return fix, true
}
