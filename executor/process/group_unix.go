//go:build unix

package process

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// plain are the variables that every process gets.
func plain() []string { return []string{"PATH", "HOME", "LANG", "TMPDIR"} }

// group gives a command a process group of its own, which ends as a whole.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
}
