package sandbox

import (
	"context"
	_ "embed"
	"errors"
	"io"
	"strings"

	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"
)

//go:embed driver.py
var pythonDriver string

// python runs the driver, which reads the job itself.
func (g *guest) python(ctx context.Context) error {
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, g.runtime); err != nil {
		return err
	}
	config := system().WithStdin(&jobReader{jobs: g.jobs}).WithStdout(g.out).WithStderr(g.errs).
		WithArgs("python", "-I", "-S", "-B", "-X", "utf8", "-c", pythonDriver)
	_, err := g.runtime.InstantiateModule(ctx, g.module, config)
	var exit *sys.ExitError
	if errors.As(err, &exit) {
		return nil
	}
	return err
}

// jobReader reads the job, once it is there, and then nothing.
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
