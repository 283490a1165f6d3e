package executor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/process"
	"github.com/abl-lsp/abl-lsp/executor/template"
)

// ErrorKind says whose fault an error is.
type ErrorKind string

// The kinds of errors.
const (
	KindDefinition ErrorKind = "definition" // the tool, as it is written, cannot be run
	KindArguments  ErrorKind = "arguments"  // what the caller gave is wrong
	KindNeeds      ErrorKind = "needs"      // not run; the caller can supply what is missing
	KindDenied     ErrorKind = "denied"     // not run, and not to be
	KindTimeout    ErrorKind = "timeout"    // its time ran out, or the caller took it away
	KindLimit      ErrorKind = "limit"      // a cap was hit
	KindNetwork    ErrorKind = "network"    // no answer
	KindRemote     ErrorKind = "remote"     // the other side said no
	KindResult     ErrorKind = "result"     // not of the declared type
	KindSandbox    ErrorKind = "sandbox"    // the code threw, or reached for what it may not
	KindInternal   ErrorKind = "internal"   // a defect of this program
)

// Error is a failed run. It says what is at fault and what to do.
type Error struct {
	Kind      ErrorKind      `json:"kind"`
	Code      string         `json:"code"`
	Message   string         `json:"message"`
	Hint      string         `json:"hint"`
	Retryable bool           `json:"retryable"` // the same call may succeed, and is safe to make again
	Details   map[string]any `json:"details"`

	Err        error         `json:"-"` // the cause, which may show secrets; may be nil
	Status     int           `json:"-"` // of HTTP; 0: no answer
	Unsent     bool          `json:"-"` // nothing can have reached the other side
	RetryAfter time.Duration `json:"-"` // what the other side asked for; 0: nothing

	needs *Needs
}

func (e *Error) Error() string { return e.Message }

// Answer returns what the other side said when it refused, shortened. It is "" if
// nothing is known beyond the message.
func (e *Error) Answer() string {
	body, _ := e.Details["body"].(string)
	return strings.TrimSpace(body)
}

// FullMessage returns, in lines, what is wrong, what the other side said, and what to
// do.
func (e *Error) FullMessage() string {
	lines := []string{string(e.Kind) + ": " + e.Message, e.Answer(), e.Hint}
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return line == "" }), "\n")
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// MarshalJSON writes details as an object, also where there are none.
func (e *Error) MarshalJSON() ([]byte, error) {
	type plain Error
	p := plain(*e)
	if p.Details == nil {
		p.Details = map[string]any{}
	}
	return encode(p), nil
}

// Errorf makes an error. Code is a stable word for programs.
func Errorf(kind ErrorKind, code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Kind: kind, Code: code, Message: err.Error(), Err: errors.Unwrap(err)}
}

// DefinitionError is an error of a tool that cannot be run as it is written.
func DefinitionError(code, format string, args ...any) *Error {
	return Errorf(KindDefinition, code, format, args...)
}

// WithHint adds what to do about it.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// TemplateError returns the error for a property whose placeholders could not be filled
// in. If the caller can give a missing session variable, details.session names it. An
// [*Error] from the function that writes the values is returned as it is.
func TemplateError(property string, err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if t, ok := errors.AsType[*template.Error](err); ok && strings.HasPrefix(t.Name, "session.") {
		missing := Errorf(KindArguments, "template", "%s: %w", property, err) // the caller gives the session
		missing.Details = map[string]any{"session": strings.TrimPrefix(t.Name, "session.")}
		return missing.WithHint("A saved case gives it under session, the command line by --session.")
	}
	return Errorf(KindDefinition, "template", "%s: %w", property, err)
}

// CodeCancelled is the code of a run that the caller stopped.
const CodeCancelled = "cancelled"

// PanicError is the cause of an internal error that was a panic.
type PanicError struct {
	Value any
	Stack []byte
}

func (p *PanicError) Error() string { return fmt.Sprintf("internal error: %v", p.Value) }

// SignInError returns the error of a call for which the person must first sign in, at a
// page.
func SignInError(page, format string, args ...any) *Error {
	return needsError(Needs{Browser: page}, "sign-in", format, args...)
}

func needsError(n Needs, code, format string, args ...any) *Error {
	e := Errorf(KindNeeds, code, format, args...)
	e.needs = &n
	return e
}

// asError gives every error its kind.
func asError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if r, ok := errors.AsType[*dial.RefusedError](err); ok {
		return asRefusedError(r, err)
	}
	if s, ok := errors.AsType[*process.StartError](err); ok {
		return Errorf(KindDefinition, "program", "%w", s)
	}
	return &Error{Kind: KindInternal, Code: "internal", Message: err.Error(), Err: err}
}

// FindClassified returns the error in err's chain that has a kind of its own: an
// [*Error], or a refusal of the guard. It is nil if there is none.
func FindClassified(err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if r, ok := errors.AsType[*dial.RefusedError](err); ok {
		return r
	}
	return nil
}

func asRefusedError(r *dial.RefusedError, err error) *Error {
	e := &Error{Kind: KindDenied, Code: string(r.Reason), Message: r.Error(), Hint: r.Hint(), Err: err}
	if r.Host != "" {
		e.Details = map[string]any{"host": r.Host}
	}
	return e
}

// timeoutCause is the cause of a context that ends at a limit of the tool or the project.
type timeoutCause struct {
	after time.Duration
	limit string // where it was set
}

func (t *timeoutCause) Error() string {
	return fmt.Sprintf("no answer within %v (%s)", t.after, t.limit)
}

// contextError returns the error of a context that is done: its time ran out, or the caller
// cancelled.
func contextError(ctx context.Context) *Error {
	cause := context.Cause(ctx)
	var t *timeoutCause
	switch {
	case errors.As(cause, &t):
		return &Error{Kind: KindTimeout, Code: "timeout", Message: t.Error(), Err: cause}
	case errors.Is(cause, context.DeadlineExceeded):
		return &Error{Kind: KindTimeout, Code: "timeout", Message: "no answer within the time that the caller gave", Err: cause}
	}
	return &Error{Kind: KindTimeout, Code: CodeCancelled, Message: "cancelled", Err: cause}
}
