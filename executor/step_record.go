package executor

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/journal"
	"github.com/abl-lsp/abl-lsp/tool"
)

// JournalDir returns the path of the journal's folder within a state folder.
func JournalDir(stateDir string) string { return filepath.Join(stateDir, "journal") }

// JournalError says that some runs could not be written to the journal.
type JournalError struct {
	Err    error
	Warned bool // a run has already warned of it
}

func (e *JournalError) Error() string {
	return fmt.Sprintf("the journal of runs cannot be written: %v", e.Err)
}

// Unwrap returns the cause.
func (e *JournalError) Unwrap() error { return e.Err }

// recordRun makes the run appear in the journal. Runs that ended in an earlier step, because
// they were refused or answered from the cache, have done nothing and do not appear. For a call
// that may change something, a row is written before the call is made. If the journal cannot be
// written, the run continues with a warning. A call that is made again is written once.
func recordRun(ctx context.Context, r *run, next handler) (Result, error) {
	j := r.executor.journal
	if j == nil || r.recorded {
		return next(ctx, r)
	}
	r.recorded = true
	err := j.Ready()
	if err == nil && r.call.Mutates {
		err = j.Begin(r.row())
	}
	if r.unrecorded = err != nil; r.unrecorded {
		r.warn("%v", &JournalError{Err: err})
		r.executor.journalFailed.Store(true)
	}
	return next(ctx, r)
}

// recordEnd writes to the journal how a run ended, as its envelope shows it. It writes nothing
// for a run that only needs an answer of the person, unless its beginning is already written.
func (r *run) recordEnd() {
	e := &r.envelope
	switch {
	case !r.recorded, e.Needs != nil && !r.call.Mutates:
		return
	case e.Error != nil && e.Error.Code == CodeContinuesLater:
		return // another process will record the end
	}
	row := r.row()
	row.OK = &e.OK
	row.Attempts, row.DurationMS = len(e.Attempts), e.DurationMS
	if e.Error != nil {
		row.Error = &journal.Error{Kind: string(e.Error.Kind), Code: e.Error.Code, Message: e.Error.Message}
	}
	if r.storesResult() {
		row.Value = e.Value
	}
	if r.handlesPersonalData() {
		row.Value = encode(personalMark)
		if row.Error != nil {
			row.Error.Message = personalMark // it may quote personal data
		}
	}
	r.reportRevertible(&row)
	r.executor.journal.End(row)
}

// row returns the row of the journal for the beginning of a run.
func (r *run) row() journal.Row {
	t := r.req.Tool
	args := r.redactor.JSON(encode(r.call.Scope.Args))
	switch {
	case r.pending != nil:
		args = nil // the row of the beginning has them
	case r.handlesPersonalData():
		args = r.maskedArguments()
	}
	return journal.Row{
		Run:           r.envelope.Run,
		Time:          r.started.UTC().Format(time.RFC3339Nano),
		Tool:          t.Name,
		Version:       t.Version,
		File:          t.Origin.File,
		RequestedFrom: r.requestedFrom(),
		Origin:        t.Origin.System,
		Reverts:       r.reverts,
		CanRevert:     t.CanRevert(),
		Kind:          string(t.Kind),
		Environment:   r.req.Environment.Name,
		Host:          r.redactor.String(cmp.Or(r.reach.Host, r.reach.Receiver)),
		PIIAccess:     t.PIIAccess,
		Args:          args,
		Session:       len(r.call.Scope.Session) > 0,
	}
}

// requestedFrom returns the file in which the tool was called. It is "" if that is the file
// that declares the tool.
func (r *run) requestedFrom() string {
	if r.req.File == r.req.Tool.Origin.File {
		return ""
	}
	return r.req.File
}

// storesResult reports whether the journal may keep the tool's result.
func (r *run) storesResult() bool {
	word, err := r.call.Scope.Expand(string(r.req.Tool.StoreResult), nil)
	return err == nil && !strings.EqualFold(strings.TrimSpace(word), "false")
}

// KeepsResult reports whether a result of t may be kept in files. It is false if that depends on the
// environment.
func KeepsResult(t *tool.Tool) bool {
	return (t.StoreResult == "" || strings.EqualFold(string(t.StoreResult), "true")) && !isPersonalDataAccess(t.PIIAccess)
}

// handlesPersonalData reports whether the tool handles personal data that may not be
// logged.
func (r *run) handlesPersonalData() bool { return isPersonalDataAccess(r.req.Tool.PIIAccess) }

func isPersonalDataAccess(access string) bool {
	return access != "" && !strings.EqualFold(access, "logs")
}

// personalMark replaces personal data in the journal.
const personalMark = "••••(pii)"

// maskedArguments returns the arguments with each value replaced by personalMark.
func (r *run) maskedArguments() json.RawMessage {
	shown := map[string]string{}
	for name := range r.call.Scope.Args {
		shown[name] = personalMark
	}
	return encode(shown)
}
