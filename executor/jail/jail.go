// Package jail runs a program isolated from the rest of the machine: in bubblewrap, or
// on gVisor's kernel. Both exist on Linux only.
//
// It promises that the program sees the system's programs and libraries and an empty
// working folder, and nothing else: no network, no file of a person, no variable and no
// process of this machine. The program starts no processes, and ends with its context
// or when it exceeds its memory.
package jail

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// Engine is what a jail is made of.
type Engine string

// The engines.
const (
	Bubblewrap Engine = "bubblewrap"
	GVisor     Engine = "gvisor"
)

// Program is what runs in a jail.
type Program struct {
	Words  []string // an absolute path and its arguments
	Roots  []string // folders and files that it may read besides the system's, where they are
	Env    []string // NAME=VALUE
	Memory int64    // bytes that it may use; 0: any amount

	// Bubblewrap alone can do these.
	Dir    string   // the folder that it starts in; "": [Dir]
	Hidden []string // files below Roots that it cannot read
	Unix   bool     // it may open sockets, of the file system that it sees

	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// Dir is a folder of the program's own. It is empty, and lost at the end.
const Dir = "/tmp"

// What may be wrong with a jail, or become of a program in it.
var (
	ErrNotHere = errors.New("is not on this machine")
	ErrMemory  = errors.New("it used more memory than it may")
)

// ExitError is that of a program which ends with a status of its own.
type ExitError struct{ Status int }

func (e *ExitError) Error() string { return fmt.Sprintf("it ended with status %d", e.Status) }

// Command returns the name of an engine's program; "" for an unknown engine.
func (e Engine) Command() string {
	return map[Engine]string{Bubblewrap: "bwrap", GVisor: "runsc"}[e]
}

// Find returns the path of a program, and what it needs besides the system's folders:
// itself and its libraries. It does not return their whole folder, which may be a
// person's home. Programs of the system come first.
func Find(program string) (path string, roots []string, err error) {
	for _, dir := range []string{"/usr/bin", "/usr/local/bin"} {
		path = filepath.Join(dir, program)
		if _, err := os.Stat(path); err == nil {
			return path, nil, nil
		}
	}
	if path, err = exec.LookPath(program); err != nil {
		return "", nil, err
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return "", nil, err
	}
	return path, []string{path, filepath.Join(filepath.Dir(filepath.Dir(path)), "lib")}, nil
}

// Process is a program that runs in a jail.
type Process interface {
	PID() int
	Done() <-chan struct{} // closed when it is gone and all that it printed was written
	Kill()                 // ends it, and waits until it is gone

	// Wait waits until it is gone. An error is that of its context, [ErrMemory] or an
	// [*ExitError]; any other says why there was no jail.
	Wait() error
}

// Start starts a program in a jail. The error says why there is no jail; it may be
// [ErrNotHere].
func Start(ctx context.Context, e Engine, p Program) (Process, error) {
	path, err := exec.LookPath(e.Command())
	if err != nil {
		return nil, fmt.Errorf("%s (the program %s) %w", e, e.Command(), ErrNotHere)
	}
	return start(ctx, e, path, p)
}
