package module

import (
	"cmp"
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/abl-lsp/abl-lsp/executor/process"
)

// launch starts Node in a jail. If there is no jail, which the person has confirmed, it starts Node
// as an ordinary process.
func (v *invocation) launch(in *os.File, out, errs io.Writer) (childProcess, error) {
	if v.Unjailed == "" {
		return v.launchJailed(in, out, errs)
	}
	p, err := process.Start(context.Background(), process.Command{
		Words: v.command("node"), Dir: cmp.Or(v.Environment.Root, filepath.Dir(v.file)),
		Stdin: in, Stdout: out, Stderr: errs,
	})
	if err != nil {
		return nil, noNode()
	}
	return p, nil
}
