// Package builtin runs the tools of `type: builtin`: functions of this program itself.
//
// Each builtin declares the arguments that it needs; a call warns of arguments that the builtin
// does not read. A builtin ends with its run. Its requests go through the guard of package dial.
package builtin

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/rest"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Builtin is one function of `type: builtin`. It can implement the optional interfaces of an
// [executor.Runner], such as [executor.Previewer].
type Builtin interface {
	executor.Runner
	Parameters() Parameters
}

// Parameters are the names of the arguments that a builtin reads.
type Parameters struct {
	Required []string // the tool's signature must have them
	Optional []string // the signature may have them
}

// Options configure a Runner; the zero value is valid.
type Options struct {
	Requests  rest.Options                     // for builtins that send requests
	Now       func() time.Time                 // nil: time.Now
	LookupEnv func(name string) (string, bool) // for the variables that Corail reads; nil: the process environment
}

// Runner runs builtin tools. It is safe for concurrent use.
type Runner struct {
	mu    sync.RWMutex
	table map[string]Builtin
}

// New returns a Runner.
func New(o Options) *Runner {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.LookupEnv == nil {
		o.LookupEnv = os.LookupEnv
	}
	client := rest.New(o.Requests)
	return &Runner{table: map[string]Builtin{
		"datetime":   datetime{o.Now},
		"calculator": calculator{},
		"wait":       wait{},
		"web_search": webSearch{client, o.LookupEnv},
		"fetch_url":  fetchURL{client},
	}}
}

// Register adds a builtin; it may be called while runs go on. It returns an error, and
// changes nothing, if the name is in use.
func (r *Runner) Register(name string, b Builtin) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case name == "":
		return errors.New("register a builtin: it has no name")
	case b == nil:
		return fmt.Errorf("register %s: nothing runs it", name)
	case r.table[name] != nil:
		return fmt.Errorf("register %s: there is such a builtin already", name)
	}
	r.table[name] = b
	return nil
}

// Run calls the builtin once.
func (r *Runner) Run(ctx context.Context, call executor.Call) (executor.Result, error) {
	b, name, err := r.find(call)
	if err != nil {
		return executor.Result{}, err
	}
	result, err := b.Run(ctx, call)
	result.Warnings = append(unreadArguments(name, b, call), result.Warnings...)
	return result, err
}

// Preview returns the request of a builtin that sends one, else its arguments.
func (r *Runner) Preview(call executor.Call) (any, error) {
	b, name, err := r.find(call)
	if err != nil {
		return nil, err
	}
	if p, ok := b.(executor.Previewer); ok {
		return p.Preview(call)
	}
	return struct {
		Builtin   string         `json:"builtin"`
		Arguments map[string]any `json:"arguments"`
	}{name, call.Scope.Args}, nil
}

// Reach returns the host of a builtin that sends requests.
func (r *Runner) Reach(call executor.Call) (executor.Reach, error) {
	b, _, err := r.find(call)
	if err != nil {
		return executor.Reach{}, err
	}
	if reacher, ok := b.(executor.Reacher); ok {
		return reacher.Reach(call)
	}
	return executor.Reach{}, nil
}

// Secrets returns the names of the secrets that the builtin needs.
func (r *Runner) Secrets(call executor.Call) ([]string, error) {
	b, _, err := r.find(call)
	if err != nil {
		return nil, err
	}
	if user, ok := b.(executor.SecretUser); ok {
		return user.Secrets(call)
	}
	return nil, nil
}

// Pace returns the pace of a builtin that sets one.
func (r *Runner) Pace(call executor.Call) (executor.Pace, error) {
	b, _, err := r.find(call)
	if err != nil {
		return executor.Pace{}, err
	}
	if pacer, ok := b.(executor.Pacer); ok {
		return pacer.Pace(call)
	}
	return executor.Pace{}, nil
}

// find returns the builtin that a call names, and that name. It returns an error if there is no
// such builtin, or if the tool's signature lacks a required parameter.
func (r *Runner) find(call executor.Call) (b Builtin, name string, err error) {
	s, err := executor.SpecOf[*tool.Builtin](call)
	if err != nil {
		return nil, "", err
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	b = r.table[s.Builtin]
	if b == nil {
		return nil, "", executor.DefinitionError("builtin", "builtin: %q is none of %s", s.Builtin, strings.Join(slices.Sorted(maps.Keys(r.table)), ", "))
	}
	for _, needed := range b.Parameters().Required {
		if !call.Scope.Declared(needed) {
			return nil, "", executor.DefinitionError("builtin-parameter", "builtin: %s needs the parameter %s, which the signature does not have", s.Builtin, needed).
				WithHint("Declare it: %s(%s).", call.Tool.Name, strings.Join(b.Parameters().Required, ", "))
		}
	}
	return b, s.Builtin, nil
}

// unreadArguments returns a warning for each argument of a call that the builtin does not read.
func unreadArguments(name string, b Builtin, call executor.Call) []string {
	var warnings []string
	known := slices.Concat(b.Parameters().Required, b.Parameters().Optional)
	for _, given := range call.Scope.Params {
		if _, ok := call.Scope.Args[given]; ok && !slices.Contains(known, given) {
			warnings = append(warnings, fmt.Sprintf("%s does not read the argument %q", name, given))
		}
	}
	return warnings
}
