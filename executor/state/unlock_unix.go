//go:build unix

package state

import (
	"os"

	"golang.org/x/sys/unix"
)

// unlock releases the lock of a file that is still mapped into memory, and closes the file.
func unlock(f *os.File) {
	_ = unix.Flock(int(f.Fd()), unix.LOCK_UN) // a descriptor
	_ = f.Close()
}
