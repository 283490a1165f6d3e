package rest

import (
	"bytes"
	"mime"
	"strings"
	"unicode/utf8"

	"github.com/abl-lsp/abl-lsp/executor"
)

// isShownLive reports whether an answer is shown while it arrives: it is UTF-8 text that is useful
// before it is complete, which JSON is not.
func isShownLive(contentType string) bool {
	media, parameters, _ := mime.ParseMediaType(contentType)
	charset := parameters["charset"]
	return textMediaTypes.MatchString(media) && !isJSON(media) && (charset == "" || strings.EqualFold(charset, "utf-8"))
}

// textStream is a writer that reports text as it arrives. It never splits a character, and leaves out
// a byte-order mark at the beginning.
type textStream struct {
	report      func(executor.Progress)
	begun       bool
	partialRune []byte // the beginning of a character
}

func (p *textStream) Write(b []byte) (int, error) {
	text := append(p.partialRune, b...)
	whole := completeRunesLength(text)
	p.show(text[:whole])
	p.partialRune = bytes.Clone(text[whole:])
	return len(b), nil
}

// end reports the bytes of a last character that never became complete.
func (p *textStream) end() { p.show(p.partialRune) }

func (p *textStream) show(text []byte) {
	if len(text) > 0 && !p.begun {
		p.begun, text = true, bytes.TrimPrefix(text, []byte("\ufeff"))
	}
	if len(text) > 0 {
		p.report(executor.Progress{Chunk: strings.ToValidUTF8(string(text), "\ufffd")})
	}
}

// completeRunesLength returns the length of the longest beginning of text that ends with a whole character.
func completeRunesLength(text []byte) int {
	for i := len(text) - 1; i >= 0 && i >= len(text)-utf8.UTFMax; i-- {
		if utf8.RuneStart(text[i]) {
			if utf8.FullRune(text[i:]) {
				return len(text)
			}
			return i
		}
	}
	return len(text)
}
