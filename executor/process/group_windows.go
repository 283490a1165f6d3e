package process

import (
	"os/exec"
	"strconv"
)

// plain are the variables that every process gets: programs of Windows do not
// start without most of them.
func plain() []string {
	return []string{
		"PATH", "PATHEXT", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "TEMP", "TMP",
		"USERPROFILE", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES",
	}
}

// group has a command end with what it has started.
func group(cmd *exec.Cmd) {
	cmd.Cancel = func() error {
		pid := strconv.Itoa(cmd.Process.Pid)
		if exec.Command("taskkill", "/T", "/F", "/PID", pid).Run() == nil { //nolint:gosec // our own child
			return nil
		}
		return cmd.Process.Kill()
	}
}
