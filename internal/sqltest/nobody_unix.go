//go:build unix

package sqltest

import (
	"os"
	"os/exec"
	"syscall"
)

// nobodyID is the id of the user nobody, who has no rights: PostgreSQL refuses to run as
// root.
const nobodyID = 65534

// runAsNobody makes a command of root run as the user nobody.
func runAsNobody(cmd *exec.Cmd) *exec.Cmd {
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobodyID, Gid: nobodyID}}
	}
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	return cmd
}

// chownToNobody gives files of root to the user nobody.
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
