package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/history"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/indent"
)

func newCompare() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "compare RUN [RUN]",
		Short: "Show how two runs differ",
		Long: "Shows how two runs of the journal differ: how they ended, where they ran, their\n" +
			"arguments and their values. A single RUN is compared with the one before it of the\n" +
			"same tool. Exits with 2 if the journal has no such run.",
		Args: argumentCount(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error { return compareRuns(cmd, args, format) },
	}
	cmd.Flags().StringVar(&format, "format", "text", "the `FORMAT` of the output: text or json")
	return cmd
}

func compareRuns(cmd *cobra.Command, ids []string, format string) error {
	if err := checkOneOf("format", format, "text", "json"); err != nil {
		return err
	}
	if len(ids) == 2 && ids[0] == ids[1] {
		return errors.New("the two runs are the same one; abl-lsp history lists those there are")
	}
	rows, err := readJournal(cmd, 0)
	if err != nil {
		return err
	}
	one, err := history.Find(rows, ids[0])
	if err != nil {
		return err
	}
	var other executor.PastRun
	if len(ids) == 1 {
		other, err = history.RunBefore(rows, one)
	} else {
		other, err = history.Find(rows, ids[1])
	}
	if err != nil {
		return err
	}
	c := history.Compare(one, other)
	if format == "json" {
		return indent.Encode(cmd.OutOrStdout(), c)
	}
	return writeComparison(newMessageWriter(cmd, cmd.OutOrStdout()), c)
}

// writeComparison shows the lines in which two runs differ, as a unified diff.
func writeComparison(out textWriter, c history.Comparison) error {
	heading := func(r executor.ListedRun) string {
		return fmt.Sprintf("%s  %s  %s", localTime(r.Time), tool.JoinVersion(r.Tool, r.Version), r.Run)
	}
	text := diff.Diff(heading(c.Older), []byte(history.Text(c.Older)), heading(c.Newer), []byte(history.Text(c.Newer)))
	_, hunks, _ := strings.Cut(string(text), "\n") // after the line that names a program
	_, err := io.WriteString(out, out.paintDiff(hunks))
	return err
}
