package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// style is how text looks on a terminal: the parameters of the escape sequence.
type style string

const (
	bold       style = "1"
	faint      style = "2"
	green      style = "32"
	cyan       style = "36"
	boldRed    style = "1;31"
	boldYellow style = "1;33"
	boldBlue   style = "1;34"
)

// colourMode is the value of --color.
type colourMode string

// The values of --color.
const (
	colourAuto   colourMode = "auto" // on a terminal, unless NO_COLOR is set
	colourAlways colourMode = "always"
	colourNever  colourMode = "never"
)

func colourModes() []string {
	return []string{string(colourAuto), string(colourAlways), string(colourNever)}
}

func (m *colourMode) String() string { return string(*m) }

// Type is the word that stands for the value in the help.
func (m *colourMode) Type() string { return "when" }

// Set returns an error if there is no such mode.
func (m *colourMode) Set(word string) error {
	if !slices.Contains(colourModes(), word) {
		return fmt.Errorf("it is one of %s", strings.Join(colourModes(), ", "))
	}
	*m = colourMode(word)
	return nil
}

// hasColours reports whether a command colours the text that it writes to out. Reports for
// programs never have colours.
func hasColours(cmd *cobra.Command, out io.Writer) bool {
	if !isForPeople(cmd) {
		return false
	}
	mode := colourAuto
	if f := cmd.Flag("color"); f != nil {
		mode = colourMode(f.Value.String())
	}
	if mode != colourAuto {
		return mode == colourAlways
	}
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(cmd.OutOrStdout()) && isTerminal(out)
}

// isForPeople reports whether a command writes text, and no format for programs.
func isForPeople(cmd *cobra.Command) bool {
	f := cmd.Flag("format")
	return f == nil || f.Value.String() == "text"
}

// textWriter writes text for people. What others have written, and may hold anything, goes
// through its methods escape and paint first.
type textWriter struct {
	io.Writer
	coloured bool
	escaped  bool
}

// newTextWriter returns a writer for the text of a command. What others have written is
// unchanged in a file, so that programs can read it.
func newTextWriter(cmd *cobra.Command, out io.Writer) textWriter {
	coloured := hasColours(cmd, out)
	return textWriter{out, coloured, coloured || isTerminal(out)}
}

// newMessageWriter returns a writer for messages, which are always safe for a terminal.
func newMessageWriter(cmd *cobra.Command, out io.Writer) textWriter {
	return textWriter{out, hasColours(cmd, out), true}
}

// escape returns text that others have written, safe for a terminal if it may appear on one.
func (w textWriter) escape(text string) string {
	if !w.escaped {
		return text
	}
	return escapeForTerminal(text)
}

// paint returns the text of escape in a style.
func (w textWriter) paint(s style, text string) string {
	text = w.escape(text)
	if !w.coloured || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

// paintLabel returns a text in which everything up to the first colon is in a style, or all of
// it if there is none.
func (w textWriter) paintLabel(s style, text string) string {
	label, rest, ok := strings.Cut(text, ": ")
	if !ok {
		return w.paint(s, text)
	}
	return w.paint(s, label+":") + " " + w.escape(rest)
}

// severityStyle returns the style of a severity.
func severityStyle(s model.Severity) style {
	switch s {
	case model.Error:
		return boldRed
	case model.Warning:
		return boldYellow
	}
	return boldBlue
}

// jsonParts matches strings in JSON, with the colon after a name.
var jsonParts = lazyregexp.New(`"(?:[^"\\]|\\.)*"(\s*:)?`)

// paintJSON returns JSON with its names and its strings in colours.
func (w textWriter) paintJSON(text string) string {
	text = w.escape(text)
	if !w.coloured {
		return text
	}
	safe := textWriter{coloured: true}
	return jsonParts.ReplaceAllStringFunc(text, func(part string) string {
		if name, isName := strings.CutSuffix(part, ":"); isName {
			return safe.paint(boldBlue, name) + ":"
		}
		return safe.paint(green, part)
	})
}

// paintDiff returns a unified diff with its lines in colours.
func (w textWriter) paintDiff(diff string) string {
	var b strings.Builder
	for line := range strings.Lines(diff) {
		text, hasEnd := strings.CutSuffix(line, "\n")
		b.WriteString(w.paintDiffLine(text))
		if hasEnd {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func (w textWriter) paintDiffLine(line string) string {
	for _, row := range []struct {
		prefix string
		style  style
	}{
		{"diff ", bold}, {"--- ", bold}, {"+++ ", bold}, {"@@", cyan}, {"-", "31"}, {"+", green},
	} {
		if strings.HasPrefix(line, row.prefix) {
			return w.paint(row.style, line)
		}
	}
	return w.escape(line)
}
