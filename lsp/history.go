package lsp

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/executor"
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

// listHistory answers with runs of the journal, the newest first.
func listHistory(_ context.Context, x execution, argument *historyArgument) (any, error) {
	if x.opts.Executor == nil {
		return nil, errNoExecutor
	}
	path := ""
	if argument.URI != "" {
		file, snap, err := x.resolveFile(argument.URI)
		if err != nil {
			return nil, err
		}
		path = toolFile(snap, file, argument.Tool)
		argument.Tool = snap.workspace.Scope(path).OwnName(argument.Tool)
	}
	rows, err := x.opts.Executor.History()
	if err != nil && !errors.Is(err, executor.ErrNoJournal) {
		return nil, fmt.Errorf("the journal: %w", err)
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
