package text

import (
	"cmp"
	"slices"
)

// Compose returns edits of source with the effect of first and, after it, then. The
// edits in then are edits of the text that first gives. It returns an error if [Apply]
// does, for first or for then.
func Compose(source string, first, then []Edit) ([]Edit, error) {
	middle, err := Apply(source, first...)
	if err != nil {
		return nil, err
	}
	if _, err := Apply(middle, then...); err != nil {
		return nil, err
	}
	var out []Edit
	delta := 0 // of the edits in first that are done
	for all := orderChanges(first, then); len(all) > 0; {
		n, span := touchingChanges(all)
		later, more := splitChanges(all[:n], span.Start)
		made, err := Apply(middle[span.Start:span.End], later...)
		if err != nil {
			return nil, err
		}
		out = append(out, Edit{Span{span.Start - delta, span.End - delta - more}, made})
		delta += more
		all = all[n:]
	}
	return out, nil
}

// touchingChanges returns the number of changes at the beginning of all that touch each
// other, and the span that they cover.
func touchingChanges(all []change) (n int, span Span) {
	span = all[0].Span
	for n < len(all) && all[n].Start <= span.End {
		span.End = max(span.End, all[n].End)
		n++
	}
	return n, span
}

// splitChanges returns the second edits in all, with spans relative to the offset from,
// and by how many bytes the first edits make the text longer.
func splitChanges(all []change, from int) (then []Edit, delta int) {
	for _, c := range all {
		if c.isSecond {
			then = append(then, Edit{c.Shift(-from), c.text})
		}
		delta += c.delta
	}
	return then, delta
}

// change is a first or a second edit, with its span in the text between the first edits
// and the second ones.
type change struct {
	Span
	delta    int  // that it has brought, if it is one of the first
	isSecond bool // it is one of the second, and gives text
	text     string
}

func orderChanges(first, then []Edit) []change {
	var all []change
	delta := 0
	for _, e := range sortedEdits(first) {
		start := e.Start + delta
		all = append(all, change{Span: Span{start, start + len(e.NewText)}, delta: e.Delta()})
		delta += e.Delta()
	}
	for _, e := range then {
		all = append(all, change{Span: e.Span, isSecond: true, text: e.NewText})
	}
	slices.SortStableFunc(all, func(a, b change) int { return cmp.Compare(a.Start, b.Start) })
	return all
}
