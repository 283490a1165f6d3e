// Package script checks the code of a sandbox tool: whether it parses as the body of a
// function, and what its `return`s return.
//
// It only reports what is certain. The size of the code bounds the time of a check. The
// package does not run the code and does no I/O, and the same code always has the same
// result.
package script

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// MaxBytes is the size up to which code is checked.
const MaxBytes = 32 << 10

// Runtime is the language that code is written in.
type Runtime string

// The runtimes.
const (
	JavaScript Runtime = "javascript" // the body of an async function
	Python     Runtime = "python"     // Python 3, the body of a def
)

// Fault is a part of the code that does not parse, and why.
type Fault struct {
	Span    text.Span // in bytes of the code; never empty, unless the code is
	Message string    // one sentence
}

// Parse returns the first fault of the body of a function, nil if there is none that is
// certain. A body without a statement has none, and neither has one of more than
// MaxBytes or one that is no UTF-8.
func Parse(r Runtime, body string) *Fault {
	if len(body) > MaxBytes || !utf8.ValidString(body) {
		return nil
	}
	switch r {
	case JavaScript:
		return parseJavaScript(body)
	case Python:
		return parsePython(body)
	}
	return nil
}

// Return is a `return` of the body itself, not of a function inside it.
type Return struct {
	Span text.Span // of the statement

	// Literal says that the statement returns an object or a dictionary whose keys are
	// all written there. Keys are these keys.
	Literal bool
	Keys    []string
}

// Returns returns the returns of the body of a function. ok is false if the body does
// not parse or is longer than MaxBytes, or if it also returns values in another way.
func Returns(r Runtime, body string) (returns []Return, ok bool) {
	if len(body) > MaxBytes || !utf8.ValidString(body) || Parse(r, body) != nil {
		return nil, false
	}
	switch r {
	case JavaScript:
		return returnsOf(javascript, body)
	case Python:
		lines, _ := readLines(body)
		if slices.ContainsFunc(lines.lines, logicalLine.tooLong) {
			return nil, false
		}
		return returnsOf(python, lines.flat)
	}
	return nil, false
}

// widenEmpty extends an empty span by the character after it, or else before it.
func widenEmpty(body string, s text.Span) text.Span {
	s.Start = min(max(s.Start, 0), len(body))
	s.End = min(max(s.End, s.Start), len(body))
	if !s.Empty() {
		return s
	}
	if r, n := utf8.DecodeRuneInString(body[s.Start:]); n > 0 && r != '\n' {
		s.End += n
		return s
	}
	_, n := utf8.DecodeLastRuneInString(body[:s.Start])
	s.Start -= n
	return s
}

// lastCharacter returns the span of the last character of the body that is no white space.
func lastCharacter(body string) text.Span {
	end := len(strings.TrimRight(body, " \t\r\n\f"))
	return widenEmpty(body, text.Span{Start: end, End: end})
}
