package sandbox

import (
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"io"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/experimental/sysfs"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"

	"github.com/abl-lsp/abl-lsp/executor/jail"
	"github.com/abl-lsp/abl-lsp/executor/sandbox/memfs"
)

//go:embed driver.py
var pythonDriver string

// workDir is the only folder, and the working directory of the code. It is the same in a jail.
const workDir = jail.Dir

// runPython runs Python with the driver, which reads the job itself.
func (g *guest) runPython(ctx context.Context, memory *memory) error {
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, g.runtime); err != nil {
		return err
	}
	ctx = experimental.WithMemoryAllocator(ctx, memory)
	config := systemConfig(memory).WithStdin(&jobReader{jobs: g.jobs}).WithStdout(g.out).WithStderr(g.errs).
		WithArgs("python", "-I", "-S", "-B", "-X", "utf8", "-c", pythonDriver)
	_, err := g.runtime.InstantiateModule(ctx, g.module, config)
	if _, exited := errors.AsType[*sys.ExitError](err); exited {
		return nil
	}
	return err
}

// systemConfig returns what Python may use of this machine: clocks and random numbers. Its folder is in
// memory.
func systemConfig(m *memory) wazero.ModuleConfig {
	files := wazero.NewFSConfig().(sysfs.FSConfig).WithSysFSMount(memfs.New(m.reserve), workDir)
	return wazero.NewModuleConfig().WithSysWalltime().WithSysNanotime().WithSysNanosleep().WithRandSource(rand.Reader).WithFSConfig(files)
}

// jobReader waits for the job and returns its text, and then io.EOF.
type jobReader struct {
	jobs <-chan string
	text io.Reader
}

func (r *jobReader) Read(p []byte) (int, error) {
	if r.text == nil {
		r.text = strings.NewReader(<-r.jobs)
	}
	return r.text.Read(p)
}
