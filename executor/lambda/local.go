package lambda

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/process"
	"github.com/abl-lsp/abl-lsp/tool"
)

// maxRunning is the most local functions that run at a time, and the most that are kept idle.
const maxRunning = 8

// localProvider runs functions as processes of this machine. Like clouds, it keeps a process for
// the next call. Two concurrent calls use two processes. It is safe for concurrent use.
type localProvider struct {
	ctx    context.Context // of the processes
	cancel context.CancelFunc
	keep   time.Duration
	slots  chan struct{}

	mu   sync.Mutex
	idle []*instance // the most recently used is last
}

func newLocalProvider(keep time.Duration) *localProvider {
	ctx, cancel := context.WithCancel(context.Background())
	return &localProvider{ctx: ctx, cancel: cancel, keep: keep, slots: make(chan struct{}, maxRunning)}
}

func (l *localProvider) close() {
	l.cancel()
	l.mu.Lock()
	idle := l.idle
	l.idle = nil
	l.mu.Unlock()
	for _, i := range idle {
		i.close()
	}
}

// launchConfig describes how a function is started.
type launchConfig struct {
	Name    string
	Command []string
	Dir     string
	Env     map[string]string
}

func (l *localProvider) launchConfig(c functionCall) (launchConfig, error) {
	n := launchConfig{Name: c.name, Dir: c.Environment.Root}
	if len(c.function.Command) == 0 {
		return n, executor.DefinitionError("function", "%s is missing: say which program the function is, such as [./bootstrap]", c.property("command"))
	}
	for _, word := range c.function.Command {
		filled, err := c.fill("command", word)
		if err != nil {
			return n, err
		}
		n.Command = append(n.Command, filled)
	}
	var err error
	n.Env, err = c.fillAll("env", c.function.Env)
	return n, err
}

func (l *localProvider) preview(c functionCall) (callPreview, error) {
	n, err := l.launchConfig(c)
	return callPreview{Command: n.Command, Env: n.Env}, err
}

// reach returns the process that the function runs as.
func (l *localProvider) reach(c functionCall) (executor.Reach, error) {
	if len(c.function.Command) == 0 {
		return executor.Reach{}, nil
	}
	program, words := c.function.Command[0], slices.Clone(c.function.Command)
	for i, word := range words {
		if filled, err := c.fill("command", word); err == nil { // otherwise it contains a secret and is no path
			words[i] = filled
		}
	}
	return executor.Reach{
		Accesses:  []tool.Permission{{Kind: "process", Op: "start", Resource: program}},
		Receiver:  program,
		Programs:  process.Programs(c.Environment.Root, words),
		Uncovered: process.Uncovered(words),
	}, nil
}

func (l *localProvider) secrets(c functionCall) ([]string, error) {
	texts := slices.Clone(c.function.Command)
	for _, text := range c.function.Env {
		texts = append(texts, text)
	}
	return secretNames(texts...), nil
}

// run calls the function once. If a kept process has ended before it got the call, run starts a new
// one.
func (l *localProvider) run(ctx context.Context, c functionCall) (executor.Result, error) {
	n, err := l.launchConfig(c)
	if err != nil {
		return executor.Result{}, err
	}
	payload, err := c.payload()
	if err != nil {
		return executor.Result{}, err
	}
	select {
	case l.slots <- struct{}{}:
		defer func() { <-l.slots }()
	case <-ctx.Done():
		return executor.Result{}, ctx.Err()
	}
	for {
		i, warm, err := l.instance(n)
		if err != nil {
			return executor.Result{}, c.startError(err)
		}
		v := newInvocation(ctx, payload, c.max())
		result, err := i.invoke(ctx, c, v)
		if err == nil || v.answered {
			l.release(i)
			return result, err
		}
		i.close()
		if !warm || v.delivered.Load() || ctx.Err() != nil {
			return result, err
		}
	}
}

func (c functionCall) startError(err error) error {
	if e, ok := errors.AsType[*process.StartError](err); ok {
		return executor.DefinitionError("program", "%s: %w", c.property("command"), e)
	}
	return err
}

// instance returns a kept process for n, or starts a new one. warm says that the process was kept.
// A process whose program has changed since it was started is not returned.
func (l *localProvider) instance(n launchConfig) (i *instance, warm bool, err error) {
	key, err := json.Marshal([]any{n, process.Stamps(n.Dir, n.Command)})
	if err != nil {
		return nil, false, err
	}
	for i := l.takeIdle(string(key)); i != nil; i = l.takeIdle(string(key)) {
		if i.alive() {
			return i, true, nil
		}
		i.close()
	}
	i, err = start(l.ctx, n)
	if err != nil {
		return nil, false, err
	}
	i.key = string(key)
	return i, false, nil
}

func (l *localProvider) takeIdle(key string) *instance {
	l.mu.Lock()
	defer l.mu.Unlock()
	for at, i := range slices.Backward(l.idle) {
		if i.key == key {
			l.idle = slices.Delete(l.idle, at, at+1)
			i.retire.Stop()
			return i
		}
	}
	return nil
}

// release keeps an instance for later calls. If there are too many, it closes the one that has been
// idle longest.
func (l *localProvider) release(i *instance) {
	l.mu.Lock()
	if l.ctx.Err() != nil {
		l.mu.Unlock()
		i.close()
		return
	}
	i.retire = time.AfterFunc(l.keep, func() { l.drop(i) })
	l.idle = append(l.idle, i)
	var oldest *instance
	if len(l.idle) > maxRunning {
		oldest = l.idle[0]
		l.idle = slices.Delete(l.idle, 0, 1)
	}
	l.mu.Unlock()
	if oldest != nil {
		oldest.close()
	}
}

// drop closes an instance unless a call is using it.
func (l *localProvider) drop(i *instance) {
	l.mu.Lock()
	at := slices.Index(l.idle, i)
	if at >= 0 {
		l.idle = slices.Delete(l.idle, at, at+1)
	}
	l.mu.Unlock()
	if at >= 0 {
		i.close()
	}
}
