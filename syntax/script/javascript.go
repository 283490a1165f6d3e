package script

import (
	"strings"
	"unicode/utf8"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// The lines before and after a body. They are lines of their own, so that columns do
// not change and a comment at the end of the body hides nothing.
const (
	javaScriptHead = "async function _() {\n"
	javaScriptTail = "\n}"
)

// javaScriptStop is a mistake that the parser finds last. Without a mistake esbuild
// would print the code, which takes very long for deeply nested code.
const javaScriptStop = "\nbreak"

func parseJavaScript(body string) *Fault {
	if at := tooManyBraces(body); at >= 0 {
		return &Fault{text.Span{Start: at, End: at + 1}, "This `}` closes nothing."}
	}
	m := javaScriptError(javaScriptHead + body + javaScriptTail)
	if m == nil || m.Location == nil || strings.HasPrefix(m.Text, "panic:") {
		return nil
	}
	start := lineStart(body, m.Location.Line-2) + m.Location.Column
	span := text.Span{Start: start, End: start + m.Location.Length}
	if start >= len(body) {
		return &Fault{lastCharacter(body), "The code ends too early: a bracket, a string or a statement is not complete."}
	}
	return &Fault{widenEmpty(body, span), errorSentence(m.Text)}
}

// javaScriptError returns the first error of a source, nil if there is none.
func javaScriptError(source string) *api.Message {
	result := api.Transform(source+javaScriptStop, api.TransformOptions{
		Loader:   api.LoaderJS,
		Target:   api.ESNext,
		LogLevel: api.LogLevelSilent,
	})
	last := lineCount(source)
	for _, m := range result.Errors {
		if m.Location == nil || m.Location.Line <= last || !strings.HasPrefix(m.Text, "Cannot use \"break\"") {
			return &m
		}
	}
	return nil
}

// maxBraces is the number of closing braces that are tried to find an extra one.
const maxBraces = 20

// tooManyBraces returns the offset of a `}` that ends the function too early, or -1.
// Strings and comments would mislead a count, so each candidate is tried with the
// parser.
func tooManyBraces(body string) int {
	depth, tries := 0, 0
	for i := range len(body) {
		switch body[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth >= 0 || tries == maxBraces {
				continue
			}
			tries++
			if javaScriptError(javaScriptHead+body[:i+1]) == nil {
				return i
			}
		}
	}
	return -1
}

// lineStart returns the offset of a line, which counts from 0; an offset beyond the end of the body
// if there are fewer lines.
func lineStart(body string, line int) int {
	at := 0
	for ; line > 0; line-- {
		n := strings.IndexAny(body[at:], javaScriptLineEnds)
		if n < 0 {
			return len(body) + 1
		}
		at += n + lineEndLen(body[at+n:])
	}
	return at
}

// lineCount returns how many lines a source has.
func lineCount(source string) int {
	n := 1
	for at := 0; ; n++ {
		i := strings.IndexAny(source[at:], javaScriptLineEnds)
		if i < 0 {
			return n
		}
		at += i + lineEndLen(source[at+i:])
	}
}

const javaScriptLineEnds = "\r\n\u2028\u2029"

// lineEndLen returns the length of the line break that s begins with.
func lineEndLen(s string) int {
	if strings.HasPrefix(s, "\r\n") {
		return 2
	}
	_, n := utf8.DecodeRuneInString(s)
	return n
}

var quotedWord = lazyregexp.New(`"([^"]*)"`)

// errorSentence returns a message of esbuild as a sentence like those of the other messages.
func errorSentence(message string) string {
	if strings.HasPrefix(message, "The JSX syntax") {
		return "Markup (JSX) is not part of JavaScript."
	}
	message = quotedWord.ReplaceAllString(strings.TrimRight(message, ":. "), "`$1`")
	if cut := []rune(message); len(cut) > 200 {
		message = string(cut[:200]) + "…"
	}
	return message + "."
}
