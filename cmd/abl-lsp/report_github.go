package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/listing"
)

// reportGitHub writes workflow commands, which GitHub shows next to the lines of a
// change.
func reportGitHub(out io.Writer, r checkReport) error {
	var b strings.Builder
	for _, f := range r.found {
		fmt.Fprintf(&b, "::%s file=%s,%s,title=%s::%s\n",
			twoLevelSeverity(f.Severity.String(), "notice"),
			githubProperty(slashPath(f.in.shown)),
			githubPlace(listing.RangeOf(f.positions, f.Span)),
			githubProperty(f.Code),
			githubText(f.Message))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// githubPlace leaves the columns out if a range has several lines, since GitHub reads
// columns as those of one line.
func githubPlace(at listing.Range) string {
	lines := fmt.Sprintf("line=%d,endLine=%d", at.Start.Line+1, at.End.Line+1)
	if at.Start.Line != at.End.Line {
		return lines
	}
	return fmt.Sprintf("%s,col=%d,endColumn=%d", lines, at.Start.Character+1, at.End.Character+1)
}

func githubText(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func githubProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(githubText(s))
}
