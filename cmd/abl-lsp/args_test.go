package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestFlagValues checks that a wrong value of a flag is reported without the words of a parser.
func TestFlagValues(t *testing.T) {
	for word, want := range map[string]string{
		"--wait=soon": "--wait takes a duration such as `30s` or `5m`, not `soon`",
		"--most=x":    "--most takes a whole number, not `x`",
		"--most=":     "--most takes a whole number, not ``",
	} {
		t.Run(word, func(t *testing.T) {
			cmd := &cobra.Command{Use: "cmd"}
			cmd.Flags().Duration("wait", 0, "")
			cmd.Flags().Int("most", 0, "")
			if err := flagError(cmd, cmd.ParseFlags([]string{word})); err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
}

// TestReportForServers checks that a report shows characters that would reverse the text.
func TestReportForServers(t *testing.T) {
	var out strings.Builder
	if err := writeXML(&out, junitReport{Suites: []junitSuite{{Name: "a\u202eb", Out: "c\u2066d\n"}}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`name="a\u202eb"`, `<system-out>c\u2066d&#xA;</system-out>`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in\n%s", want, &out)
		}
	}
}
