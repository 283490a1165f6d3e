package main

import (
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// colours are the escape sequences that only dress text up.
var colours = lazyregexp.New("\x1b\\[[0-9;]*m") // compiled once

// printable is text that others have written, as a terminal may have it: what would
// move the cursor, ask the terminal for something or turn the text around is written
// out. Colours go.
func printable(text string) string {
	return model.EscapeInvisible(strings.ReplaceAll(colours.ReplaceAllString(text, ""), "\r\n", "\n"))
}

// printableWriter is a writer for text of others: as it is for a file or a program, printable
// for a terminal. What is written to it ends at the end of a character.
func printableWriter(out io.Writer) io.Writer {
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return printableOutput{out}
	}
	return out
}

type printableOutput struct{ to io.Writer }

func (p printableOutput) Write(text []byte) (int, error) {
	if _, err := io.WriteString(p.to, printable(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}
