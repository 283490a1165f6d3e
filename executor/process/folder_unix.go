//go:build unix

package process

import (
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// NewFolder makes a folder for as long as this process lives, whose name begins with
// name; remove removes it. What a process left that was killed goes first.
func NewFolder(name string) (dir string, remove func(), err error) {
	removeAbandoned(name)
	if dir, err = os.MkdirTemp("", name); err != nil {
		return "", nil, err
	}
	held, err := lockFolder(dir)
	if err != nil {
		_ = os.RemoveAll(dir)
		return "", nil, err
	}
	return dir, func() {
		_ = os.RemoveAll(dir)
		_ = held.Close()
	}, nil
}

// lockFolder locks a folder for as long as this process lives.
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

// unlockedGrace is how long a folder may be without a lock, as its process is about to take
// it.
const unlockedGrace = time.Minute

// removeAbandoned removes the folders of that name that nobody holds.
func removeAbandoned(name string) {
	dirs, _ := filepath.Glob(filepath.Join(os.TempDir(), name+"*")) // odd letters: none
	for _, dir := range dirs {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || time.Since(info.ModTime()) < unlockedGrace {
			continue
		}
		if held, err := lockFolder(dir); err == nil {
			_ = os.RemoveAll(dir)
			_ = held.Close()
		}
	}
}
