package state

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Announce implements [Processes].
func (s *File) Announce(_ context.Context, name string) (leave func(), err error) {
	if err := os.MkdirAll(filepath.Dir(s.file), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(s.presenceFile(name), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lock(f); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return func() {
		unlock(f)
		_ = os.Remove(f.Name())
	}, nil
}

// IsPresent implements [Processes]. It removes what a killed process has left.
func (s *File) IsPresent(_ context.Context, name string) (bool, error) {
	f, err := os.OpenFile(s.presenceFile(name), os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if lock(f) != nil {
		return true, f.Close()
	}
	unlock(f)
	_ = os.Remove(f.Name()) // another process may have done so
	return false, nil
}

func (s *File) presenceFile(name string) string {
	return filepath.Join(filepath.Dir(s.file), "process-"+name+".lock")
}
