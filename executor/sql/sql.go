// Package sql runs the tools of `type: sql`. Each run is one statement on a database of the
// project: SQLite, PostgreSQL or MySQL (MariaDB).
//
// Values are bound and never pasted. Only template parameters are pasted; they must be names, or
// they are quoted. Each run is one transaction, which is read-only if the tool only reads. A value
// keeps its type and its digits in both directions. When a run ends, the database ends its
// statement. No answer fills the memory.
package sql

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Options configure a Runner; the zero value is valid.
type Options struct {
	Dialer *dial.Dialer // owns the connections; nil: one of its own
}

// Runner runs SQL tools. It is safe for concurrent use, and must be closed.
type Runner struct {
	dialer     *dial.Dialer
	pools      *pools
	statements statementCache
}

// New returns a Runner. The caller must call [Runner.Close].
func New(o Options) *Runner {
	return &Runner{dialer: cmp.Or(o.Dialer, dial.New(dial.Options{})), pools: newPools(), statements: newStatementCache()}
}

// database runs statements.
type database interface {
	run(ctx context.Context, q query) (statementResult, error)
	check(ctx context.Context, text string) error // prepares the statement without running it
	close()
}

// query is one statement with its values and limits.
type query struct {
	text     string
	args     []argument
	readOnly bool
	rows     int   // the most rows that are kept
	bytes    int64 // the most bytes of the answer
}

// argument is a value that is bound to a statement.
type argument struct {
	name  string // of the parameter
	typ   *tool.Type
	value any // decoded JSON; nil: NULL
}

// statementResult is the outcome of a statement: the value for the caller, what was cut from it,
// and warnings.
type statementResult struct {
	value     json.RawMessage
	truncated *executor.Truncation
	warnings  []string
}

// SelectVariant returns the statement as it will run, so that the gate can decide by its effects.
func (r *Runner) SelectVariant(_ context.Context, call executor.Call) (tool.Spec, error) {
	return r.statements.prepare(call)
}

// Run runs the statement once.
func (r *Runner) Run(ctx context.Context, call executor.Call) (executor.Result, error) {
	p, err := r.statements.prepare(call)
	if err != nil {
		return executor.Result{}, err
	}
	q, err := p.query(call)
	if err != nil {
		return executor.Result{}, err
	}
	src, err := resolveSource(call, p.Source)
	if err != nil {
		return executor.Result{}, err
	}
	db, release, err := r.pools.get(src, r.dialer)
	if err != nil {
		return executor.Result{}, err
	}
	defer release()
	a, err := db.run(ctx, q)
	if err != nil {
		return executor.Result{}, p.atStatement(endedError(ctx, err))
	}
	return executor.Result{
		Value: a.value, ContentType: "application/json", Truncated: a.truncated,
		Warnings: append(p.warnUnused(call), a.warnings...),
	}, nil
}

// endedError returns ctx's error if ctx has ended, because the database then only reports that it
// was interrupted. Otherwise, and for a limit that was exceeded, it returns err.
func endedError(ctx context.Context, err error) error {
	if e, ok := errors.AsType[*executor.Error](err); ok && e.Kind == executor.KindLimit || err == nil || ctx.Err() == nil {
		return err
	}
	return ctx.Err()
}

// callPreview is a call as a preview shows it.
type callPreview struct {
	Source   string      `json:"source"`
	Kind     string      `json:"kind"`
	Database string      `json:"database,omitempty"`
	Host     string      `json:"host,omitempty"`
	User     string      `json:"user,omitempty"`
	ReadOnly bool        `json:"read_only"`
	SQL      string      `json:"sql"`
	Values   tool.Object `json:"values"`
}

// Preview returns the statement and the values that are bound to it.
func (r *Runner) Preview(call executor.Call) (any, error) {
	p, err := r.statements.prepare(call)
	if err != nil {
		return nil, err
	}
	q, err := p.query(call)
	if err != nil {
		return nil, err
	}
	src, err := shownSource(call, p.Source)
	if err != nil {
		return nil, err
	}
	s := callPreview{
		Source: p.Source, Kind: src.kind, Database: src.database, Host: src.address(), User: src.user,
		ReadOnly: q.readOnly, SQL: q.text, Values: tool.Object{},
	}
	for i, a := range q.args {
		s.Values = append(s.Values, tool.Member{Name: p.dialect.shownMark(i) + " " + a.name, Value: a.value})
	}
	return s, nil
}

// Reach returns the source, and the server that receives the secrets.
func (r *Runner) Reach(call executor.Call) (executor.Reach, error) {
	p, err := r.statements.prepare(call)
	if err != nil {
		return executor.Reach{}, err
	}
	src, err := shownSource(call, p.Source)
	if err != nil {
		return executor.Reach{}, err
	}
	op := "write"
	if p.readOnly(call) {
		op = "read"
	}
	return executor.Reach{
		Accesses:  []tool.Permission{{Kind: "sql", Op: op, Resource: p.Source}},
		Receiver:  src.secretReceiver(),
		Project:   call.Environment.Sources[p.Source],
		Uncovered: []string{"the database " + p.Source},
	}, nil
}

// Secrets returns the names of the secrets in the source's settings, and of those that are bound.
func (r *Runner) Secrets(call executor.Call) ([]string, error) {
	p, err := r.statements.prepare(call)
	if err != nil {
		return nil, err
	}
	return append(secretsOf(call.Environment.Sources[p.Source]), p.secrets()...), nil
}

// Pace returns the timeout that the source sets for each statement.
func (r *Runner) Pace(call executor.Call) (executor.Pace, error) {
	p, err := r.statements.prepare(call)
	if err != nil {
		return executor.Pace{}, err
	}
	src, err := resolveSource(call, p.Source)
	return executor.Pace{Timeout: src.timeout}, err
}

// Check asks the database whether it would run the tool's statement, without running it. A nil
// error means that it would. A statement with template parameters is checked with their values.
func (r *Runner) Check(ctx context.Context, call executor.Call) error {
	p, err := r.statements.prepare(call)
	if err != nil {
		return err
	}
	src, err := resolveSource(call, p.Source)
	if err != nil {
		return err
	}
	db, release, err := r.pools.get(src, r.dialer)
	if err != nil {
		return err
	}
	defer release()
	return p.atStatement(endedError(ctx, db.check(ctx, p.Statement)))
}

// Close closes all connections. Its error is always nil.
func (r *Runner) Close() error {
	r.pools.close()
	return nil
}
