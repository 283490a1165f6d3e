// Package sql runs the tools of `type: sql`: one statement on a database of the
// project, SQLite, PostgreSQL or MySQL (MariaDB).
//
// It promises that values are bound and never pasted, but for template parameters,
// which can only be names, or are quoted; that one run is one statement in one
// transaction, which is read-only where the tool only reads; that a value keeps its
// type and its digits on the way there and back; that a statement ends in the
// database when its run does; and that no answer fills the memory.
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

// Options of a Runner; the zero value is the usual one.
type Options struct {
	Dialer *dial.Dialer // owns the connections; nil: one of its own
}

// Runner runs SQL tools. It is safe for concurrent use, and must be closed.
type Runner struct {
	dialer     *dial.Dialer
	pools      *pools
	statements statementCache
}

// New makes a Runner.
func New(o Options) *Runner {
	return &Runner{dialer: cmp.Or(o.Dialer, dial.New(dial.Options{})), pools: newPools(), statements: newStatementCache()}
}

// database is where statements run.
type database interface {
	run(ctx context.Context, q query) (answer, error)
	check(ctx context.Context, text string) error // prepares it, and runs nothing
	close()
}

// query is one statement, ready for a database.
type query struct {
	text     string
	args     []argument
	readOnly bool
	rows     int   // most rows that are kept
	bytes    int64 // most bytes of the answer
}

// argument is a value that is bound.
type argument struct {
	name  string // of the parameter
	typ   *tool.Type
	value any // as JSON is read; nil: NULL
}

// answer is what a statement brought.
type answer struct {
	value     json.RawMessage
	truncated *executor.Truncation
	warnings  []string
}

// SelectVariant is the statement as it will run, so that it is judged by what it does.
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
	src, err := resolve(call, p.Source)
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
		return executor.Result{}, p.at(endedError(ctx, err))
	}
	return executor.Result{
		Value: a.value, ContentType: "application/json", Truncated: a.truncated,
		Warnings: append(p.unused(call), a.warnings...),
	}, nil
}

// endedError says that the run ended first, where it did: what a database says then is
// only that it was interrupted.
func endedError(ctx context.Context, err error) error {
	if e, ok := errors.AsType[*executor.Error](err); ok && e.Kind == executor.KindLimit || err == nil || ctx.Err() == nil {
		return err
	}
	return ctx.Err()
}

// callPreview is a call as a person sees it.
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

// Preview shows the statement, and the values that are bound to it.
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

// Reach is the source, and the server to which secrets go.
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
		Receiver:  src.receiver(),
		Project:   call.Environment.Sources[p.Source],
		Uncovered: []string{"the database " + p.Source},
	}, nil
}

// Secrets are those that the source names, and those that are bound.
func (r *Runner) Secrets(call executor.Call) ([]string, error) {
	p, err := r.statements.prepare(call)
	if err != nil {
		return nil, err
	}
	return append(secretsOf(call.Environment.Sources[p.Source]), p.secrets()...), nil
}

// Pace is the timeout that the source gives each statement.
func (r *Runner) Pace(call executor.Call) (executor.Pace, error) {
	p, err := r.statements.prepare(call)
	if err != nil {
		return executor.Pace{}, err
	}
	src, err := resolve(call, p.Source)
	return executor.Pace{Timeout: src.timeout}, err
}

// Check asks the database whether it would run the tool's statement, without
// running it. A statement into which something is pasted is none before it is.
func (r *Runner) Check(ctx context.Context, call executor.Call) error {
	p, err := r.statements.prepare(call)
	if err != nil {
		return err
	}
	src, err := resolve(call, p.Source)
	if err != nil {
		return err
	}
	db, release, err := r.pools.get(src, r.dialer)
	if err != nil {
		return err
	}
	defer release()
	return p.at(endedError(ctx, db.check(ctx, p.Statement)))
}

// Close closes all connections.
func (r *Runner) Close() error {
	r.pools.close()
	return nil
}
