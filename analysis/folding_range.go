package analysis

import (
	"cmp"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Fold is a part of a file that an editor can hide.
type Fold struct {
	// Span is the hidden text: it begins after the last character that stays on the first line, and
	// ends with the last hidden one. It contains a line end.
	Span text.Span
	Kind FoldKind

	// Closed says that a bracket follows the span, which should stay visible.
	Closed bool
}

// FoldKind is the kind of a fold.
type FoldKind int

// The kinds of folds.
const (
	BlockFold FoldKind = iota
	CommentFold
	ImportsFold
	RegionFold
)

// FoldingRanges returns the folds of the file at path, in the order of the text, longer ones first:
// sections, everything that has lines below it, brackets over several lines, runs of comments and
// of imports, and regions that comments mark.
func FoldingRanges(w model.Workspace, path string) []Fold {
	f := w.File(path)
	if f == nil || f.Doc == nil || f.Kind == model.YAML && f.YAMLTree() == nil {
		return nil
	}
	if f.IsYAMLAgent() {
		return foldsInYAML(f)
	}
	return foldsOf(f)
}

func foldsOf(f *model.File) []Fold {
	r := foldCollector{lines: f.Doc.Lines(), source: f.Doc.Text()}
	if tree := f.YAMLTree(); tree != nil {
		r.addYAML(tree)
	} else {
		for _, s := range f.Doc.Sections() {
			r.addSection(s)
		}
	}
	r.endRun()
	return sortedFolds(r.folds)
}

// sortedFolds returns the folds in order, each once.
func sortedFolds(folds []Fold) []Fold {
	slices.SortStableFunc(folds, func(a, b Fold) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(b.Span.End, a.Span.End))
	})
	return slices.CompactFunc(folds, func(a, b Fold) bool { return a.Span == b.Span })
}

// foldCollector collects the folds of a file.
type foldCollector struct {
	lines  *text.Lines
	source string
	folds  []Fold
	run    text.Span // of the comments on consecutive lines

	regions []int // the offsets of regions that are not closed yet
}

func (r *foldCollector) addSection(s syntax.Section) {
	if s.Name() != "" && !s.ContinuesFlow {
		r.addLines(r.withoutTrailing(s), BlockFold)
	}
	imports := text.Span{}
	for e := range s.HeadAndEntries() {
		if e.Kind() == syntax.Import && imports.Len() > 0 {
			imports.End = e.Span().End
		} else if e.Kind() != syntax.Comment {
			r.addLines(imports, ImportsFold)
			imports = text.Span{}
			if e.Kind() == syntax.Import {
				imports = e.Span()
			}
		}
		r.addEntry(e)
	}
	r.addLines(imports, ImportsFold)
}

// withoutTrailing returns the span of a section without the comments at its end that are not deeper
// than its keyword: they belong to what follows.
func (r *foldCollector) withoutTrailing(s syntax.Section) text.Span {
	span := s.Head.Span()
	for _, e := range slices.Backward(s.Entries) {
		if e.Kind() != syntax.Comment || r.indented(e.Offset) {
			span.End = max(span.End, e.Span().End)
			break
		}
	}
	return span
}

// indented reports whether something is before an offset on its line.
func (r *foldCollector) indented(offset int) bool {
	return offset > r.lines.LineStart(r.lines.Line(offset))
}

func (r *foldCollector) addEntry(e syntax.PositionedEntry) {
	for n := range e.Root().Preorder() {
		span := n.Span().Shift(e.Offset)
		switch n.Kind() {
		case syntax.Comment:
			r.addComment(span)
		case syntax.Tool, syntax.Add, syntax.Import, syntax.Step, syntax.Pair, syntax.ListItem, syntax.Scalar, syntax.Rule,
			syntax.ConditionalItem, syntax.Assignment, syntax.Mapping:
			r.addLines(span, BlockFold)
		case syntax.Parameters, syntax.ObjectType, syntax.List, syntax.Map, syntax.Arguments, syntax.ListExpression, syntax.ObjectExpression:
			r.addBracket(span)
		}
	}
}

// addLines folds a span below its first line.
func (r *foldCollector) addLines(span text.Span, kind FoldKind) {
	r.addFold(Fold{Span: text.Span{Start: r.lines.LineText(r.lines.Line(span.Start)).End, End: span.End}, Kind: kind})
}

// addBracket folds what is between two brackets.
func (r *foldCollector) addBracket(span text.Span) {
	inner := text.Span{Start: span.Start + 1, End: span.End}
	closed := span.Len() > 1 && strings.ContainsRune(")]}", rune(r.source[span.End-1]))
	if closed {
		inner.End--
	}
	r.addFold(Fold{Span: inner, Closed: closed})
}

func (r *foldCollector) addFold(f Fold) {
	if f.Span.Start < f.Span.End && r.lines.Line(f.Span.Start) < r.lines.Line(f.Span.End) {
		r.folds = append(r.folds, f)
	}
}

// addComment adds a comment; one after something else on its line belongs to no run.
func (r *foldCollector) addComment(span text.Span) {
	line := r.lines.Line(span.Start)
	if strings.TrimSpace(r.source[r.lines.LineStart(line):span.Start]) != "" {
		return
	}
	if mark := regionMark.FindStringSubmatch(r.source[span.Start:span.End]); mark != nil {
		r.endRun()
		r.addRegion(span, mark[1] != "")
		return
	}
	if r.run.Len() > 0 && r.lines.Line(r.run.End)+1 == line {
		r.run.End = span.End
		return
	}
	r.endRun()
	r.run = span
}

// regionMark matches a comment that begins or ends a region, as language-configuration.json of VS
// Code defines it.
var regionMark = lazyregexp.New(`^#\s*(end)?region\b`)

// addRegion adds a comment that begins a region, or ends the last open one.
func (r *foldCollector) addRegion(span text.Span, ends bool) {
	last := len(r.regions) - 1
	if !ends {
		r.regions = append(r.regions, span.Start)
	} else if last >= 0 {
		r.addLines(text.Span{Start: r.regions[last], End: span.End}, RegionFold)
		r.regions = r.regions[:last]
	}
}

func (r *foldCollector) endRun() {
	r.addLines(r.run, CommentFold)
	r.run = text.Span{}
}
