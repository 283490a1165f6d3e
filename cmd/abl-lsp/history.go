package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/journal"
	"github.com/abl-lsp/abl-lsp/internal/userdirs"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/indent"
)

func newHistory() *cobra.Command {
	var format string
	var limit int
	cmd := &cobra.Command{
		Use:   "history",
		Short: "Show what was run, the newest first",
		Long: "Shows the journal of runs, the newest first: those of the command line and those\n" +
			"of editors. docs/runs.md says what it keeps.",
		Args: argumentCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkOneOf("format", format, "text", "json"); err != nil {
				return err
			}
			if limit < 0 {
				return fmt.Errorf("--limit takes a number from 0 up, not %d", limit)
			}
			state := userdirs.StateDir()
			if state == "" {
				return errors.New("this system names no folder for a journal; set ABL_STATE_DIR")
			}
			rows, unread, err := journal.Read(executor.JournalDir(state), limit)
			if err != nil {
				return fmt.Errorf("reading the journal: %w", err)
			}
			if unread > 0 {
				fmt.Fprintf(cmd.ErrOrStderr(), "warning: %d lines of the journal cannot be read\n", unread)
			}
			if format == "json" {
				return indent.Encode(cmd.OutOrStdout(), append([]journal.Row{}, rows...))
			}
			if len(rows) == 0 {
				fmt.Fprintln(cmd.ErrOrStderr(), "nothing was run yet")
			}
			return historyText(cmd.OutOrStdout(), rows, executor.RevertedBy(rows))
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	cmd.AddCommand(newRevert())
	cmd.Flags().IntVar(&limit, "limit", 50, "how many runs; 0: all that are kept")
	return cmd
}

// historyText shows each run in two or three lines. reverted has the ids of reverted
// runs, each with the run that reverted it.
func historyText(out io.Writer, rows []journal.Row, reverted map[string]string) error {
	out = printableOutput{out}
	for _, r := range rows {
		in := ""
		if r.Environment != "" {
			in = " in " + r.Environment
		}
		_, err := fmt.Fprintf(out, "%s  %s  %s%s%s\n    %s\n", r.Run, outcomeText(r), tool.JoinVersion(r.Tool, r.Version), compact(r.Args), in, r.File)
		if err != nil {
			return err
		}
		switch by := reverted[r.Run]; {
		case r.Reverts != "":
			fmt.Fprintf(out, "    reverts %s\n", r.Reverts)
		case by != "":
			fmt.Fprintf(out, "    reverted by %s\n", by)
		case executor.IsRevertible(r):
			fmt.Fprintf(out, "    can be reverted: abl-lsp history revert %s\n", r.Run)
		}
		if r.Error != nil {
			fmt.Fprintf(out, "    %s: %s\n", r.Error.Kind, strings.ReplaceAll(r.Error.Message, "\n", "\n    "))
		}
	}
	return nil
}

func outcomeText(r journal.Row) string {
	if r.OK == nil {
		return "did not end"
	}
	took := time.Duration(r.DurationMS * float64(time.Millisecond)).Round(time.Millisecond)
	if *r.OK {
		return fmt.Sprintf("ok (%v)", took)
	}
	return fmt.Sprintf("%s (%v)", outcomeOf(r.Error), took)
}

// outcomeOf returns how a run ended that did not succeed. Refused and cancelled runs have
// not failed.
func outcomeOf(e *journal.Error) string {
	switch {
	case e == nil:
		return "failed"
	case e.Code == executor.CodeCancelled:
		return "cancelled"
	case e.Kind == string(executor.KindDenied):
		return "refused"
	case e.Kind == string(executor.KindNeeds):
		return "did not run"
	}
	return "failed"
}
