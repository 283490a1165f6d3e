package state

import (
	"os"

	"golang.org/x/sys/windows"
)

// lock locks a file until it is closed. It returns an error at once if another process holds the
// lock.
func lock(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &windows.Overlapped{})
}
