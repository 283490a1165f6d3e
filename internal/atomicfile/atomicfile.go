// Package atomicfile writes files that other processes may read at the same time: a
// reader sees the old content or the new one, never a part.
package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
)

// Write writes a file by renaming a temporary one, so no reader sees a part of it. It
// creates missing folders above it. The file and these folders have no permissions for
// other users.
func Write(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "new-*") // 0600
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
