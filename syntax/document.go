// Package syntax turns ABL text into a [Document]: text, lines and tree of one
// version in one immutable value.
//
// Parsing never fails: any bytes give a Document. Mistakes are in it as nodes of
// kind [Invalid], as lines without a known form ([Scalar] instead of a pair), or
// as a [Problem]. [Document.Apply] returns the next version, which equals a fresh
// [Parse] of the new text.
//
// A Document is a list of sections, a [Section] a list of entries, and an
// [Entry] is the unit of reuse: it does not know its position, so after an edit
// elsewhere the next version has the same pointer. A value that is derived from an
// Entry can be kept with it by [Entry.Memoize]. Spans inside an entry are relative to
// its start; [PositionedEntry.Offset] is that start.
//
// The package does no I/O. The tree-sitter tree never leaves it.
package syntax

import (
	"context"
	"iter"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"

	tree_sitter_abl "github.com/abl-lsp/abl-lsp/syntax/grammar/bindings/go"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// MaxBytes is the size up to which a text is parsed. The Document of a longer text
// has no sections and the Problem TooLarge.
const MaxBytes = 1 << 20

// MaxLevels is the number of levels of indentation that are told apart; the
// grammar's scanner has the same number. Deeper lines are read as lines of the
// deepest level, and the Document has the Problem TooDeep.
const MaxLevels = 200

// Document is one version of a text, parsed. It never changes.
type Document struct {
	lines    *text.Lines
	tree     *sitter.Tree // of the text with every bad byte replaced; nil if too large, or read once
	sections []Section
	problems []Problem
	later    *laterParse // of a document of ParseLater, which sets the fields above; else nil
}

// laterParse is the state of a document that is parsed when its tree is first asked for.
type laterParse struct {
	once     sync.Once
	isParsed atomic.Bool
}

// Problem is something wrong with a text as a whole.
type Problem struct {
	Kind ProblemKind
	Span text.Span
}

// ProblemKind is the kind of a Problem.
type ProblemKind int

// The problems.
const (
	TooLarge ProblemKind = iota // nothing was parsed
	NotUTF8                     // the span holds the first bytes that are no UTF-8
	TooDeep                     // the span is the first line that is deeper than MaxLevels
)

// Parse parses a text.
func Parse(source string) *Document { return parse(text.NewLines(source), nil, nil) }

// ParseOnce parses a text that will hardly be edited. It frees the tree, so the first edit
// parses all of the text again.
func ParseOnce(source string) *Document {
	d := Parse(source)
	if d.tree != nil {
		d.tree.Close()
		d.tree = nil
	}
	return d
}

// ParseLater returns the document of a text that is probably not ABL. It is parsed when its sections
// or problems are first asked for; until then its next versions are not parsed, either.
func ParseLater(source string) *Document { return unparsed(text.NewLines(source)) }

func unparsed(lines *text.Lines) *Document { return &Document{lines: lines, later: new(laterParse)} }

// parsed parses the document if nobody has asked for its tree yet, and returns it.
func (d *Document) parsed() *Document {
	if d.later != nil {
		d.later.once.Do(func() {
			p := parse(d.lines, nil, nil)
			d.tree, d.sections, d.problems = p.tree, p.sections, p.problems
			d.later.isParsed.Store(true)
		})
	}
	return d
}

func (d *Document) isUnparsed() bool { return d.later != nil && !d.later.isParsed.Load() }

// Unparsed returns the document of the same text as [ParseLater] returns it.
func (d *Document) Unparsed() *Document {
	if d.isUnparsed() {
		return d
	}
	return unparsed(d.lines)
}

// WithText returns the next version, which has another text throughout.
func (d *Document) WithText(source string) *Document {
	if d.isUnparsed() {
		return ParseLater(source)
	}
	return Parse(source)
}

// TooLarge reports whether the text was too large to be parsed.
func (d *Document) TooLarge() bool { return len(d.lines.Text()) > MaxBytes }

// Text returns the text of this version.
func (d *Document) Text() string { return d.lines.Text() }

// Lines returns the lines of this version.
func (d *Document) Lines() *text.Lines { return d.lines }

// Sections returns the sections of the top level, in order, with the comments and
// stray lines between them. The slice is shared: do not change it.
func (d *Document) Sections() Sections { return d.parsed().sections }

// HeadsAndEntries yields the head and then the entries of each section, each with its section.
func (d *Document) HeadsAndEntries() iter.Seq2[Section, PositionedEntry] {
	return func(yield func(Section, PositionedEntry) bool) {
		for _, s := range d.Sections() {
			for e := range s.HeadAndEntries() {
				if !yield(s, e) {
					return
				}
			}
		}
	}
}

// Problems returns the problems of the text as a whole.
func (d *Document) Problems() []Problem { return d.parsed().problems }

// IsUnreadable reports whether the text has the problem TooLarge or NotUTF8.
func (d *Document) IsUnreadable() bool { return d.TooLarge() || !utf8.ValidString(d.Text()) }

// Apply returns the next version. The spans of each edit are in the text after the
// edits before it, as in LSP; a span beyond the end is cut to fit.
func (d *Document) Apply(edits ...text.Edit) *Document {
	for _, e := range edits {
		d = d.apply(e)
	}
	return d
}

func (d *Document) apply(e text.Edit) *Document {
	size := len(d.Text())
	e.Start = min(max(e.Start, 0), size)
	e.End = min(max(e.End, e.Start), size)
	lines := d.lines.Apply(e)
	if d.isUnparsed() {
		return unparsed(lines)
	}
	if d.tree == nil {
		return parse(lines, nil, newReuse(d.sections, e))
	}
	// Closing the tree also keeps it alive until then: a tree without references
	// is freed, even while the parser reads it.
	tree := d.tree.Copy()
	defer tree.Close()
	changed := changedSpan(d.Text(), e.Span)
	end := changed.End + e.Delta()
	tree_sitter_abl.Edit(tree, sitter.EditInput{
		StartIndex:  uint32(changed.Start),
		OldEndIndex: uint32(changed.End),
		NewEndIndex: uint32(end),
		StartPoint:  treeSitterPoint(d.lines, changed.Start),
		OldEndPoint: treeSitterPoint(d.lines, changed.End),
		NewEndPoint: treeSitterPoint(lines, end),
	})
	return parse(lines, tree, newReuse(d.sections, e))
}

// changedSpan returns the span that tree-sitter must take as edited. An edit that cuts a
// character in two, or completes one, also changes the bytes next to it.
func changedSpan(source string, s text.Span) text.Span {
	for n := utf8.UTFMax; n > 1 && s.Start > 0 && source[s.Start-1] >= utf8.RuneSelf; n-- {
		s.Start--
	}
	for n := utf8.UTFMax; n > 1 && s.End < len(source) && source[s.End] >= utf8.RuneSelf; n-- {
		s.End++
	}
	return s
}

// treeSitterPoint returns tree-sitter's row and column. A lone \r ends a line here and not
// in tree-sitter. That does no harm, since the grammar never asks for a column
// and this package never asks for a row.
func treeSitterPoint(lines *text.Lines, offset int) sitter.Point {
	line := lines.Line(offset)
	return sitter.Point{Row: uint32(line), Column: uint32(offset - lines.LineStart(line))}
}

func parse(lines *text.Lines, old *sitter.Tree, reuse *entryReuse) *Document {
	d := &Document{lines: lines}
	source := lines.Text()
	if d.TooLarge() {
		d.problems = append(d.problems, Problem{TooLarge, text.Span{End: len(source)}})
		return d
	}
	clean, bad := replaceBadBytes(source)
	if bad >= 0 {
		d.problems = append(d.problems, Problem{NotUTF8, text.Span{Start: bad, End: bad + 1}})
	}
	parser := sitter.NewParser()
	defer parser.Close()
	parser.SetLanguage(tree_sitter_abl.Language())
	tree, err := parser.ParseCtx(context.Background(), old, clean)
	if err != nil { // only without a language, or cancelled
		panic("syntax: " + err.Error())
	}
	d.tree = tree
	d.read(tree, reuse)
	return d
}

// replaceBadBytes returns the text for tree-sitter. It has the same length; bytes that
// tree-sitter's lexer takes for the end or for an error are replaced. A text without such
// bytes is not copied, so the result must not be changed. bad is the offset of the first
// byte that is no UTF-8, or -1.
func replaceBadBytes(s string) (clean []byte, bad int) {
	if strings.IndexByte(s, 0) < 0 && utf8.ValidString(s) {
		return unsafe.Slice(unsafe.StringData(s), len(s)), -1
	}
	clean, bad = []byte(s), -1
	for i := 0; i < len(clean); {
		r, n := utf8.DecodeRune(clean[i:])
		invalid := r == utf8.RuneError && n == 1
		if invalid && bad < 0 {
			bad = i
		}
		if invalid || r == 0 {
			clean[i] = '?'
		}
		i += n
	}
	return clean, bad
}
