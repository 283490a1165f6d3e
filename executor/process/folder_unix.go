//go:build unix

package process

import (
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// NewFolder creates a temporary folder whose name begins with name; remove removes the folder.
// Before that, NewFolder removes the folders with such names that killed processes have left.
func NewFolder(name string) (dir string, remove func(), err error) {
	removeAbandoned(name)
	if dir, err = os.MkdirTemp("", name); err != nil {
		return "", nil, err
	}
	lock, err := lockFolder(dir)
	if err != nil {
		_ = os.RemoveAll(dir)
		return "", nil, err
	}
	return dir, func() {
		_ = os.RemoveAll(dir)
		_ = lock.Close()
	}, nil
}

// lockFolder locks a folder until the file is closed or this process ends.
func lockFolder(dir string) (*os.File, error) {
	f, err := os.Open(dir) // one of ours
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil { // a descriptor
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// unlockedGrace is how long a new folder may be unlocked, until its process locks it.
const unlockedGrace = time.Minute

// removeAbandoned removes the temporary folders whose names begin with name and that no process
// has locked.
func removeAbandoned(name string) {
	dirs, _ := filepath.Glob(filepath.Join(os.TempDir(), name+"*")) // odd letters: none
	for _, dir := range dirs {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || time.Since(info.ModTime()) < unlockedGrace {
			continue
		}
		if lock, err := lockFolder(dir); err == nil {
			_ = os.RemoveAll(dir)
			_ = lock.Close()
		}
	}
}
