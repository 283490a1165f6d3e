package servercache

import (
	"os"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/executor"
)

// A verdict that is given again is written again only where something has changed.
func TestAddVerdictWritesChanges(t *testing.T) {
	dir, now := t.TempDir(), time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	clock := func() time.Time { return now }
	s, other := New(dir, clock), New(dir, clock)
	judge := func(s *Store, fault string) {
		s.AddVerdict(executor.Verdict{Root: root, Source: "db 🧭", Statement: "SELECT 1", Fault: fault})
	}
	for _, step := range []struct {
		name   string
		do     func()
		writes bool
		fault  string
	}{
		{"the first one", func() { judge(s, "") }, true, ""},
		{"the same", func() { judge(s, "") }, false, ""},
		{"another one", func() { judge(s, "no such table") }, true, "no such table"},
		{"the same fault", func() { judge(s, "no such table") }, false, "no such table"},
		{"another process", func() { judge(other, "") }, true, ""},
		{"what another process has overwritten", func() { judge(s, "no such table") }, true, "no such table"},
		{"the same, later", func() { now = now.Add(2 * verdictAge); judge(s, "no such table") }, true, "no such table"},
		{"the file is gone", func() { _ = os.Remove(s.folder.statementsPath(root)); judge(s, "no such table") }, true, "no such table"},
	} {
		t.Run(step.name, func(t *testing.T) {
			before := s.folder.statInfo(root)
			step.do()
			after := s.folder.statInfo(root)
			if wrote := before == nil || !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()); wrote != step.writes {
				t.Errorf("written: %v", wrote)
			}
			if got := New(dir, clock).Verdicts(root)[model.StatementKey("db 🧭", "SELECT 1")]; got.Fault != step.fault || got.Asked.IsZero() {
				t.Errorf("it is %+v", got)
			}
		})
	}
}
