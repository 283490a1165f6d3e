package lambda

import (
	"context"
	"errors"
	"maps"
	"net"
	"net/http"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/process"
	"github.com/abl-lsp/abl-lsp/executor/rest"
)

// instance is a process that runs a local function, with the server that it talks to.
type instance struct {
	key        string
	name       string
	process    *process.Process
	output     *output
	server     *http.Server
	queue      chan *invocation
	initFailed chan answer // the report that the function could not begin
	retire     *time.Timer // while it is idle

	mu      sync.Mutex
	current *invocation
}

// invocation is one call of a local function.
type invocation struct {
	id        string
	payload   []byte
	deadline  time.Time
	max       int64
	delivered atomic.Bool // the function has it
	answered  bool        // it has answered, and its process can be used again
	answer    chan answer // of the function
}

// answer is the answer of a function to one call: a body, a failure that the function reports, or
// the error err if the answer could not be received.
type answer struct {
	body   []byte
	failed bool
	kind   string // the type of the failure
	err    error  // the answer could not be received
}

// maxTimeout is the longest time that a function may take at AWS.
const maxTimeout = 15 * time.Minute

func newInvocation(ctx context.Context, payload []byte, max int64) *invocation {
	deadline, ok := ctx.Deadline()
	if !ok {
		deadline = time.Now().Add(maxTimeout)
	}
	return &invocation{id: uuid(), payload: payload, deadline: deadline, max: max, answer: make(chan answer, 1)}
}

// start starts a function, with a server at its own address that the function talks to. The caller
// must close the instance.
func start(ctx context.Context, n launchConfig) (*instance, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	i := &instance{name: n.Name, queue: make(chan *invocation), initFailed: make(chan answer, 1)}
	i.server = &http.Server{Handler: i.api(listener.Addr().String()), ReadHeaderTimeout: time.Minute, ErrorLog: zap.NewStdLog(zap.NewNop())}
	go func() { _ = i.server.Serve(listener) }() // until it is closed
	if i.output, err = newOutput(); err == nil {
		i.process, err = process.Start(ctx, process.Command{
			Words: n.Command, Dir: n.Dir, Env: variables(n, listener.Addr().String()), Stdout: i.output.spool.File, Stderr: i.output.spool.File,
		})
	}
	if err != nil {
		i.close()
		return nil, err
	}
	return i, nil
}

// variables returns the function's own environment variables, and those that the libraries for
// Lambda functions need.
func variables(n launchConfig, api string) map[string]string {
	env := map[string]string{
		"AWS_LAMBDA_FUNCTION_NAME":        n.Name,
		"AWS_LAMBDA_FUNCTION_VERSION":     "$LATEST",
		"AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "128",
		"AWS_LAMBDA_INITIALIZATION_TYPE":  "on-demand",
		"LAMBDA_TASK_ROOT":                n.Dir,
		"_HANDLER":                        "bootstrap",
	}
	maps.Copy(env, n.Env)
	env["AWS_LAMBDA_RUNTIME_API"] = api
	return env
}

func (i *instance) alive() bool {
	select {
	case <-i.process.Done():
		return false
	default:
		return true
	}
}

// close ends the process and everything that it started.
func (i *instance) close() {
	_ = i.server.Close()
	if i.process != nil {
		i.process.Kill()
	}
	if i.output.spool != nil {
		i.output.spool.Close()
	}
}

// invoke calls the function once. If v.answered is false afterwards, the instance cannot be used
// again: it gave no answer in time, printed too much, or has ended.
func (i *instance) invoke(ctx context.Context, c functionCall, v *invocation) (executor.Result, error) {
	i.output.begin(v.max)
	a, err := i.awaitAnswer(ctx, v)
	console, over := i.output.end(ctx)
	result := executor.Result{Console: console}
	switch {
	case over:
		return result, executor.Errorf(executor.KindLimit, "console-size", "%s prints more than %s", c.name, rest.Size(v.max))
	case err != nil:
		return result, err
	}
	v.answered = true
	switch {
	case a.err != nil:
		return result, a.err
	case a.failed:
		return result, c.failure(a.kind, a.body)
	}
	c.setAnswer(&result, a.body)
	return result, nil
}

// awaitAnswer passes the call to the function, and waits for the answer, a limit, or the end of the
// process or of ctx, whatever is first.
func (i *instance) awaitAnswer(ctx context.Context, v *invocation) (answer, error) {
	queue := i.queue
	for {
		select {
		case queue <- v:
			queue = nil
		case a := <-v.answer:
			return a, nil
		case a := <-i.initFailed:
			return a, nil
		case <-i.process.Done():
			return i.finalAnswer(v)
		case <-i.output.over:
			return answer{}, process.ErrTooMuch
		case <-ctx.Done():
			return answer{}, ctx.Err()
		}
	}
}

// finalAnswer returns the answer of a function whose process has ended, or the error that it gave
// none.
func (i *instance) finalAnswer(v *invocation) (answer, error) {
	select {
	case a := <-v.answer:
		return a, nil
	case a := <-i.initFailed:
		return a, nil
	default:
	}
	how := "it ended"
	err := i.process.Wait()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		how = exit.String()
	}
	when := "before it asked for the call"
	if v.delivered.Load() {
		when = "without an answer"
	}
	e := executor.Errorf(executor.KindRemote, "function-exit", "the function %s ended %s: %s", i.name, when, how)
	return answer{}, e.WithHint("What it printed may say why.")
}
