package model

import (
	"slices"
)

// NaoTextAt is the text of a tool of Nao's that names parameters at an offset, with the
// tool.
func NaoTextAt(f *File, offset int) (t PlacedTool, x NaoText, ok bool) {
	t, ok = f.ForeignAround(offset)
	if !ok {
		return t, x, false
	}
	for _, x := range NaoTexts(f, t, naoKeys...) {
		if inner := x.Inner(); inner.Touches(offset) && (x.Key == "statement" || !slices.Contains(Untemplated, x.Key)) {
			return t, x, true
		}
	}
	return t, x, false
}
