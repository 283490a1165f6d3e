package main

import (
	"fmt"
	"io"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/listing"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool/indent"
)

// checkReport is what check found, and which files it checked.
type checkReport struct {
	workspace model.Workspace
	sources   []source
	found     []finding      // by file, then by position
	level     model.Severity // findings of this severity or worse are failures
	coloured  bool           // as text, it has colours
}

// reportFormats returns the functions that write a report, by the name of the format.
func reportFormats() map[string]func(io.Writer, checkReport) error {
	return map[string]func(io.Writer, checkReport) error{
		"text":   reportText,
		"json":   reportJSON,
		"sarif":  reportSARIF,
		"github": reportGitHub,
		"junit":  reportJUnit,
	}
}

func formatNames() []string { return slices.Sorted(maps.Keys(reportFormats())) }

func (r checkReport) isFailure(f finding) bool { return f.Severity <= r.level }

// related returns the related places of a finding that can be shown.
func (r checkReport) related(f finding) []jsonRelated {
	places := []jsonRelated{}
	for _, p := range f.Related {
		if in := r.workspace.File(p.Path); in != nil && in.Doc != nil {
			places = append(places, jsonRelated{displayPath(f.in, p.Path), listing.RangeOf(in.Positions(), p.Span), p.Message})
		}
	}
	return places
}

// twoLevelSeverity returns a severity for formats that have error, warning and only one
// lower level, less.
func twoLevelSeverity(severity, less string) string {
	if severity == "error" || severity == "warning" {
		return severity
	}
	return less
}

// slashPath returns a path as repositories write it.
func slashPath(shown string) string { return path.Clean(filepath.ToSlash(shown)) }

// reportText shows each finding with its line, as a compiler does, and then counts them.
func reportText(out io.Writer, r checkReport) error {
	var b strings.Builder
	w := textWriter{&b, r.coloured, r.coloured || isTerminal(out)}
	count := map[model.Severity]int{}
	for _, f := range r.found {
		count[f.Severity]++
		writeFinding(w, f)
	}
	fmt.Fprintf(w, "%s, %s\n", w.paintCount(boldRed, count[model.Error], "error"), w.paintCount(boldYellow, count[model.Warning], "warning"))
	_, err := io.WriteString(out, b.String())
	return err
}

func writeFinding(w textWriter, f finding) {
	at := f.positions.Range(f.Span, text.UTF32).Start
	place := fmt.Sprintf("%s:%d:%d:", f.in.shown, at.Line+1, at.Character+1)
	fmt.Fprintf(w, "%s %s %s %s\n", w.paint(bold, place), w.paint(severityStyle(f.Severity), f.Severity.String()+":"), w.escape(f.Message), w.paint(faint, "["+f.Code+"]"))
	writeExcerpt(w, f)
}

// maxExcerpt is how many bytes of a line an excerpt shows.
const maxExcerpt = 160

// writeExcerpt shows the line of a finding with its range underlined.
func writeExcerpt(w textWriter, f finding) {
	lines, span := f.positions.Lines(), f.positions.SourceSpan(f.Span)
	at := lines.Line(span.Start)
	line := lines.LineText(at)
	source := lines.Text()[line.Start:line.End]
	if len(source) > maxExcerpt || strings.TrimSpace(source) == "" {
		return
	}
	start := span.Start - line.Start
	end := min(max(span.End, span.Start+1), line.End) - line.Start
	end = max(end, start)
	margin := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, source[:start])
	number := fmt.Sprint(at + 1)
	mark := strings.Repeat("^", max(1, text.UTF32.Len(source[start:end])))
	fmt.Fprintf(w, "  %s %s\n", w.paint(faint, number+" |"), w.escape(source))
	fmt.Fprintf(w, "  %s %s%s\n", w.paint(faint, strings.Repeat(" ", len(number))+" |"), margin, w.paint(severityStyle(f.Severity), mark))
}

// paintCount returns a number of things, in a style unless there are none.
func (w textWriter) paintCount(s style, n int, word string) string {
	if n == 0 {
		return plural(n, word)
	}
	return w.paint(s, plural(n, word))
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// The JSON of a finding: positions as in LSP, in UTF-16.
type (
	jsonFinding struct {
		File     string        `json:"file"`
		Range    listing.Range `json:"range"`
		Severity string        `json:"severity"`
		Code     string        `json:"code"`
		Message  string        `json:"message"`
		Source   string        `json:"source"`
		Related  []jsonRelated `json:"related"`
	}
	jsonRelated struct {
		File    string        `json:"file"`
		Range   listing.Range `json:"range"`
		Message string        `json:"message"`
	}
)

func reportJSON(out io.Writer, r checkReport) error {
	list := []jsonFinding{}
	for _, f := range r.found {
		list = append(list, jsonFinding{
			File:     f.in.shown,
			Range:    listing.RangeOf(f.positions, f.Span),
			Severity: f.Severity.String(),
			Code:     f.Code,
			Message:  f.Message,
			Source:   "abl",
			Related:  r.related(f),
		})
	}
	return indent.Encode(out, list)
}
