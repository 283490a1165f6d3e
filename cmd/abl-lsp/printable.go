package main

import (
	"io"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// colourSequences matches the escape sequences that only set colours and styles.
var colourSequences = lazyregexp.New("\x1b\\[[0-9;]*m") // compiled once

// escapeForTerminal returns text that others have written in a form that is safe for a terminal.
// Characters that would move the cursor, send requests to the terminal or reverse the
// text are escaped. Colours are removed.
func escapeForTerminal(text string) string {
	return model.EscapeInvisible(strings.ReplaceAll(colourSequences.ReplaceAllString(text, ""), "\r\n", "\n"))
}

// printableWriter returns a writer for text that others have written. To a terminal it
// writes printable text; to a file or a program it writes the text unchanged. Each write
// must end at the end of a character.
func printableWriter(out io.Writer) io.Writer {
	if isTerminal(out) {
		return printableOutput{out}
	}
	return out
}

type printableOutput struct{ to io.Writer }

func (p printableOutput) Write(text []byte) (int, error) {
	if _, err := io.WriteString(p.to, escapeForTerminal(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}
