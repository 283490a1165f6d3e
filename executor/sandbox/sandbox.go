// Package sandbox runs the tools of `type: sandbox`: JavaScript and Python, apart
// from everything else.
//
// It promises that code reaches no network, no file and no process, that it is ended
// when its time is up, takes no more memory than it may and prints no more than is
// kept, and that nothing of a run is left for the next one. Each run has a process of
// its own, which is killed afterwards. The one for the next run may be started
// beforehand, but none before a first run of that language.
package sandbox

import (
	"cmp"
	"context"
	"path/filepath"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/jail"
)

// Options of a Runner.
type Options struct {
	CacheDir string        // its folder sandbox is where compiled WebAssembly is kept; "": it is compiled again for each run
	Idle     time.Duration // how long a process waits for a run; 0: a minute
	Program  string        // what calls [Main]; "": this program
	AtOnce   int           // how many runs there are at a time, others wait; 0: two for each processor, at least four
}

// Runner runs sandbox tools. It is safe for concurrent use.
type Runner struct {
	engines   map[string]engine
	ready     pool
	semaphore executor.Semaphore // each run may take as much memory as its tool says
}

// New makes a Runner. It must be closed.
func New(o Options) *Runner {
	cache := o.CacheDir
	if cache != "" {
		cache = filepath.Join(cache, "sandbox")
	}
	return &Runner{
		engines: map[string]engine{
			executor.EngineWASM:       wasmEngine{program: o.Program, cacheDir: cache},
			executor.EngineBubblewrap: jailedEngine{jail.Bubblewrap},
			executor.EngineGVisor:     jailedEngine{jail.GVisor},
		},
		ready:     pool{idle: cmp.Or(o.Idle, time.Minute)},
		semaphore: executor.NewSemaphore(o.AtOnce),
	}
}

// Run runs the code once.
func (r *Runner) Run(ctx context.Context, call executor.Call) (executor.Result, error) {
	p, err := r.planOf(call)
	if err != nil {
		return executor.Result{}, err
	}
	end, err := r.semaphore.Acquire(ctx, call, "Waiting for other runs to end")
	if err != nil {
		return executor.Result{}, err
	}
	defer end()
	c, err := r.ready.acquire(ctx, p, call.Report)
	if err != nil {
		return executor.Result{}, err
	}
	defer r.ready.prepare(p)
	defer c.end()
	return c.run(ctx, p)
}

// Reach says what is confirmed with a call: where its code runs.
func (r *Runner) Reach(call executor.Call) (executor.Reach, error) {
	return executor.Reach{Project: engineOf(call)}, nil
}

// Preview shows what Run would run.
func (r *Runner) Preview(call executor.Call) (any, error) {
	p, err := r.planOf(call)
	if err != nil {
		return nil, err
	}
	return struct {
		Runtime   string         `json:"runtime"`
		Engine    string         `json:"engine"`
		TimeoutMS int64          `json:"timeout_ms"`
		MemoryMB  int            `json:"memory_mb"`
		Code      string         `json:"code"`
		Arguments map[string]any `json:"arguments"`
	}{p.runtime.name, p.engineName, p.timeout.Milliseconds(), p.memory, p.job.Code, p.arguments}, nil
}

// startTimeout is how long a runtime may take until it begins with the code: on a slow
// machine that of Python is long compiled.
const startTimeout = 3 * time.Minute

// Pace leaves the code its time, whatever comes before it.
func (r *Runner) Pace(call executor.Call) (executor.Pace, error) {
	p, err := r.planOf(call)
	if err != nil {
		return executor.Pace{}, err
	}
	return executor.Pace{Timeout: startTimeout + p.timeout}, nil
}

// Close ends the processes that wait for a run.
func (r *Runner) Close() error {
	r.ready.close()
	return nil
}
