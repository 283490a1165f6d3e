// Package indent writes JSON for people: the parts of a value on lines of their own.
//
// It promises the same value with the same spelling, in time and memory that grow with
// the value alone, and no more than four times its compact size and 16 KB. Where
// indentation would take more, what lies below some depth is written in one line.
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

// Encode writes v as JSON and ends the line. Signs of HTML are written as they are.
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

// Text is a JSON value in lines. What is not JSON is given as it is.
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

// writer writes a value in pieces, each of which ends with a token. err is why the rest
// was not written.
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

// indentedLevels is the number of levels whose parts can have lines of their own, so that no more
// than room is taken by white space.
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
