// Package atomicfile writes files that other processes may read at the same time.
package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
)

// Write puts a file in its place at once, so that nobody reads half of one. It makes the
// folders above it that are missing. Only the person may read what it writes.
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
