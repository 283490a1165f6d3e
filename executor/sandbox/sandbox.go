// Package sandbox runs the tools of `type: sandbox`: JavaScript and Python that are isolated from
// everything else.
//
// The code reaches no network, no file of this machine and no process. It is ended when its time is
// up, and cannot use more memory or print more than its limits. Nothing of a run is left for the
// next one: each run has its own process, which is killed afterwards. The process of the next run
// may be started in advance, but not before the first run in that language.
package sandbox

import (
	"cmp"
	"context"
	"path/filepath"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/jail"
)

// Options configure a Runner.
type Options struct {
	CacheDir    string        // its folder sandbox caches compiled WebAssembly; "": each run compiles it again
	IdleTimeout time.Duration // how long a started process waits for a run; 0: a minute
	Program     string        // the program that calls [Main]; "": this program
	MaxRuns     int           // the most runs at a time, others wait; 0: two for each processor, at least four
}

// Runner runs sandbox tools. It is safe for concurrent use.
type Runner struct {
	engines   map[string]engine
	ready     pool
	semaphore executor.Semaphore // each run may take as much memory as its tool says
}

// New returns a Runner. The caller must call [Runner.Close].
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
		ready:     pool{idle: cmp.Or(o.IdleTimeout, time.Minute)},
		semaphore: executor.NewSemaphore(o.MaxRuns),
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
	return c.runJob(ctx, p)
}

// Reach returns the name of the engine, which a confirmation covers.
func (r *Runner) Reach(call executor.Call) (executor.Reach, error) {
	return executor.Reach{Project: engineOf(call)}, nil
}

// Preview returns what Run would run.
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

// startTimeout is how long a runtime may take before it begins with the code. On a slow machine it
// takes long to compile Python.
const startTimeout = 3 * time.Minute

// Pace returns a timeout that leaves the code its full time after a slow start.
func (r *Runner) Pace(call executor.Call) (executor.Pace, error) {
	p, err := r.planOf(call)
	if err != nil {
		return executor.Pace{}, err
	}
	return executor.Pace{Timeout: startTimeout + p.timeout}, nil
}

// Close ends the processes that wait for a run. It leaves running code alone, and its error is
// always nil.
func (r *Runner) Close() error {
	r.ready.close()
	return nil
}
