package state

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"
)

// File is a [Store] in one file, for the processes of this machine. Several processes may read and
// write at the same time; the file is open only during each operation. A file that cannot be read is
// an error, never a panic. The limits are those of this process alone. [New] makes one.
type File struct {
	*LocalLimits
	NoCache
	file string
	mu   sync.Mutex // for this process; the file's lock excludes others
}

// New returns the store in a folder, which need not exist yet. It is nil if dir is "".
func New(dir string) Store {
	if dir == "" {
		return nil
	}
	return newFile(dir)
}

func newFile(dir string) *File {
	return &File{LocalLimits: NewLocalLimits(), file: filepath.Join(dir, "state.db")}
}

// lockTimeout is how long an operation waits while other processes use the file.
const lockTimeout = 2 * time.Second

// Put implements [Values].
func (s *File) Put(_ context.Context, bucket, key string, v any, life time.Duration) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return s.change(bucket, func(b values) error { return b.put(key, raw, life) })
}

// Delete implements [Values].
func (s *File) Delete(_ context.Context, bucket, key string) error {
	return s.change(bucket, func(b values) error { return b.Delete([]byte(key)) })
}

// Get implements [Values].
func (s *File) Get(_ context.Context, bucket, key string, into any) (ok bool, err error) {
	err = s.read(bucket, func(b values) error {
		raw := b.get(key)
		ok = raw != nil
		if !ok {
			return nil
		}
		return json.Unmarshal(raw, into)
	})
	return ok, err
}

// CompareAndSwap implements [Values].
func (s *File) CompareAndSwap(_ context.Context, bucket, key, old, text string, life time.Duration) (swapped bool, err error) {
	err = s.change(bucket, func(b values) error {
		raw, ok, err := Swap(b.get(key), old, text)
		switch {
		case !ok || err != nil:
			return err
		case raw == nil:
			err = b.Delete([]byte(key))
		default:
			err = b.put(key, raw, life)
		}
		swapped = true
		return err
	})
	return swapped && err == nil, err
}

// Each implements [Values].
func (s *File) Each(_ context.Context, bucket string, see func(key string, raw json.RawMessage)) error {
	return s.read(bucket, func(b values) error {
		return b.ForEach(func(key, stored []byte) error {
			if raw, end := unpack(stored); !isOver(end) {
				see(string(key), bytes.Clone(raw))
			}
			return nil
		})
	})
}

// Ready implements [Store].
func (s *File) Ready(context.Context) error {
	if err := os.MkdirAll(filepath.Dir(s.file), 0o700); err != nil {
		return err
	}
	return s.with(func(*bbolt.DB) error { return nil })
}

// Close implements [Store]. It returns nil, since nothing is open.
func (*File) Close() error { return nil }

func (s *File) change(bucket string, change func(values) error) error {
	if err := os.MkdirAll(filepath.Dir(s.file), 0o700); err != nil {
		return err
	}
	return s.with(func(db *bbolt.DB) error {
		return db.Update(func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucketIfNotExists([]byte(bucket))
			if err != nil {
				return err
			}
			return change(values{b, tx, bucket})
		})
	})
}

func (s *File) read(bucket string, read func(values) error) error {
	if _, err := os.Stat(s.file); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return s.with(func(db *bbolt.DB) error {
		return db.View(func(tx *bbolt.Tx) error {
			if b := tx.Bucket([]byte(bucket)); b != nil {
				return read(values{b, tx, bucket})
			}
			return nil
		})
	})
}

// with opens the file and calls work. A panic of the library on a damaged file becomes an error.
func (s *File) with(work func(*bbolt.DB) error) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if info, err := os.Lstat(s.file); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no plain file; remove it", s.file)
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	var opened *os.File
	defer func() {
		if v := recover(); v != nil {
			unlock(opened)
			err = fmt.Errorf("%s: %w: %v", s.file, ErrDamaged, v)
		}
	}()
	open := func(name string, flag int, mode os.FileMode) (f *os.File, err error) {
		opened, err = os.OpenFile(name, flag, mode)
		return opened, err
	}
	db, err := bbolt.Open(s.file, 0o600, &bbolt.Options{Timeout: lockTimeout, OpenFile: open})
	if errors.Is(err, bbolterrors.ErrInvalid) || errors.Is(err, bbolterrors.ErrChecksum) || errors.Is(err, bbolterrors.ErrVersionMismatch) {
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.file, err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return work(db)
}
