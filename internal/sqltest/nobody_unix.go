//go:build unix

package sqltest

import (
	"os"
	"os/exec"
	"syscall"
)

// nobody is a user without rights: PostgreSQL does not serve root.
const nobody = 65534

// asNobody has a command run without root's rights.
func asNobody(cmd *exec.Cmd) *exec.Cmd {
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	return cmd
}

// give lets nobody have files of root.
func give(names ...string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	for _, name := range names {
		if err := os.Chown(name, nobody, nobody); err != nil {
			return err
		}
	}
	return nil
}
