package indent

import (
	"bytes"
	"iter"
)

// token is an indivisible part of JSON; an empty list or object is one.
type token struct {
	text   []byte
	level  int // of the list or object that it belongs to; 0 for none
	gap    gap // before it, where that level has lines
	indent int // of a line
}

// gap is the white space between a token and the previous one.
type gap int

const (
	noGap gap = iota
	spaceGap
	lineGap
)

// gapSize returns the size of the gap in bytes.
func (t token) gapSize() int {
	switch t.gap {
	case spaceGap:
		return len(" ")
	case lineGap:
		return len("\n") + t.indent*len(indentation)
	}
	return 0
}

// tokens yields the tokens of JSON without white space.
func tokens(compact []byte) iter.Seq[token] {
	return func(yield func(token) bool) {
		level, before := 0, noGap
		for i := 0; i < len(compact); {
			end := tokenEnd(compact, i)
			t := token{compact[i:end], level, before, level}
			i, before = end, noGap
			switch string(t.text) {
			case "{", "[":
				level++
				before = lineGap
			case "}", "]":
				level--
				t.gap, t.indent = lineGap, level
			case ",":
				before = lineGap
			case ":":
				before = spaceGap
			}
			if !yield(t) {
				return
			}
		}
	}
}

func tokenEnd(compact []byte, i int) int {
	first := compact[i]
	switch {
	case first == '"':
		return stringEnd(compact, i)
	case bytes.HasPrefix(compact[i:], []byte("{}")) || bytes.HasPrefix(compact[i:], []byte("[]")):
		return i + 2
	case isMark(first):
		return i + 1
	}
	for i < len(compact) && !isMark(compact[i]) {
		i++
	}
	return i
}

func stringEnd(compact []byte, i int) int {
	for i++; compact[i] != '"'; i++ {
		if compact[i] == '\\' {
			i++
		}
	}
	return i + 1
}

func isMark(c byte) bool { return c == '{' || c == '}' || c == '[' || c == ']' || c == ',' || c == ':' }
