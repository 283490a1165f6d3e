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

// engine says how the process is started that runs code: one that speaks as
// driver.py does. It says {"ready": true} on descriptor 2, reads one [job] as a line
// of descriptor 0, prints what the code prints to 1, and says its answer, a [message],
// on 2. It ends when descriptor 0 does.
type engine interface {
	// start starts it for a runtime, with so many megabytes of memory.
	start(r runtime, megabytes int, io stdio) (childProcess, error)
}

// stdio are the descriptors 0 to 2 of a process.
type stdio struct {
	in        io.Reader
	out, says io.Writer
}

// childProcess is a process that was started.
type childProcess interface {
	PID() int
	Done() <-chan struct{} // closed when it is gone and all that it printed was written
	Wait() error           // waits until it is gone, and says how it ended
	Kill()                 // ends it, and waits until it is gone
}

// wasmEngine is the engine that is part of this program: WebAssembly, in a process of this
// program itself.
type wasmEngine struct {
	program  string // "": this one
	cacheDir string
}

// childOptions says to this program, started again, what it is for.
type childOptions struct {
	Runtime  string `json:"runtime"`
	MemoryMB int    `json:"memory_mb"`
	CacheDir string `json:"cache_dir"`
}

// orderVariable holds an [childOptions].
const orderVariable = "ABL_SANDBOX"

func (w wasmEngine) start(r runtime, megabytes int, io stdio) (childProcess, error) {
	if _, err := fs.Stat(files, packedFile(moduleOf(r.name))); err != nil {
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
		Words: []string{program}, Env: map[string]string{orderVariable: string(text)},
		Stdin: io.in, Stdout: io.out, Stderr: io.says,
	})
}
