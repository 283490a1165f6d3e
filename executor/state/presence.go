package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Presence shows other processes that this one is alive, until it is closed or the process ends in
// any way.
type Presence struct{ file *os.File }

// Announce marks this process as alive under a name, which no other process may use. It returns nil
// for a nil Store.
func (s *Store) Announce(name string) (*Presence, error) {
	if s == nil {
		return nil, nil
	}
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
	return &Presence{f}, nil
}

// IsPresent reports whether the process that announced a name is alive. It removes what a killed
// process has left.
func (s *Store) IsPresent(name string) (bool, error) {
	if s == nil {
		return false, nil
	}
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

// Close ends the presence. A nil Presence has none.
func (p *Presence) Close() {
	if p == nil {
		return
	}
	unlock(p.file)
	_ = os.Remove(p.file.Name())
}

func (s *Store) presenceFile(name string) string {
	return filepath.Join(filepath.Dir(s.file), "process-"+name+".lock")
}
