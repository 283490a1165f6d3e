package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/process"
)

// engine starts the processes that run code. Such a process behaves like driver.py: it writes
// {"ready": true} to descriptor 2, reads one [job] as a line from descriptor 0, writes what the
// code prints to descriptor 1, and writes its answer, a [message], to descriptor 2. It ends when
// descriptor 0 is closed.
type engine interface {
	// start starts a process for a runtime, with that many megabytes of memory.
	start(r runtime, megabytes int, io stdio) (childProcess, error)
}

// stdio are the descriptors 0 to 2 of a process.
type stdio struct {
	in            io.Reader
	out, messages io.Writer
}

// childProcess is a started process.
type childProcess interface {
	PID() int
	Done() <-chan struct{} // closed when the process has ended and all its output was written
	Wait() error           // waits until the process ends, and returns how it ended
	Kill()                 // kills the process and waits until it has ended
}

// wasmEngine runs code as WebAssembly in another process of this program. It is always available.
type wasmEngine struct {
	program  string // "": this program
	cacheDir string
}

// childOptions tells a process of this program which runtime to serve.
type childOptions struct {
	Runtime  string `json:"runtime"`
	MemoryMB int    `json:"memory_mb"`
	CacheDir string `json:"cache_dir"`
}

// optionsVariable is the environment variable that holds the [childOptions].
const optionsVariable = "ABL_SANDBOX"

func (w wasmEngine) start(r runtime, megabytes int, io stdio) (childProcess, error) {
	if _, err := fs.Stat(packedFiles, packedFile(moduleOf(r.name))); err != nil {
		return nil, executor.Errorf(executor.KindInternal, "no-sandbox",
			"this abl-lsp was built without the WebAssembly of %s", r.title).WithHint("Build it with `make build` on a machine that has npm.")
	}
	program := w.program
	if program == "" {
		self, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("find this program: %w", err)
		}
		program = self
	}
	text, err := json.Marshal(childOptions{r.name, megabytes, w.cacheDir})
	if err != nil {
		return nil, err
	}
	return process.Start(context.Background(), process.Command{
		Words: []string{program}, Env: map[string]string{optionsVariable: string(text)},
		Stdin: io.in, Stdout: io.out, Stderr: io.messages,
	})
}
