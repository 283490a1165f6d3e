package sandbox

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/jail"
	"github.com/abl-lsp/abl-lsp/executor/process"
)

// jailedEngine runs code in a jail with the interpreters of the system.
type jailedEngine struct{ engine jail.Engine }

//go:embed node.js
var nodeHost string

// interpreter describes how the system's program for a runtime runs the driver.
type interpreter struct {
	program   string // looked for in /usr/bin and /usr/local/bin, then on PATH
	arguments func(megabytes int) []string
}

var interpreters = map[string]interpreter{
	"javascript": {"node", func(megabytes int) []string {
		return []string{fmt.Sprintf("--max-old-space-size=%d", megabytes), "-e", "(" + nodeHost + ")(" + javascriptDriver() + ")"}
	}},
	"python": {"python3", func(megabytes int) []string {
		return []string{"-I", "-S", "-B", "-X", "utf8", "-c", fmt.Sprintf(limitMemory, megabytes+pythonMappedMB) + pythonDriver}
	}},
}

// limitMemory is Python code that limits the memory, so that too much of it raises an exception.
const limitMemory = "import resource\nresource.setrlimit(resource.RLIMIT_AS, (%d << 20,) * 2)\ndel resource\n"

// pythonMappedMB are the megabytes of address space that Python needs for itself.
const pythonMappedMB = 64

func (e jailedEngine) start(r runtime, megabytes int, io stdio) (childProcess, error) {
	of := interpreters[r.name]
	path, root, err := jail.Find(of.program)
	if err != nil {
		return nil, executor.Errorf(executor.KindDefinition, "engine", "sandbox.engine: %s runs %s by the program %s, which is not on this machine", e.engine, r.title, of.program).
			WithHint("Install it, or write `sandbox: {engine: wasm}` in abl.yaml.")
	}
	p, err := jail.Start(context.Background(), e.engine, jail.Program{
		Words:  append([]string{path}, of.arguments(megabytes)...),
		Roots:  root,
		Env:    []string{"LANG=C.UTF-8", "TZ=UTC"},
		Memory: int64(megabytes) << 20,
		Stdin:  io.in, Stdout: io.out, Stderr: io.messages,
	})
	if errors.Is(err, jail.ErrNotHere) {
		return nil, executor.Errorf(executor.KindDefinition, "engine", "sandbox.engine: %w", err).
			WithHint("Install it, or write `sandbox: {engine: wasm}` in abl.yaml.")
	}
	return p, err
}

// endedByMemory reports whether a process ended because of its memory.
func endedByMemory(err error, lastOutput string) bool {
	return errors.Is(err, jail.ErrMemory) || strings.Contains(lastOutput, "heap out of memory")
}

var _ childProcess = (*process.Process)(nil)
