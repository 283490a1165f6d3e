package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool/indent"
)

// testReport shows results: each as it ends, and all at the end.
type testReport struct {
	reportOne func(testResult)
	reportAll func([]testResult) error
}

// testReports are the formats of results, by name.
var testReports = map[string]func(*cobra.Command, io.Writer) testReport{
	"text":  testText,
	"json":  asOneDocument(testJSON),
	"junit": asOneDocument(testJUnit),
}

// asOneDocument returns a report that shows all results at the end, as one document.
func asOneDocument(show func(io.Writer, []testResult) error) func(*cobra.Command, io.Writer) testReport {
	return func(_ *cobra.Command, out io.Writer) testReport {
		return testReport{func(testResult) {}, func(results []testResult) error { return show(out, results) }}
	}
}

// testText is the report for people: a line for each case, the details of failures, and a
// count.
func testText(cmd *cobra.Command, to io.Writer) testReport {
	out := newMessageWriter(cmd, cmd.OutOrStdout()) // others have written some of it
	out.Writer = to
	return testReport{
		reportOne: func(r testResult) { fmt.Fprintln(out, r.text(out)) },
		reportAll: func(results []testResult) error {
			_, err := fmt.Fprintln(out, summary(out, results))
			return err
		},
	}
}

// statusStyles are the styles of the results of cases.
var statusStyles = map[testStatus]style{statusPass: green, statusFail: boldRed, statusSkip: boldYellow}

func (r testResult) text(w textWriter) string {
	line := r.name()
	if r.message != "" {
		line += ": " + r.message
	}
	more := strings.ReplaceAll(strings.Join(append([]string{line}, r.details()...), "\n"), "\n", "\n  ")
	place := fmt.Sprintf("%s:%d", r.in.shown, r.line)
	return w.paint(statusStyles[r.status], string(r.status)) + "  " + w.paint(faint, place) + "  " + w.escape(more)
}

func summary(w textWriter, results []testResult) string {
	count := map[testStatus]int{}
	for _, r := range results {
		count[r.status]++
	}
	part := func(status testStatus, word string) string {
		text := fmt.Sprintf("%d %s", count[status], word)
		if count[status] == 0 {
			return text
		}
		return w.paint(statusStyles[status], text)
	}
	text := part(statusPass, "passed") + ", " + part(statusFail, "failed")
	if count[statusSkip] > 0 {
		text += ", " + part(statusSkip, "skipped")
	}
	return text
}

// details returns lines about a call: its warnings and, if it failed, what the other side
// answered and what to do.
func (r testResult) details() (lines []string) {
	if r.envelope == nil {
		return nil
	}
	if e := r.envelope.Error; e != nil && r.status == statusFail {
		lines = append(lines, e.Answer(), e.Hint)
	}
	for _, w := range r.envelope.Warnings {
		lines = append(lines, "warning: "+w)
	}
	return slices.DeleteFunc(lines, func(line string) bool { return line == "" })
}

// testJSON writes the report for scripts.
func testJSON(out io.Writer, results []testResult) error {
	type row struct {
		File    string             `json:"file"`
		Line    int                `json:"line"`
		Tool    string             `json:"tool"`
		Case    string             `json:"case"`
		Status  testStatus         `json:"status"`
		Message string             `json:"message"`
		Result  *executor.Envelope `json:"result"`
	}
	rows := []row{}
	for _, r := range results {
		rows = append(rows, row{r.in.shown, r.line, r.saved.Tool, r.saved.Name, r.status, r.message, r.envelope})
	}
	return indent.Encode(out, rows)
}

// testJUnit writes the report for CI servers, with a suite for each file.
func testJUnit(out io.Writer, results []testResult) error {
	var all junitReport
	for i, r := range results {
		if i == 0 || results[i-1].in.path != r.in.path {
			suite := newSuite(r.in.shown, junitProperty{"version", version})
			suite.ID = len(all.Suites)
			all.Suites = append(all.Suites, suite)
		}
		all.Suites[len(all.Suites)-1].add(r)
	}
	return writeXML(out, all)
}

func (s *junitSuite) add(r testResult) {
	c := junitCase{Name: r.saved.Name, Class: r.in.shown + "." + r.saved.Tool, Time: seconds(r.envelope)}
	if r.saved.Tool == "" {
		c.Name, c.Class = r.name(), r.in.shown
	}
	switch r.status {
	case statusSkip:
		s.Skipped++
		c.Skipped = &r.message
	case statusFail:
		s.Failures++
		lines := append([]string{fmt.Sprintf("%s:%d: %s", r.in.shown, r.line, r.message)}, r.details()...)
		c.Failure = &junitFailure{Type: string(r.status), Message: r.message, Text: strings.Join(lines, "\n")}
	}
	s.Tests++
	s.Cases = append(s.Cases, c)
	total, _ := strconv.ParseFloat(s.Time, 64) // "" is none
	own, _ := strconv.ParseFloat(c.Time, 64)
	s.Time = strconv.FormatFloat(total+own, 'f', 3, 64)
}

func seconds(e *executor.Envelope) string {
	if e == nil {
		return "0"
	}
	return strconv.FormatFloat(e.DurationMS/1000, 'f', 3, 64)
}

func writeXML(out io.Writer, v any) error {
	raw, err := xml.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s%s\n", xml.Header, model.EscapeInvisible(string(raw)))
	return err
}
