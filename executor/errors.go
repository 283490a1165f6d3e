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

// ErrorKind says who or what caused an error.
type ErrorKind string

// The kinds of errors.
const (
	KindDefinition ErrorKind = "definition" // the tool cannot be run as it is written
	KindArguments  ErrorKind = "arguments"  // the caller gave something wrong
	KindNeeds      ErrorKind = "needs"      // not run; the caller can supply what is missing
	KindDenied     ErrorKind = "denied"     // not run, and must not be
	KindTimeout    ErrorKind = "timeout"    // a time limit ended, or the caller cancelled
	KindLimit      ErrorKind = "limit"      // a limit was exceeded
	KindNetwork    ErrorKind = "network"    // the other side did not answer
	KindRemote     ErrorKind = "remote"     // the other side refused
	KindResult     ErrorKind = "result"     // the result is not of the declared type, or not as it should be
	KindSandbox    ErrorKind = "sandbox"    // the code failed, or tried something forbidden
	KindInternal   ErrorKind = "internal"   // a defect of this program
)

// Error describes why a run failed and what the person can do.
type Error struct {
	Kind      ErrorKind      `json:"kind"`
	Code      string         `json:"code"`
	Message   string         `json:"message"`
	Hint      string         `json:"hint"`
	Retryable bool           `json:"retryable"` // the same call may succeed, and is safe to make again
	Details   map[string]any `json:"details"`

	Err        error         `json:"-"` // the cause, which may show secrets; may be nil
	Status     int           `json:"-"` // the HTTP status; 0: no answer
	Unsent     bool          `json:"-"` // nothing can have reached the other side
	RetryAfter time.Duration `json:"-"` // the wait that the other side asked for; 0: none

	needs *Needs
}

func (e *Error) Error() string { return e.Message }

// Answer returns the other side's own words of refusal, shortened. It is "" if nothing is
// known beyond the message.
func (e *Error) Answer() string {
	body, _ := e.Details["body"].(string)
	return strings.TrimSpace(body)
}

// FullMessage returns the message, the other side's answer and the hint, each on its own line.
func (e *Error) FullMessage() string {
	lines := []string{string(e.Kind) + ": " + e.Message, e.Answer(), e.Hint}
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return line == "" }), "\n")
}

// Unwrap returns the cause; it may be nil.
func (e *Error) Unwrap() error { return e.Err }

// Title returns how the run ended, see [ErrorTitle].
func (e *Error) Title() string { return ErrorTitle(e.Kind, e.Code) }

// MarshalJSON writes the error with its title, and with details as an object, which is empty if
// there are none.
func (e *Error) MarshalJSON() ([]byte, error) {
	type plain Error
	p := struct {
		plain
		Title string `json:"title"`
	}{plain(*e), e.Title()}
	if p.Details == nil {
		p.Details = map[string]any{}
	}
	return encode(p), nil
}

// Errorf returns an Error with a formatted message. code is a stable word for programs. An
// error that format wraps with %w is the cause.
func Errorf(kind ErrorKind, code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Kind: kind, Code: code, Message: err.Error(), Err: errors.Unwrap(err)}
}

// DefinitionError returns the error of a tool that cannot be run as it is written.
func DefinitionError(code, format string, args ...any) *Error {
	return Errorf(KindDefinition, code, format, args...)
}

// WithHint sets the hint, which says what the person can do, and returns e.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// TemplateError returns the error for a property whose placeholders could not be filled
// in. If a session variable is missing, details.session names it, since the caller can give it.
// If err holds an [*Error], TemplateError returns that one.
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

// PanicError is the cause of an internal error that a panic led to.
type PanicError struct {
	Value any
	Stack []byte
}

func (p *PanicError) Error() string { return fmt.Sprintf("internal error: %v", p.Value) }

// SignInError returns the error of a call that needs the person to sign in first. page is the
// URL of the page to sign in at.
func SignInError(page, format string, args ...any) *Error {
	return needsError(Needs{Browser: page}, "sign-in", format, args...)
}

func needsError(n Needs, code, format string, args ...any) *Error {
	e := Errorf(KindNeeds, code, format, args...)
	e.needs = &n
	return e
}

// asError returns the [*Error] in err's chain. It converts a refusal of the guard and a failure to
// start a program to an error of their kind, and any other error to an internal one.
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

// FindClassified returns the first [*Error] in err's chain, else the first refusal of the guard.
// It is nil if the chain has neither.
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

// timeoutCause is the cause of a context that ended at a time limit of the tool or the project.
type timeoutCause struct {
	after time.Duration
	limit string // the setting that set it
}

func (t *timeoutCause) Error() string {
	return fmt.Sprintf("no answer within %v (%s)", t.after, t.limit)
}

// contextError returns the error for a ctx that has ended. Its kind is [KindTimeout]; its code is
// "timeout" after a time limit, and [CodeCancelled] after a cancellation by the caller.
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
