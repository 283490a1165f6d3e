package executor

import (
	"context"
	"errors"
	"time"

	"github.com/abl-lsp/abl-lsp/tool"
)

// StatementChecker is a Runner that can ask the other side whether it would accept a
// call, without making the call.
type StatementChecker interface {
	// Check returns nil if the other side accepts the call. An error of [KindRemote] is
	// its objection.
	Check(ctx context.Context, call Call) error
}

// Verdict is the answer of a database whether an SQL statement is valid.
type Verdict struct {
	Root      string // the folder of the project
	Source    string // the name of the database in the project
	Statement string // as the tool declares it
	Fault     string // the database's objection; "" if the statement is valid
	Position  int    // of the fault, in characters from 1; 0: unknown
}

// databaseCheckSteps are the steps of asking a database about a statement, in order. The
// statement does not run, so there is nothing to confirm.
var databaseCheckSteps = []step{
	locateError,
	requireTrust,
	findRunner,
	bindArguments,
	requirePermissions,
	useSecrets,
	limitCall,
	makeAttempt,
	askDatabase,
}

// Check asks the database of a request's tool whether it accepts the tool's statement.
// The answer goes to [Options.OnVerdict]; the envelope says whether the database answered.
func (e *Executor) Check(ctx context.Context, req Request) Envelope {
	return e.runChain(ctx, req, chain(databaseCheckSteps))
}

// askDatabase is the last step of [Executor.Check].
func askDatabase(ctx context.Context, r *run, _ handler) (Result, error) {
	c, ok := r.runner.(StatementChecker)
	if !ok {
		return Result{}, Errorf(KindDefinition, "no-check", "type: %s has nobody who could be asked whether the tool is right", r.req.Tool.Kind)
	}
	return Result{}, r.requestVerdict(ctx, c)
}

// requestVerdict asks the database about the statement and publishes the answer. It returns
// an error if the database did not answer.
func (r *run) requestVerdict(ctx context.Context, c StatementChecker) error {
	err := c.Check(ctx, r.call)
	fault, ok := errors.AsType[*Error](err)
	switch {
	case err == nil:
		r.publishVerdict(nil)
	case ok && fault.Kind == KindRemote:
		r.publishVerdict(fault)
	default:
		return err
	}
	return nil
}

// verdictTimeout bounds how long reportVerdict waits for the database's answer.
const verdictTimeout = 10 * time.Second

// reportVerdict publishes what a run shows about its SQL statement. A statement that ran is
// valid. After a failure it asks the database, since a valid statement can fail as well.
func reportVerdict(ctx context.Context, r *run, next handler) (Result, error) {
	result, err := next(ctx, r)
	c, ok := r.runner.(StatementChecker)
	if !ok {
		return result, err
	}
	fault, ok := errors.AsType[*Error](err)
	switch {
	case err == nil:
		r.publishVerdict(nil)
	case ok && fault.Kind == KindRemote:
		asking, stop := context.WithTimeout(ctx, verdictTimeout)
		defer stop()
		if r.requestVerdict(asking, c) != nil {
			return result, err // the run's own error counts
		}
	}
	return result, err
}

// publishVerdict passes the verdict on the request's statement to [Options.OnVerdict], without
// secrets. fault is nil if the statement is valid. It does nothing for a statement that a caller
// completes.
func (r *run) publishVerdict(fault *Error) {
	s, ok := r.req.Tool.Spec.(*tool.SQL)
	if !ok || len(s.TemplateParameters) > 0 {
		return
	}
	v := Verdict{Root: r.req.Environment.Root, Source: s.Source, Statement: s.Statement}
	if fault != nil {
		v.Fault = r.redactor.String(fault.Message)
		v.Position = position(fault.Details["position"])
	}
	r.executor.opts.OnVerdict(v)
}

func position(v any) int {
	switch n := v.(type) {
	case int:
		return n
	case int32:
		return int(n)
	case int64:
		return int(n)
	}
	return 0
}
