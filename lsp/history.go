package lsp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/history"
)

// historyArgument is the argument of abl.history. A field without a value restricts
// nothing.
type historyArgument struct {
	URI     string `json:"uri"` // of the file that declares the tool, or calls it
	Tool    string `json:"tool"`
	Limit   int    `json:"limit"`   // 0: no limit
	Here    bool   `json:"here"`    // only runs of files in the workspace's folders, and of open ones
	Folder  string `json:"folder"`  // a URI: only runs of files below it
	Outcome string `json:"outcome"` // only runs that ended so
	Failed  bool   `json:"failed"`  // only runs that failed

	As    string   `json:"as"`    // "" for the list of runs, plot or comparison
	Width int      `json:"width"` // of a plot, in columns
	Runs  []string `json:"runs"`  // the two runs of a comparison, in any order
}

// filter returns what the argument restricts for every reader of the journal.
func (a *historyArgument) filter() (executor.HistoryFilter, error) {
	f := executor.HistoryFilter{Tool: a.Tool, Outcome: a.Outcome}
	if a.Failed {
		f.Outcome = executor.OutcomeFailed
	}
	if a.Folder == "" {
		return f, nil
	}
	folder, err := argumentPath(a.Folder)
	f.Folder = folder
	return f, err
}

// historyRow is one row of the answer: a row of the journal, and where its tool is.
type historyRow struct {
	executor.ListedRun
	URI          uri.URI `json:"uri"`
	RevertedBy   string  `json:"reverted_by,omitempty"` // the run that has reverted it
	Revertible   bool    `json:"revertible"`
	Unrepeatable string  `json:"unrepeatable,omitempty"` // why it cannot be repeated, "" if it can
}

// plotAnswer is the answer if runs are asked for as a plot.
type plotAnswer struct {
	Series []history.Series `json:"series"`
	Text   string           `json:"text"` // the same, drawn
}

// comparisonAnswer is the answer if two runs are to be compared.
type comparisonAnswer struct {
	history.Comparison
	Texts [2]string `json:"texts"` // the older run and the newer one, in lines to compare
}

// answerHistory answers with runs of the journal.
func answerHistory(_ context.Context, x execution, argument *historyArgument) (any, error) {
	if x.opts.Executor == nil {
		return nil, errNoExecutor
	}
	rows, err := x.opts.Executor.History()
	if err != nil && !errors.Is(err, executor.ErrNoJournal) {
		return nil, fmt.Errorf("the journal: %w", err)
	}
	switch argument.As {
	case "":
		return x.listHistory(rows, argument)
	case "plot":
		return x.plotHistory(rows, argument)
	case "comparison":
		return compareHistory(rows, argument.Runs)
	}
	return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the command's argument: as is plot or comparison, not %q", argument.As)
}

// listHistory returns the runs among rows that the argument asks for, the newest first.
func (x execution) listHistory(rows []executor.PastRun, argument *historyArgument) ([]historyRow, error) {
	path := ""
	if argument.URI != "" {
		file, snap, err := x.resolveFile(argument.URI)
		if err != nil {
			return nil, err
		}
		path = toolFile(snap, file, argument.Tool)
		argument.Tool = snap.workspace.Scope(path).OwnName(argument.Tool)
	}
	filter, err := argument.filter()
	if err != nil {
		return nil, err
	}
	undone := executor.RevertedBy(rows)
	all, here := []historyRow{}, inWorkspaceFunc(x.snap)
	for _, r := range rows {
		ofFile := path == "" || path == r.File || path == r.RequestedFrom
		if ofFile && filter.Matches(r) && (!argument.Here || here(r.File) || here(r.RequestedFrom)) {
			all = append(all, historyRow{
				ListedRun:    executor.ListRun(r),
				URI:          x.snap.uriOf(cmp.Or(r.RequestedFrom, r.File)),
				RevertedBy:   undone[r.Run],
				Revertible:   executor.IsRevertible(r) && undone[r.Run] == "",
				Unrepeatable: executor.WhyNotRepeatable(r),
			})
		}
		if len(all) == argument.Limit && argument.Limit > 0 {
			break
		}
	}
	return all, nil
}

// plotHistory draws the runs among rows that the argument asks for.
func (x execution) plotHistory(rows []executor.PastRun, argument *historyArgument) (any, error) {
	listed, err := x.listHistory(rows, argument)
	if err != nil {
		return nil, err
	}
	runs := make([]executor.ListedRun, len(listed))
	for i, row := range listed {
		runs[i] = row.ListedRun
	}
	series := history.SeriesOf(runs)
	var text strings.Builder
	err = history.Drawing{
		Width:   argument.Width,
		Heading: func(tool, file string) string { return model.EscapeInvisible(tool + "  " + file) },
		Mark:    func(m history.Mark) string { return string(m) },
	}.Draw(&text, series)
	return plotAnswer{series, text.String()}, err
}

// compareHistory compares two runs among rows.
func compareHistory(rows []executor.PastRun, ids []string) (any, error) {
	if len(ids) != 2 {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the command's argument: runs are two, not %d", len(ids))
	}
	var found [2]executor.PastRun
	for i, id := range ids {
		var err error
		if found[i], err = history.Find(rows, id); err != nil {
			return nil, err
		}
	}
	c := history.Compare(found[0], found[1])
	return comparisonAnswer{c, [2]string{history.Text(c.Older), history.Text(c.Newer)}}, nil
}

// inWorkspaceFunc returns a function that reports whether the file at a path is in a
// folder of the workspace, or open. If the workspace has no folders, it is true for every
// path but "".
func inWorkspaceFunc(snap *snapshot) func(path string) bool {
	known := map[string]bool{"": false}
	return func(path string) bool {
		here, ok := known[path]
		if !ok {
			here = snap.documents[path] != nil || len(snap.folders) == 0 || snap.folderOf(path) != ""
			known[path] = here
		}
		return here
	}
}
