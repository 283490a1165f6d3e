//go:build unix

package sqltest

import (
	"os"
	"os/exec"
	"syscall"
)

// nobodyID is a user without rights: PostgreSQL does not serve root.
const nobodyID = 65534

// runAsNobody has a command run without root's rights.
func runAsNobody(cmd *exec.Cmd) *exec.Cmd {
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobodyID, Gid: nobodyID}}
	}
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	return cmd
}

// chownToNobody lets nobody have files of root.
func chownToNobody(names ...string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	for _, name := range names {
		if err := os.Chown(name, nobodyID, nobodyID); err != nil {
			return err
		}
	}
	return nil
}
