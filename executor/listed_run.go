package executor

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/abl-lsp/abl-lsp/tool"
)

// ListedRun is a run of the journal as lists of runs show it.
type ListedRun struct {
	PastRun
	Outcome string `json:"outcome"`         // see [OutcomeOf]
	Title   string `json:"title,omitempty"` // how it failed, in a sentence; "" if it did not
}

// ListRun returns a run as lists show it.
func ListRun(r PastRun) ListedRun {
	listed := ListedRun{PastRun: r, Outcome: OutcomeOf(r)}
	if r.Error != nil {
		listed.Title = ErrorTitle(ErrorKind(r.Error.Kind), r.Error.Code)
	}
	return listed
}

// The outcomes of past runs.
const (
	OutcomeOK        = "ok"
	OutcomeFailed    = "failed"
	OutcomeRefused   = "refused"
	OutcomeCancelled = "cancelled"
	OutcomeNotRun    = "did not run" // an answer of the person was missing
	OutcomeNoEnd     = "did not end" // as far as the journal knows
)

// Outcomes returns the outcomes that a past run may have.
func Outcomes() []string {
	return []string{OutcomeOK, OutcomeFailed, OutcomeRefused, OutcomeCancelled, OutcomeNotRun, OutcomeNoEnd}
}

// OutcomeOf returns how a run ended. Runs that were refused, cancelled or only asked for something
// have not failed.
func OutcomeOf(r PastRun) string {
	switch {
	case r.OK == nil:
		return OutcomeNoEnd
	case *r.OK:
		return OutcomeOK
	case r.Error == nil:
		return OutcomeFailed
	case r.Error.Code == CodeCancelled:
		return OutcomeCancelled
	case r.Error.Kind == string(KindDenied):
		return OutcomeRefused
	case r.Error.Kind == string(KindNeeds):
		return OutcomeNotRun
	}
	return OutcomeFailed
}

// HistoryFilter chooses runs of the journal. A field without a value restricts nothing.
type HistoryFilter struct {
	Tool    string // its name, with or without its version
	Folder  string // the path of a folder; the tool's file, or the one that called it, is below it
	Outcome string
}

// Matches reports whether the filter chooses a run.
func (f HistoryFilter) Matches(r PastRun) bool {
	named := f.Tool == "" || f.Tool == r.Tool || f.Tool == tool.JoinVersion(r.Tool, r.Version)
	inFolder := f.Folder == "" || isBelow(f.Folder, r.File) || isBelow(f.Folder, r.RequestedFrom)
	return named && inFolder && (f.Outcome == "" || f.Outcome == OutcomeOf(r))
}

// isBelow reports whether a path is below a folder, as they are written or after links are followed.
func isBelow(folder, path string) bool {
	if path == "" {
		return false
	}
	for _, of := range []func(string) string{filepath.Clean, resolveLinks} {
		rel, err := filepath.Rel(of(folder), of(path))
		if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// resolveLinks follows the links in path. It returns path itself if nothing is there any more.
func resolveLinks(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// Took returns how long a run took.
func Took(r PastRun) time.Duration { return time.Duration(r.DurationMS * float64(time.Millisecond)) }
