package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/journal"
	"github.com/abl-lsp/abl-lsp/internal/history"
	"github.com/abl-lsp/abl-lsp/internal/userdirs"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/indent"
)

func newHistory() *cobra.Command {
	var flags historyFlags
	cmd := &cobra.Command{
		Use:   "history",
		Short: "Show what was run, the newest first",
		Long: "Shows the journal of runs, the newest first: those of the command line and those\n" +
			"of editors. docs/runs.md says what it keeps.",
		Args: argumentCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return showHistory(cmd, flags) },
	}
	cmd.Flags().StringVar(&flags.format, "format", "text", "the `FORMAT` of the output: text or json")
	cmd.AddCommand(newRevert(), newCompare())
	cmd.Flags().IntVar(&flags.limit, "limit", 50, "show `N` runs at most; 0: all that are kept")
	cmd.Flags().StringVar(&flags.tool, "tool", "", "only runs of the tool with this `NAME`, or NAME@VERSION")
	cmd.Flags().StringVar(&flags.folder, "folder", "", "only runs of tools in files below this `DIR`")
	cmd.Flags().StringVar(&flags.outcome, "outcome", "", "only runs that ended with this `OUTCOME`: "+strings.Join(executor.Outcomes(), ", "))
	cmd.Flags().BoolVar(&flags.failed, "failed", false, "only runs that failed")
	cmd.Flags().BoolVar(&flags.plot, "plot", false, "draw how long the runs of each tool took over time, and which failed;\nof all that are kept, unless --limit is given")
	return cmd
}

type historyFlags struct {
	format, tool, folder, outcome string
	limit                         int
	failed, plot                  bool
}

// filter returns the runs that the flags ask for.
func (f historyFlags) filter() (executor.HistoryFilter, error) {
	filter := executor.HistoryFilter{Tool: f.tool, Outcome: f.outcome}
	if f.failed {
		filter.Outcome = executor.OutcomeFailed
	}
	if f.folder == "" {
		return filter, nil
	}
	folder, err := filepath.Abs(f.folder)
	if err != nil {
		return filter, fmt.Errorf("--folder: %w", err)
	}
	filter.Folder = folder
	return filter, nil
}

func showHistory(cmd *cobra.Command, flags historyFlags) error {
	if err := flags.check(cmd); err != nil {
		return err
	}
	filter, err := flags.filter()
	if err != nil {
		return err
	}
	if flags.plot && !cmd.Flags().Changed("limit") {
		flags.limit = 0
	}
	most := 0 // a filter may leave out any number of the newest
	if filter == (executor.HistoryFilter{}) {
		most = flags.limit
	}
	all, err := readJournal(cmd, most)
	if err != nil {
		return err
	}
	rows := chooseRuns(all, filter, flags.limit)
	series := []history.Series{}
	if flags.plot {
		series = history.SeriesOf(rows)
	}
	switch {
	case flags.format == "json" && flags.plot:
		return indent.Encode(cmd.OutOrStdout(), series)
	case flags.format == "json":
		return indent.Encode(cmd.OutOrStdout(), rows)
	}
	switch {
	case len(all) == 0:
		fmt.Fprintln(cmd.ErrOrStderr(), "nothing was run yet")
	case len(rows) == 0:
		fmt.Fprintln(cmd.ErrOrStderr(), "no such run is in the journal")
	case flags.plot && len(series) == 0:
		fmt.Fprintln(cmd.ErrOrStderr(), "these runs have no known duration")
	case flags.plot:
		return drawRuns(newMessageWriter(cmd, cmd.OutOrStdout()), series)
	}
	if flags.plot {
		return nil
	}
	return historyText(newMessageWriter(cmd, cmd.OutOrStdout()), rows, executor.RevertedBy(all))
}

// check returns an error for values that the flags cannot have.
func (f historyFlags) check(cmd *cobra.Command) error {
	if err := refuseEmptyFlags(cmd, "tool", "folder", "outcome"); err != nil {
		return err
	}
	if err := checkOneOf("format", f.format, "text", "json"); err != nil {
		return err
	}
	if f.outcome != "" {
		if err := checkOneOf("outcome", f.outcome, executor.Outcomes()...); err != nil {
			return err
		}
	}
	switch {
	case f.limit < 0:
		return fmt.Errorf("--limit takes a number from 0 up, not %d", f.limit)
	case f.failed && f.outcome != "" && f.outcome != executor.OutcomeFailed:
		return fmt.Errorf("--failed and --outcome %q exclude each other", f.outcome)
	}
	return nil
}

// readJournal returns the newest runs of the journal, at most most of them; 0 means all.
func readJournal(cmd *cobra.Command, most int) ([]journal.Row, error) {
	state := userdirs.StateDir()
	if state == "" {
		return nil, errors.New("this system names no folder for a journal; set ABL_STATE_DIR")
	}
	rows, unread, err := journal.Read(executor.JournalDir(state), most)
	if err != nil {
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	if unread > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %d lines of the journal cannot be read\n", unread)
	}
	return rows, nil
}

// drawRuns draws runs over time, as wide as the terminal.
func drawRuns(out textWriter, series []history.Series) error {
	return history.Drawing{
		Width:   terminalWidth(out.Writer),
		Heading: func(tool, file string) string { return out.paint(bold, tool) + "  " + out.escape(file) },
		Mark:    func(m history.Mark) string { return out.paint(markStyle(m), string(m)) },
	}.Draw(out, series)
}

func markStyle(m history.Mark) style {
	switch m {
	case history.MarkOK:
		return green
	case history.MarkFailed:
		return boldRed
	}
	return boldYellow
}

// chooseRuns returns the first runs that match a filter, at most limit; 0 means all.
func chooseRuns(all []journal.Row, filter executor.HistoryFilter, limit int) []executor.ListedRun {
	rows := []executor.ListedRun{}
	for _, r := range all {
		if filter.Matches(r) {
			rows = append(rows, executor.ListRun(r))
		}
		if limit > 0 && len(rows) == limit {
			break
		}
	}
	return rows
}

// historyText shows each run in a line, and below it how it failed and what was or can be reverted.
// reverted has the ids of reverted runs, each with the run that reverted it.
func historyText(out textWriter, rows []executor.ListedRun, reverted map[string]string) error {
	for _, r := range rows {
		_, err := fmt.Fprintf(out, "%s  %s  %s%s  %s  %s\n", out.paint(faint, localTime(r.Time)), out.paint(outcomeStyle(r), history.Outcome(r)),
			out.paint(bold, tool.JoinVersion(r.Tool, r.Version)), out.escape(executor.Shorten(compact(r.Args), maxShownArgs)), out.escape(runPlace(r)), out.paint(faint, r.Run))
		if err != nil {
			return err
		}
		switch by := reverted[r.Run]; {
		case r.Reverts != "":
			fmt.Fprintf(out, "    reverts %s\n", out.escape(r.Reverts))
		case by != "":
			fmt.Fprintf(out, "    reverted by %s\n", out.escape(by))
		case executor.IsRevertible(r.PastRun):
			fmt.Fprintf(out, "    can be reverted: abl-lsp history revert %s\n", out.escape(r.Run))
		}
		if r.Error != nil {
			fmt.Fprintf(out, "    %s\n", out.escape(strings.ReplaceAll(history.Failure(r), "\n", "\n    ")))
		}
	}
	return nil
}

// maxShownArgs is the number of bytes of a run's arguments in a line of the history.
const maxShownArgs = 80

// localTime returns a time of the journal in the time zone of this machine.
func localTime(written string) string {
	t, err := time.Parse(time.RFC3339, written)
	if err != nil {
		return written
	}
	return t.Local().Format(time.DateTime)
}

// runPlace returns the name of a run's file, with the host and the environment if it has them.
func runPlace(r executor.ListedRun) string {
	place := filepath.Base(r.File)
	if r.Host != "" {
		place += "  " + r.Host
	}
	if r.Environment != "" {
		place += "  in " + r.Environment
	}
	return place
}

// outcomeStyle returns the style of how a run ended.
func outcomeStyle(r executor.ListedRun) style {
	switch r.Outcome {
	case executor.OutcomeOK:
		return green
	case executor.OutcomeFailed:
		return boldRed
	}
	return boldYellow
}
