//go:build !linux

package module

import (
	"io"
	"os"
	"runtime"

	"github.com/abl-lsp/abl-lsp/executor"
)

// unjailed says why there is no jail.
func unjailed() string { return "there is none on " + runtime.GOOS + ", only on Linux" }

// launchJailed returns an error. It is never called, since [unjailed] is not "".
func (v *invocation) launchJailed(*os.File, io.Writer, io.Writer) (childProcess, error) {
	return nil, executor.Errorf(executor.KindInternal, "jail", "%s", unjailed())
}

func asJailError(error) error { return nil }
