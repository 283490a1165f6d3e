//go:build unix

package process

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// baseVariables are the variables that every process gets.
func baseVariables() []string { return []string{"PATH", "HOME", "LANG", "TMPDIR"} }

// setProcessGroup gives a command a process group of its own, which ends as a whole.
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

// tree is a child and what it started: its group.
type tree struct{}

func (tree) adopt(*os.Process) {}

// end ends what is left of the group. Its number is not given to another as long
// as something is left.
func (tree) end(leader int) { _ = endGroup(leader) }
