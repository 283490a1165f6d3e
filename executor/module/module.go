// Package module runs the tools of `type: module`: functions of a JavaScript or
// TypeScript module, under Node.
//
// Each call has its own process, which ends with the call. On Linux the process is in a jail and
// sees only Node and the module's folder. A call without a jail must be confirmed, whatever the
// tool declares. The module's connections are dialled here, through the guard of the run. The
// module's output is never taken for its answer.
package module

import (
	"cmp"
	"context"
	"slices"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/jail"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// Options configure a Runner; the zero value is valid.
type Options struct {
	Dialer *dial.Dialer // makes the connections; nil: one of its own
	AtOnce int          // the most calls at a time, others wait; 0: two for each processor, at least four
}

// Runner runs module tools. It is safe for concurrent use.
type Runner struct {
	dialer    *dial.Dialer
	semaphore executor.Semaphore
}

// New returns a Runner.
func New(o Options) *Runner {
	return &Runner{cmp.Or(o.Dialer, dial.New(dial.Options{})), executor.NewSemaphore(o.AtOnce)}
}

// Run calls the handler once.
func (r *Runner) Run(ctx context.Context, call executor.Call) (executor.Result, error) {
	p, err := planOf(call)
	if err != nil {
		return executor.Result{}, err
	}
	end, err := r.semaphore.Acquire(ctx, call, "waits for its turn")
	if err != nil {
		return executor.Result{}, err
	}
	defer end()
	ctx, cancel := withDefaultTimeout(ctx, call)
	defer cancel()
	return r.invoke(ctx, p)
}

// Pace leaves the default timeout to Run, so that it begins when the call may start.
func (r *Runner) Pace(executor.Call) (executor.Pace, error) {
	return executor.Pace{Bounded: true}, nil
}

// withDefaultTimeout bounds a call whose tool sets no timeout.
func withDefaultTimeout(ctx context.Context, call executor.Call) (context.Context, context.CancelFunc) {
	if call.Tool.Hints.Timeout != "" {
		return context.WithCancel(ctx)
	}
	after := call.ToolTimeout
	late := executor.Errorf(executor.KindTimeout, "timeout", "no answer within %v (EXECUTION.tool_timeout, else the usual limit)", after)
	return context.WithTimeoutCause(ctx, after, late)
}

// callPreview is a call as a preview shows it.
type callPreview struct {
	Runtime  string         `json:"runtime"`
	Jail     string         `json:"jail"`
	Module   string         `json:"module"`
	Handler  string         `json:"handler"`
	MemoryMB int            `json:"memory_mb"`
	Settings any            `json:"settings,omitempty"`
	Auth     any            `json:"auth,omitempty"`
	Args     map[string]any `json:"arguments"`
}

// Preview returns the function that would be called, with its arguments.
func (r *Runner) Preview(call executor.Call) (any, error) {
	p, err := planOf(call)
	if err != nil {
		return nil, err
	}
	in := string(jail.Bubblewrap)
	if why := unjailed(); why != "" {
		in = "none: " + why
	}
	return callPreview{
		Runtime: "node", Jail: in, Module: p.name, Handler: p.handler, MemoryMB: megabytes,
		Settings: p.settings, Auth: p.auth, Args: p.args,
	}, nil
}

// Reach returns the module, which runs as a process and receives the secrets.
func (r *Runner) Reach(call executor.Call) (executor.Reach, error) {
	s, err := executor.SpecOf[*tool.Module](call)
	if err != nil {
		return executor.Reach{}, err
	}
	name, path := nameOf(call, s), pathOf(call, s)
	files := sourceFiles(path)
	return executor.Reach{
		Accesses: []tool.Permission{
			{Kind: "process", Op: "start", Resource: "node"},
			{Kind: "module", Op: "call", Resource: name + "/" + handlerOf(call, s)},
		},
		Receiver:  name,
		Unjailed:  unjailed(),
		Project:   []any{call.Environment.Services[serviceOf(call, s)], versionOf(path, files)},
		Programs:  slices.DeleteFunc(slices.Clone(files), isOnOtherMachine),
		Uncovered: []string{"node (found on PATH) and packages that are installed"},
	}, nil
}

// Secrets returns the names of the secrets in the settings and auth of the service.
func (r *Runner) Secrets(call executor.Call) ([]string, error) {
	s, err := executor.SpecOf[*tool.Module](call)
	if err != nil {
		return nil, err
	}
	service := call.Environment.Services[serviceOf(call, s)]
	return placeholder.Secrets(string(service.Settings) + " " + string(service.Auth)), nil
}
