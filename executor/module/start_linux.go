package module

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/jail"
)

// unjailed says why there is no jail. It is "" if there is one.
func unjailed() string {
	if _, err := exec.LookPath(jail.Bubblewrap.Command()); err != nil {
		return "bubblewrap (the program bwrap) is not on PATH; apt install bubblewrap gets it"
	}
	return ""
}

// launchJailed starts Node in a jail. If the jail is installed but does not work, it returns an
// error, since the person relies on it.
func (v *invocation) launchJailed(in *os.File, out, errs io.Writer) (childProcess, error) {
	if dir := filepath.Dir(v.file); isWithin(jail.Dir, dir) {
		return nil, executor.DefinitionError("module", "module: %s lies in %s, all of which it would see", v.name, dir).WithHint("Give the module a folder of its own.")
	}
	node, roots, err := jail.Find("node")
	if err != nil {
		return nil, noNode()
	}
	p, err := jail.Start(context.Background(), jail.Bubblewrap, jail.Program{
		Words:  v.command(node),
		Dir:    v.startIn(),
		Roots:  append(append(roots, visibleFolders(v.file)...), v.broker.dir),
		Hidden: v.hiddenFiles(v.file),
		Unix:   true,
		Env:    []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + jail.Dir, "TMPDIR=" + jail.Dir, "LANG=C.UTF-8"},
		Memory: megabytes << 20,
		Stdin:  in, Stdout: out, Stderr: errs,
	})
	if err != nil {
		return nil, asJailError(err)
	}
	return p, nil
}

// startIn returns the working directory: the project's folder if it contains the module, else the
// module's folder.
func (v *invocation) startIn() string {
	dir := filepath.Dir(v.file)
	root, err := filepath.EvalSymlinks(v.Environment.Root)
	if err != nil {
		return dir
	}
	if !isWithin(dir, root) {
		return dir
	}
	return root
}

// asJailError returns the error for a jail that could not be set up. It is nil if a process ended
// for another reason.
func asJailError(err error) error {
	if _, ended := errors.AsType[*jail.ExitError](err); err == nil || ended {
		return nil
	}
	return executor.Errorf(executor.KindDefinition, "jail", "a module runs in a jail of bubblewrap, which does not work here: %w", err).
		WithHint("It needs user namespaces, which a container may forbid. Without the program bwrap on PATH each run is confirmed, and made without a jail.")
}
