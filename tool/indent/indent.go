// Package indent writes JSON for people: each part of a value on a line of its own.
//
// The value and the spelling of its parts stay the same. Time and memory grow with the value alone,
// and the result has at most four times the compact size plus 16 KB. If indentation would take
// more, what is below some depth is written on one line.
package indent

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

const (
	maxGrowth     = 3        // bytes of white space for each byte of the compact value
	baseAllowance = 16 << 10 // bytes of white space for any value
	indentation   = "  "
	chunkSize     = 64 << 10 // bytes that are written at once
)

// Encode writes v as JSON and ends the line. It does not escape the characters of HTML.
func Encode(out io.Writer, v any) error {
	compact, err := exactjson.Encode(v)
	if err != nil {
		return err
	}
	w := writer{out: out}
	w.writeValue(compact)
	w.addText([]byte("\n"))
	w.flush()
	return w.err
}

// Text returns a JSON value in indented lines. It returns text that is not JSON unchanged.
func Text(raw []byte) string {
	var compact, lines bytes.Buffer
	if json.Compact(&compact, raw) != nil {
		return string(raw)
	}
	w := writer{out: &lines}
	w.writeValue(compact.Bytes())
	w.flush()
	return lines.String()
}

// writer writes a value in chunks, each of which ends with a token. err is the first error; after
// it nothing is written.
type writer struct {
	out     io.Writer
	pending []byte
	err     error
}

func (w *writer) writeValue(compact []byte) {
	deepest := indentedLevels(compact, baseAllowance+maxGrowth*len(compact))
	for t := range tokens(compact) {
		if t.level <= deepest {
			w.writeGap(t)
		}
		w.addText(t.text)
		if w.err != nil {
			return
		}
	}
}

func (w *writer) writeGap(t token) {
	switch t.gap {
	case spaceGap:
		w.pending = append(w.pending, ' ')
	case lineGap:
		w.pending = append(w.pending, '\n')
		for range t.indent {
			w.pending = append(w.pending, indentation...)
		}
	}
}

func (w *writer) addText(text []byte) {
	if len(text) < chunkSize {
		w.pending = append(w.pending, text...)
		text = nil
	}
	if text != nil || len(w.pending) >= chunkSize {
		w.flush()
		w.write(text)
	}
}

func (w *writer) flush() {
	w.write(w.pending)
	w.pending = w.pending[:0]
}

func (w *writer) write(text []byte) {
	if w.err == nil && len(text) > 0 {
		_, w.err = w.out.Write(text)
	}
}

// indentedLevels returns the number of levels whose parts can have lines of their own, so that
// white space takes at most room bytes.
func indentedLevels(compact []byte, room int) int {
	costs := []int{0} // by level
	for t := range tokens(compact) {
		if t.level == len(costs) && t.level*t.level <= room { // else those above take more than that
			costs = append(costs, 0)
		}
		if t.level < len(costs) {
			costs[t.level] += t.gapSize()
		}
	}
	for level, cost := range costs {
		if room -= cost; room < 0 {
			return level - 1
		}
	}
	return len(costs) - 1
}
