package agentyaml

import (
	"sort"
	"sync/atomic"

	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Unit is a part of an agent that is written by itself: a tool, a step, or any other section.
type Unit struct {
	Span text.Span // in the YAML, with its key

	// Sound is set once the checks of the YAML have found nothing in the unit. All versions of the
	// agent in which the unit reads the same share it.
	Sound *atomic.Bool

	value     *yaml.Node
	field     *tool.Field
	generated indexRange // of ABL
	pieces    indexRange
	comments  indexRange // of the document
	looked    int        // it has the comments up to this offset
}

// indexRange is the indices from from up to, but not including, to.
type indexRange struct{ from, to int }

// Unit returns the unit with that value, nil if there is none.
func (a *Agent) Unit(value *yaml.Node) *Unit {
	if u := a.unitAt(value.Span.Start); u != nil && u.value == value {
		return u
	}
	return nil
}

// unitAt returns the unit whose value begins at an offset, nil if there is none.
func (a *Agent) unitAt(start int) *Unit {
	i := sort.Search(len(a.Units), func(i int) bool { return a.Units[i].value.Span.Start >= start })
	if i == len(a.Units) || a.Units[i].value.Span.Start != start {
		return nil
	}
	return &a.Units[i]
}

// sameUnit returns the unit of this version that reads the same as one of the next version, nil if
// there is none. It has not moved, or as far as the end of the text.
func (a *Agent) sameUnit(next *yaml.Document, value *yaml.Node, field *tool.Field) *Unit {
	if a == nil {
		return nil
	}
	moved := len(next.Lines().Text()) - len(a.source.Lines().Text())
	for _, by := range []int{0, moved} {
		u := a.unitAt(value.Span.Start - by)
		if u != nil && u.value.Origin() != nil && u.value.Origin() == value.Origin() && u.field == field {
			return u
		}
	}
	return nil
}

// unit writes a unit by calling write, or copies it from the previous version. write may depend
// only on the value with its key, on the field, and on the comments.
func (w *writer) unit(span text.Span, value *yaml.Node, field *tool.Field, write func()) {
	if w.copyUnit(span, value, field) {
		return
	}
	u := Unit{Span: span, Sound: new(atomic.Bool), value: value, field: field}
	u.generated.from, u.pieces.from, u.comments.from = w.out.Len(), len(w.pieces), w.commentIndex()
	w.looked = 0
	write()
	u.generated.to, u.pieces.to, u.comments.to = w.out.Len(), len(w.pieces), w.commentIndex()
	u.looked = w.looked
	w.units = append(w.units, u)
}

// commentIndex returns the index of the first comment that is not written yet.
func (w *writer) commentIndex() int { return len(w.doc.Comments()) - len(w.comments) }

// copyUnit copies a unit from the previous version. It returns false if that does not have it with
// the same comments.
func (w *writer) copyUnit(span text.Span, value *yaml.Node, field *tool.Field) bool {
	old := w.previous.sameUnit(w.doc, value, field)
	if old == nil || old.generated.from == 0 || w.out.Len() == 0 || !w.hasSameComments(old, span.Start-old.Span.Start) {
		return false
	}
	u, by, generated := *old, span.Start-old.Span.Start, w.out.Len()-old.generated.from
	u.Span, u.value, u.looked = span, value, old.looked+by
	u.generated = old.generated.shift(generated)
	u.pieces = old.pieces.shift(len(w.pieces) - old.pieces.from)
	u.comments = old.comments.shift(w.commentIndex() - old.comments.from)
	w.units = append(w.units, u)
	w.write(w.previous.ABL[old.generated.from:old.generated.to])
	for _, p := range w.previous.Pieces[old.pieces.from:old.pieces.to] {
		p.Generated, p.Source = p.Generated.Shift(generated), p.Source.Shift(by)
		w.pieces = append(w.pieces, p)
	}
	w.comments = w.comments[old.comments.to-old.comments.from:]
	return true
}

// hasSameComments reports whether the comments that are written with a unit are those of the
// previous version, moved by so many bytes.
func (w *writer) hasSameComments(old *Unit, by int) bool {
	same := w.previous.source.Comments()[old.comments.from:old.comments.to]
	if len(w.comments) < len(same) {
		return false
	}
	source := w.previous.source.Lines().Text()
	for i, c := range same {
		now := w.comments[i]
		if now != c.Shift(by) || w.src[now.Start:now.End] != source[c.Start:c.End] {
			return false
		}
	}
	rest := w.comments[len(same):]
	return len(rest) == 0 || rest[0].Start >= old.looked+by
}

func (r indexRange) shift(by int) indexRange { return indexRange{r.from + by, r.to + by} }
