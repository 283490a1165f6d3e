// Package redis runs the tools of `type: redis`. Each run sends its commands, one after the other, on
// a connection of its own to a Redis or Valkey server of the project.
//
// A value fills a word and never becomes a part of the command's name or of another word. Commands that
// lead elsewhere or never end are refused. No answer fills the memory.
package redis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	goredis "github.com/redis/go-redis/v9"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// Options configure a Runner; the zero value is valid.
type Options struct {
	Dialer *dial.Dialer // owns the connections; nil: one of its own
}

// Runner runs redis tools. It is safe for concurrent use.
type Runner struct{ dialer *dial.Dialer }

// New returns a Runner.
func New(o Options) *Runner { return &Runner{dialer: cmp.Or(o.Dialer, dial.New(dial.Options{}))} }

// Run sends the commands of a call. Its result is a list with the answer of each. It stops at the
// first command that the server refuses; what the earlier ones did stays.
func (r *Runner) Run(ctx context.Context, call executor.Call) (executor.Result, error) {
	commands, warnings, err := fillCommands(call)
	if err != nil {
		return executor.Result{}, err
	}
	s, err := resolveSource(call)
	if err != nil {
		return executor.Result{}, err
	}
	c, err := s.connect(ctx, r.dialer)
	if err != nil {
		return executor.Result{}, endedError(ctx, err)
	}
	defer c.close()
	w := replyWriter{answers: make([]any, len(commands)), warnings: warnings}
	for i, words := range commands {
		reply, err := c.do(ctx, words)
		if err != nil {
			return executor.Result{}, endedError(ctx, s.commandError(err, i, words))
		}
		w.answers[i] = w.jsonOf(reply)
	}
	value, err := exactjson.Encode(w.answers)
	if err != nil {
		return executor.Result{}, executor.Errorf(executor.KindResult, "no-json", "the answer: %w", err)
	}
	if int64(len(value)) > s.bytes {
		return executor.Result{}, tooLargeError(s.bytes)
	}
	return executor.Result{Value: value, ContentType: "application/json", Warnings: w.warnings}, nil
}

// endedError returns ctx's error if ctx has ended, because the connection then only reports that it
// was closed. Otherwise, and for a limit that was exceeded, it returns err.
func endedError(ctx context.Context, err error) error {
	if e, ok := errors.AsType[*executor.Error](err); ok && e.Kind == executor.KindLimit || ctx.Err() == nil {
		return err
	}
	return ctx.Err()
}

// commandError returns the error for a command that failed. i is its index.
func (s *source) commandError(err error, i int, words []string) error {
	refused, ok := errors.AsType[goredis.Error](err)
	if !ok {
		return s.serverError(err, true)
	}
	e := executor.Errorf(executor.KindRemote, "redis", "%s: %s", strings.ToUpper(words[0]), refused.Error())
	code, _, _ := strings.Cut(refused.Error(), " ")
	e.Details = map[string]any{"command": i + 1, "code": code}
	if i > 0 {
		return e.WithHint("It is command %d; the commands before it were run.", i+1)
	}
	return e
}

func tooLargeError(limit int64) error {
	return executor.Errorf(executor.KindLimit, "response-size", "the answer is larger than %d bytes", limit).
		WithHint("Ask for less, or set limits: {response_bytes: …} in abl.yaml.")
}

// callPreview is a call as a preview shows it.
type callPreview struct {
	Source   string     `json:"source"`
	Host     string     `json:"host"`
	Database string     `json:"database,omitempty"`
	User     string     `json:"user,omitempty"`
	Commands [][]string `json:"commands"`
}

// Preview returns the commands as they are sent.
func (r *Runner) Preview(call executor.Call) (any, error) {
	commands, _, err := fillCommands(call)
	if err != nil {
		return nil, err
	}
	s, err := shownSource(call)
	if err != nil {
		return nil, err
	}
	return callPreview{Source: s.name, Host: s.address(), Database: s.database, User: s.user, Commands: commands}, nil
}

// Reach returns the source, and the server that receives the secrets.
func (r *Runner) Reach(call executor.Call) (executor.Reach, error) {
	s, err := shownSource(call)
	if err != nil {
		return executor.Reach{}, err
	}
	op := "write"
	if mutates := call.Tool.Mutates(); mutates != nil && !*mutates {
		op = "read"
	}
	return executor.Reach{
		Accesses:  []tool.Permission{{Kind: "redis", Op: op, Resource: s.name}},
		Receiver:  s.host,
		Host:      s.address(),
		Project:   call.Environment.Sources[s.name],
		Uncovered: []string{"the data of " + s.name},
	}, nil
}

// Secrets returns the names of the secrets in the source's settings.
func (r *Runner) Secrets(call executor.Call) ([]string, error) {
	name, err := sourceName(call)
	if err != nil {
		return nil, err
	}
	return secretsOf(call.Environment.Sources[name]), nil
}

// Pace returns the timeout that the source sets for a run.
func (r *Runner) Pace(call executor.Call) (executor.Pace, error) {
	s, err := resolveSource(call)
	if err != nil {
		return executor.Pace{}, err
	}
	return executor.Pace{Timeout: s.timeout}, nil
}

// Supports returns an error if the tool's source is not one of Redis or Valkey.
func (r *Runner) Supports(t *tool.Tool, e *executor.Environment) error {
	b, ok := t.Spec.(*tool.Redis)
	if !ok {
		return nil
	}
	if src, ok := e.Sources[b.Source]; ok && src.Fault == nil && !isServer(src.Kind) {
		return wrongKindError(b.Source, src.Kind)
	}
	return nil
}

func wrongKindError(name, kind string) error {
	return executor.DefinitionError("source", "sources.%s.kind: %q is none of %s", name, kind, strings.Join(serverKinds, ", "))
}

// unusedWarning returns the warning for an argument that no command uses.
func unusedWarning(name string) string {
	return fmt.Sprintf("%s was not used: no command has a place for it", name)
}
