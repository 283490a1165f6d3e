package sql

import (
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/abl-lsp/abl-lsp/executor"
)

// serverError converts an error of the server or of the connection. It is nil if err is nil. sent
// says that the server may have received the statement.
func (d *postgresDB) serverError(err error, sent bool) error {
	if known := executor.FindClassified(err); err == nil || known != nil {
		return known
	}
	if p, ok := errors.AsType[*pgconn.PgError](err); ok {
		return d.refusedError(p)
	}
	if big, ok := errors.AsType[*pgproto3.ExceededMaxBodyLenErr](err); ok || errors.Is(err, errAnswerTooLarge) || big != nil {
		return tooLargeError(d.source.bytes)
	}
	if fault := d.source.tlsError(err); fault != nil {
		return fault
	}
	return executor.NetworkError(d.source.address(), rootCause(err), sent)
}

// rootCause returns the innermost cause of err, without the list of attempts. Of several causes it
// takes the first.
func rootCause(err error) error {
	for {
		var inner error
		switch e := err.(type) { //nolint:errorlint // this unwraps step by step
		case interface{ Unwrap() error }:
			inner = e.Unwrap()
		case interface{ Unwrap() []error }:
			if all := e.Unwrap(); len(all) > 0 {
				inner = all[0]
			}
		}
		if inner == nil {
			return err
		}
		err = inner
	}
}

// The SQLSTATE codes that have a special meaning here.
const (
	stateReadOnly = "25006"
	stateSeveral  = "42601"
)

func (d *postgresDB) refusedError(p *pgconn.PgError) error {
	if p.Code == stateReadOnly {
		return unexpectedWriteError()
	}
	e := executor.Errorf(executor.KindRemote, "sql", "%s: %s", d.source.name, p.Message)
	details := map[string]any{"sqlstate": p.Code}
	if p.Position > 0 {
		details["position"] = p.Position
	}
	if p.Detail != "" {
		details["detail"] = p.Detail
	}
	e.Details = details
	switch {
	case p.Hint != "":
		return e.WithHint("%s", p.Hint)
	case strings.HasPrefix(p.Code, "28"):
		return e.WithHint("Look at user, password and database of %s in the sources of abl.yaml.", d.source.name)
	case p.Code == stateSeveral && strings.Contains(p.Message, "multiple commands"):
		return e.WithHint("A tool runs one statement.")
	}
	return e
}
