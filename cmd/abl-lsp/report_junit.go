package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// The report that CI servers read as test results. It is valid for the strict schema of
// Ant, which requires all these attributes and elements, and for the lenient one of
// Jenkins.
type (
	junitReport struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		ID         int             `xml:"id,attr"`
		Package    string          `xml:"package,attr"`
		Name       string          `xml:"name,attr"`
		Timestamp  string          `xml:"timestamp,attr"`
		Hostname   string          `xml:"hostname,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Skipped    int             `xml:"skipped,attr"`
		Time       string          `xml:"time,attr"`
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
		Out        string          `xml:"system-out"`
		Err        string          `xml:"system-err"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Time    string        `xml:"time,attr"`
		Skipped *string       `xml:"skipped"` // why; nil: it ran
		Failure *junitFailure `xml:"failure"`
	}
	junitFailure struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// reportJUnit writes each file as a suite, and each failure as a test of it. A file
// without failures has one test, which passes. Findings below the failure level are the
// output of the suite.
func reportJUnit(out io.Writer, r checkReport) error {
	byFile := map[string][]finding{}
	for _, f := range r.found {
		byFile[f.in.path] = append(byFile[f.in.path], f)
	}
	var all junitReport
	for i, s := range r.sources {
		suite := r.junitSuite(s, byFile[s.path])
		suite.ID = i
		all.Suites = append(all.Suites, suite)
	}
	return writeXML(out, all)
}

// newSuite returns a suite for a file. The schema requires a property.
func newSuite(shown string, property junitProperty) junitSuite {
	return junitSuite{
		Package:    "abl-lsp",
		Name:       shown,
		Timestamp:  time.Now().UTC().Format("2006-01-02T15:04:05"),
		Hostname:   "localhost",
		Properties: []junitProperty{property},
	}
}

func (r checkReport) junitSuite(s source, found []finding) junitSuite {
	suite := newSuite(s.shown, junitProperty{"fail-level", r.level.String()})
	suite.Time = "0"
	var lesser strings.Builder
	for _, f := range found {
		if r.isFailure(f) {
			suite.Cases = append(suite.Cases, junitFailed(f))
		} else {
			writeFinding(textWriter{Writer: &lesser}, f)
		}
	}
	suite.Out = lesser.String()
	suite.Failures = len(suite.Cases)
	if suite.Failures == 0 {
		suite.Cases = []junitCase{{Name: "check", Class: s.shown, Time: "0"}}
	}
	suite.Tests = len(suite.Cases)
	return suite
}

func junitFailed(f finding) junitCase {
	var b strings.Builder
	writeFinding(textWriter{Writer: &b}, f)
	at := f.positions.Range(f.Span, text.UTF32).Start
	return junitCase{
		Name:    fmt.Sprintf("%s at %d:%d", f.Code, at.Line+1, at.Character+1),
		Class:   f.in.shown,
		Time:    "0",
		Failure: &junitFailure{Type: f.Code, Message: f.Message, Text: b.String()},
	}
}
