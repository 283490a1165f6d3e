package sandbox

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// The default limits, and the highest one.
const (
	defaultTimeout = 5 * time.Second
	defaultMemory  = 128  // megabytes
	maxMemory      = 4096 // megabytes; WebAssembly can address no more
)

// runtime describes a language of sandboxed code.
type runtime struct {
	name               string
	title              string
	minMemory          int  // megabytes that the runtime itself needs
	hasInexactIntegers bool // its numbers cannot hold every integer
}

var runtimes = []runtime{
	{name: "javascript", title: "JavaScript", minMemory: 32, hasInexactIntegers: true},
	{name: "python", title: "Python", minMemory: 32},
}

// plan describes how the code of a call is run: the engine, the runtime, the limits, the job, and
// the lines of the code in the tool's file.
type plan struct {
	engine        engine
	engineName    string
	runtime       runtime
	memory        int // megabytes
	timeout       time.Duration
	timeoutSource string // the setting that set it
	maxBytes      int
	job           job
	arguments     map[string]any
	codeLines     codeLines
	tool          *tool.Tool
}

func (r *Runner) planOf(call executor.Call) (plan, error) {
	s, err := executor.SpecOf[*tool.Sandbox](call)
	if err != nil {
		return plan{}, err
	}
	p := plan{
		engineName: engineOf(call),
		maxBytes:   int(call.Environment.Limits.MaxBytes()),
		arguments:  call.Scope.Args,
		codeLines:  codeLines{tool: call.Tool.Name, file: call.Tool.Origin.File, lines: s.Lines},
		tool:       call.Tool,
	}
	if strings.TrimSpace(s.Code) == "" {
		return plan{}, executor.DefinitionError("no-code", "code: %s has none, so there is nothing to run", call.Tool.Name)
	}
	if p.engine = r.engines[p.engineName]; p.engine == nil {
		return plan{}, executor.DefinitionError("engine", "sandbox.engine: this version has no engine %q", p.engineName).
			WithHint("Leave it out of abl.yaml, or write `sandbox: {engine: wasm}`.")
	}
	if p.runtime, err = runtimeOf(call, s); err != nil {
		return plan{}, err
	}
	if err := p.readLimits(call, s); err != nil {
		return plan{}, err
	}
	p.job = jobOf(call, s, p.runtime)
	return p, nil
}

// engineOf returns the name of the engine that the project chooses.
func engineOf(call executor.Call) string {
	return cmp.Or(call.Environment.SandboxEngine, executor.EngineWASM)
}

func runtimeOf(call executor.Call, s *tool.Sandbox) (runtime, error) {
	i := slices.IndexFunc(runtimes, func(r runtime) bool { return r.name == s.Runtime })
	switch {
	case s.Runtime == "":
		return runtime{}, executor.DefinitionError("no-runtime", "runtime: %s has none", call.Tool.Name).
			WithHint("Write `runtime: javascript` or `runtime: python`.")
	case i < 0:
		return runtime{}, executor.DefinitionError("runtime", "runtime: %q is neither javascript nor python", s.Runtime)
	}
	return runtimes[i], nil
}

// readLimits reads timeout and memory_mb.
func (p *plan) readLimits(call executor.Call, s *tool.Sandbox) error {
	timeout, err := call.Duration("timeout", s.Timeout)
	if err != nil {
		return err
	}
	memory, err := call.Number("memory_mb", s.MemoryMB)
	if err != nil {
		return err
	}
	p.timeout, p.timeoutSource = cmp.Or(timeout, defaultTimeout), "timeout"
	if timeout == 0 && call.ToolTimeout < defaultTimeout {
		p.timeout, p.timeoutSource = call.ToolTimeout, "EXECUTION.tool_timeout"
	}
	memory = cmp.Or(memory, defaultMemory)
	if memory < float64(p.runtime.minMemory) || memory > maxMemory {
		return executor.DefinitionError("memory", "memory_mb: %v is not from %d to %d, which %s can do with",
			memory, p.runtime.minMemory, maxMemory, p.runtime.title)
	}
	p.memory = int(memory)
	return nil
}
