//go:build unix

package process

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// baseVariables returns the names of the variables that every process gets.
func baseVariables() []string { return []string{"PATH", "HOME", "LANG", "TMPDIR"} }

// setProcessGroup starts a command in its own process group, and kills the whole group on
// cancellation.
func setProcessGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return endGroup(cmd.Process.Pid) }
}

func endGroup(leader int) error {
	err := syscall.Kill(-leader, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

// tree is a child with everything that it started: its process group.
type tree struct{}

func (tree) adopt(*os.Process) {}

// end kills what is left of the group. The system does not reuse the group's number while a
// process of it is left.
func (tree) end(leader int) { _ = endGroup(leader) }
