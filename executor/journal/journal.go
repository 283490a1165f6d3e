// Package journal records runs in files that only grow.
//
// A row is written completely or not at all, even if several processes write at once. Only the
// owner can read the files. Their size is bounded: the oldest rows are deleted. Rows are written as
// they are, so callers must remove what must not be kept.
package journal

import (
	"encoding/json"
	"errors"
	"sync"
)

// Row is the record of one run.
type Row struct {
	Run           string          `json:"run"`  // its id
	Time          string          `json:"time"` // when it began, RFC 3339
	Tool          string          `json:"tool"`
	Version       string          `json:"version,omitempty"`
	File          string          `json:"file"`             // the file that declares the tool
	RequestedFrom string          `json:"asked,omitempty"`  // the file in which the tool was called, if that is another one
	Origin        string          `json:"origin,omitempty"` // the kind of file that declares it
	Kind          string          `json:"kind"`
	Environment   string          `json:"environment"`
	Host          string          `json:"host,omitempty"`       // the host or the program that was called
	PIIAccess     string          `json:"pii_access,omitempty"` // the personal data that the tool declares
	Args          json.RawMessage `json:"args,omitempty"`
	Session       bool            `json:"session,omitzero"` // it was given session variables, which are not kept
	OK            *bool           `json:"ok"`               // nil: the end is not known
	Error         *Error          `json:"error"`
	Value         json.RawMessage `json:"value"`
	Cut           *Cut            `json:"cut"` // the parts that were too long to keep; nil: none
	Attempts      int             `json:"attempts"`
	DurationMS    float64         `json:"duration_ms"`
	Reverts       string          `json:"reverts,omitempty"`   // the run that this one undoes
	CanRevert     bool            `json:"can_revert,omitzero"` // the tool says how to undo it

	Position int `json:"-"` // in the order in which runs began to be written; set by reading
}

// Error says why a run failed.
type Error struct {
	Kind    string `json:"kind"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Cut holds the original lengths in bytes of the parts that were cut and are kept as
// text; 0 means that a part is whole.
type Cut struct {
	Args  int `json:"args,omitzero"`
	Value int `json:"value,omitzero"`
	Error int `json:"error,omitzero"`
}

// maxWaiting is the most rows that wait to be written. A caller that adds one more writes them
// itself.
const maxWaiting = 1000

// Journal writes and reads rows. Other processes may use the same folder. It is safe for concurrent
// use. The caller must close it.
type Journal struct {
	files files

	mu      sync.Mutex
	waiting []Row
	writers int       // the number of goroutines that write waiting rows
	idle    sync.Cond // signalled when a writer ends
	failed  error
}

// New returns the journal in the folder dir, which need not exist yet.
func New(dir string) *Journal {
	j := &Journal{files: files{dir: dir}}
	j.idle.L = &j.mu
	return j
}

// Ready returns an error if rows cannot be written, or if some could not be written
// since the last call.
func (j *Journal) Ready() error {
	if err := j.files.ready(); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	err := j.failed
	j.failed = nil
	return err
}

// Begin writes the beginning of a run. It returns after the row is written.
func (j *Journal) Begin(r Row) error { return j.files.write(r) }

// End writes the end of a run, in the background. [Journal.Ready] and [Journal.Close] report a
// failure.
func (j *Journal) End(r Row) {
	j.mu.Lock()
	j.waiting = append(j.waiting, r)
	start, help := j.writers == 0, len(j.waiting) > maxWaiting
	if start || help {
		j.writers++
	}
	j.mu.Unlock()
	switch {
	case start:
		go j.writeWaiting()
	case help:
		j.writeWaiting()
	}
}

// Rows returns the runs, the newest first. It includes the ends that were given to [Journal.End]
// so far, and leaves out lines that are not valid rows.
func (j *Journal) Rows() ([]Row, error) {
	j.mu.Lock()
	j.finish()
	j.mu.Unlock()
	rows, _, err := Read(j.files.dir, 0)
	return rows, err
}

// Close waits until all rows are written. Its error says why some are not.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.finish()
	return errors.Join(j.failed, j.files.close())
}

// finish waits until all rows are written. The caller holds the mutex.
func (j *Journal) finish() {
	for j.writers > 0 {
		j.idle.Wait()
	}
}

// writeWaiting writes rows until none are waiting.
func (j *Journal) writeWaiting() {
	j.mu.Lock()
	defer j.mu.Unlock()
	for len(j.waiting) > 0 {
		rows := j.waiting
		j.waiting = nil
		j.mu.Unlock()
		err := j.files.write(rows...)
		j.mu.Lock()
		if err != nil {
			j.failed = err
		}
	}
	j.writers--
	j.idle.Broadcast()
}
