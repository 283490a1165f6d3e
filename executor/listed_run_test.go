package executor

import (
	"path/filepath"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor/journal"
)

func TestHistoryFilter(t *testing.T) {
	dir := t.TempDir()
	failed := func(kind ErrorKind, code string) PastRun {
		return PastRun{Tool: "look", Version: "2", File: filepath.Join(dir, "a.tools.abl"), OK: new(false), Error: &journal.Error{Kind: string(kind), Code: code}}
	}
	remote := failed(KindRemote, "http-404")
	called := PastRun{Tool: "look", File: filepath.FromSlash("/elsewhere/lib.tools.abl"), RequestedFrom: filepath.Join(dir, "b.agent.abl"), OK: new(true)}
	for name, tt := range map[string]struct {
		filter HistoryFilter
		run    PastRun
		want   bool
	}{
		"everything":             {HistoryFilter{}, remote, true},
		"a tool":                 {HistoryFilter{Tool: "look"}, remote, true},
		"a version":              {HistoryFilter{Tool: "look@2"}, remote, true},
		"another version":        {HistoryFilter{Tool: "look@1"}, remote, false},
		"a folder":               {HistoryFilter{Folder: dir}, remote, true},
		"the folder of a caller": {HistoryFilter{Folder: dir}, called, true},
		"a folder of that name":  {HistoryFilter{Folder: dir + "x"}, remote, false},
		"failed":                 {HistoryFilter{Outcome: OutcomeFailed}, remote, true},
		"ok":                     {HistoryFilter{Outcome: OutcomeFailed}, called, false},
		"asked":                  {HistoryFilter{Outcome: OutcomeFailed}, failed(KindNeeds, "confirmation"), false},
		"refused":                {HistoryFilter{Outcome: OutcomeFailed}, failed(KindDenied, "blocked"), false},
		"cancelled":              {HistoryFilter{Outcome: OutcomeFailed}, failed(KindTimeout, CodeCancelled), false},
		"out of time":            {HistoryFilter{Outcome: OutcomeFailed}, failed(KindTimeout, "timeout"), true},
		"without an end":         {HistoryFilter{Outcome: OutcomeNoEnd}, PastRun{}, true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := tt.filter.Matches(tt.run); got != tt.want {
				t.Errorf("got %v", got)
			}
		})
	}
	if r := ListRun(failed(KindNeeds, "confirmation")); r.Outcome != OutcomeNotRun || r.Title != "Did not run: it must be confirmed first" {
		t.Errorf("%+v", r)
	}
}
