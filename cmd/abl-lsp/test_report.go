package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
)

// testReports are the forms in which results are shown.
var testReports = map[string]func(io.Writer, []testResult) error{
	"text":  testText,
	"json":  testJSON,
	"junit": testJUnit,
}

// testText is for people: a line for each case, what else is to be said of it, and a
// count.
func testText(to io.Writer, results []testResult) error {
	out := printer{to} // others have written some of it
	count := map[testStatus]int{}
	for _, r := range results {
		count[r.status]++
		line := fmt.Sprintf("%s  %s:%d  %s", r.status, r.in.shown, r.line, r.name())
		if r.message != "" {
			line += ": " + r.message
		}
		fmt.Fprintln(out, strings.ReplaceAll(strings.Join(append([]string{line}, r.more()...), "\n"), "\n", "\n  "))
	}
	summary := fmt.Sprintf("%d passed, %d failed", count[passed], count[failed])
	if n := count[skipped]; n > 0 {
		summary += fmt.Sprintf(", %d skipped", n)
	}
	_, err := fmt.Fprintln(out, summary)
	return err
}

// more is what else is to be said of a call: warnings, and of one that failed what the
// other side said and what to do.
func (r testResult) more() (lines []string) {
	if r.envelope == nil {
		return nil
	}
	if e := r.envelope.Error; e != nil && r.status == failed {
		lines = append(lines, e.Answer(), e.Hint)
	}
	for _, w := range r.envelope.Warnings {
		lines = append(lines, "warning: "+w)
	}
	return slices.DeleteFunc(lines, func(line string) bool { return line == "" })
}

// testJSON is for scripts.
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
	return writeJSON(out, rows)
}

// testJUnit is for CI servers: a suite for each file.
func testJUnit(out io.Writer, results []testResult) error {
	var all junitReport
	for i, r := range results {
		if i == 0 || results[i-1].in.path != r.in.path {
			all.Suites = append(all.Suites, junitSuite{
				ID: len(all.Suites), Package: "abl-lsp", Name: r.in.shown, Hostname: "localhost",
				Timestamp: time.Now().UTC().Format("2006-01-02T15:04:05"),
			})
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
	case skipped:
		c.Skipped = &r.message
	case failed:
		s.Failures++
		lines := append([]string{fmt.Sprintf("%s:%d: %s", r.in.shown, r.line, r.message)}, r.more()...)
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
	_, err = fmt.Fprintf(out, "%s%s\n", xml.Header, raw)
	return err
}
