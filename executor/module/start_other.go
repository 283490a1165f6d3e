//go:build !linux

package module

import (
	"cmp"
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/abl-lsp/abl-lsp/executor/process"
)

// jailName is "": there is no jail here, and the module is a process like any other.
func jailName() string { return "" }

// launch starts Node.
func (v *visit) launch(in *os.File, out, errs io.Writer) (started, error) {
	p, err := process.Start(context.Background(), process.Command{
		Words: v.words("node"), Dir: cmp.Or(v.Environment.Root, filepath.Dir(v.file)),
		Stdin: in, Stdout: out, Stderr: errs,
	})
	if err != nil {
		return nil, noNode()
	}
	return p, nil
}

func asJailError(error) error { return nil }
