// Package state stores small values that outlive the program, by bucket and key, in one
// file in the person's state folder.
//
// Every process sees a value after Put has returned. Several processes may read and write at the
// same time. A file that cannot be read is an error, never a panic. The file is open only during
// each operation.
package state

import (
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

// Store stores values by bucket and key. It is safe for concurrent use. A nil Store stores nothing.
type Store struct {
	file string
	mu   sync.Mutex // for this process; the file's lock excludes others
}

// ErrDamaged is the error of a file that does not hold a store.
var ErrDamaged = errors.New("it is damaged")

// New returns the store in a folder, which need not exist yet. It is nil if dir is "".
func New(dir string) *Store {
	if dir == "" {
		return nil
	}
	return &Store{file: filepath.Join(dir, "state.db")}
}

// lockTimeout is how long an operation waits while other processes use the file.
const lockTimeout = 2 * time.Second

// Put stores v as JSON under a key of a bucket.
func (s *Store) Put(bucket, key string, v any) error {
	return s.change(bucket, func(b *bbolt.Bucket) error {
		raw, err := json.Marshal(v)
		if err != nil {
			return err
		}
		return b.Put([]byte(key), raw)
	})
}

// Delete deletes the value of a key. A missing value is not an error.
func (s *Store) Delete(bucket, key string) error {
	return s.change(bucket, func(b *bbolt.Bucket) error { return b.Delete([]byte(key)) })
}

// Get decodes the value of key in bucket into into. ok is false if there is no value.
func (s *Store) Get(bucket, key string, into any) (ok bool, err error) {
	err = s.read(bucket, func(b *bbolt.Bucket) error {
		raw := b.Get([]byte(key))
		ok = raw != nil
		if !ok {
			return nil
		}
		return json.Unmarshal(raw, into)
	})
	return ok, err
}

// CompareAndSwap stores text under key if the current value is old, and reports whether it did. If
// old is "", the key must have no value; if text is "", the value is deleted. With a nil Store it
// never does anything.
func (s *Store) CompareAndSwap(bucket, key, old, text string) (swapped bool, err error) {
	err = s.change(bucket, func(b *bbolt.Bucket) error {
		var stored string
		if raw := b.Get([]byte(key)); raw != nil {
			if err := json.Unmarshal(raw, &stored); err != nil {
				return err
			}
		}
		if swapped = stored == old; !swapped {
			return nil
		}
		if text == "" {
			return b.Delete([]byte(key))
		}
		raw, err := json.Marshal(text)
		if err != nil {
			return err
		}
		return b.Put([]byte(key), raw)
	})
	return swapped && err == nil, err
}

// Each calls see with each key and value of bucket, in the order of the keys. see may keep raw,
// which is a copy.
func (s *Store) Each(bucket string, see func(key string, raw json.RawMessage)) error {
	return s.read(bucket, func(b *bbolt.Bucket) error {
		return b.ForEach(func(key, raw []byte) error {
			see(string(key), append(json.RawMessage{}, raw...))
			return nil
		})
	})
}

// Ready returns an error if values cannot be stored. It is nil for a nil Store.
func (s *Store) Ready() error {
	if s == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(s.file), 0o700); err != nil {
		return err
	}
	return s.with(func(*bbolt.DB) error { return nil })
}

func (s *Store) change(bucket string, change func(*bbolt.Bucket) error) error {
	if s == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(s.file), 0o700); err != nil {
		return err
	}
	return s.with(func(db *bbolt.DB) error {
		return db.Update(func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucketIfNotExists([]byte(bucket))
			if err != nil {
				return err
			}
			return change(b)
		})
	})
}

func (s *Store) read(bucket string, read func(*bbolt.Bucket) error) error {
	if s == nil {
		return nil
	}
	if _, err := os.Stat(s.file); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return s.with(func(db *bbolt.DB) error {
		return db.View(func(tx *bbolt.Tx) error {
			if b := tx.Bucket([]byte(bucket)); b != nil {
				return read(b)
			}
			return nil
		})
	})
}

// with opens the file and calls work. A panic of the library on a damaged file becomes an error.
func (s *Store) with(work func(*bbolt.DB) error) (err error) {
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
