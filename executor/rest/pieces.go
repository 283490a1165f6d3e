package rest

import (
	"bytes"
	"mime"
	"strings"
	"unicode/utf8"

	"github.com/abl-lsp/abl-lsp/executor"
)

// isShownLive reports whether an answer is shown as it comes: it is text in UTF-8 that means
// something before it ends, as JSON does not.
func isShownLive(contentType string) bool {
	media, parameters, _ := mime.ParseMediaType(contentType)
	charset := parameters["charset"]
	return textMediaTypes.MatchString(media) && !isJSON(media) && (charset == "" || strings.EqualFold(charset, "utf-8"))
}

// pieces shows what is written to it, never a part of a character, nor the byte-order mark
// at its beginning.
type pieces struct {
	report      func(executor.Progress)
	begun       bool
	partialRune []byte // the beginning of a character
}

func (p *pieces) Write(b []byte) (int, error) {
	text := append(p.partialRune, b...)
	whole := wholeRunes(text)
	p.show(text[:whole])
	p.partialRune = bytes.Clone(text[whole:])
	return len(b), nil
}

// end shows what waits for the rest of a character that does not come.
func (p *pieces) end() { p.show(p.partialRune) }

func (p *pieces) show(text []byte) {
	if len(text) > 0 && !p.begun {
		p.begun, text = true, bytes.TrimPrefix(text, []byte("\ufeff"))
	}
	if len(text) > 0 {
		p.report(executor.Progress{Chunk: strings.ToValidUTF8(string(text), "\ufffd")})
	}
}

// wholeRunes is how much of a text ends with a whole character.
func wholeRunes(text []byte) int {
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
