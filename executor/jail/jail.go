// Package jail runs a program isolated from the rest of the machine: in bubblewrap, or on gVisor's
// kernel. Both exist on Linux only.
//
// The program sees the system's programs and libraries and an empty working folder, and nothing
// else: no network, no file of a person, no variable and no process of this machine. It cannot
// start processes, and ends with its context or when it exceeds its memory.
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

// Engine names the software that makes a jail.
type Engine string

// The engines.
const (
	Bubblewrap Engine = "bubblewrap"
	GVisor     Engine = "gvisor"
)

// Program describes a program that runs in a jail.
type Program struct {
	Words  []string // an absolute path and its arguments
	Roots  []string // further folders and files that it may read, if they exist
	Env    []string // NAME=VALUE
	Memory int64    // the most bytes that it may use; 0: no limit

	// Only Bubblewrap supports these.
	Dir    string   // the folder that it starts in; "": [Dir]
	Hidden []string // files below Roots that it cannot read
	Unix   bool     // it may open Unix sockets in the file system that it sees

	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// Dir is the program's own folder. It is empty at first, and deleted at the end.
const Dir = "/tmp"

// ErrNotHere is the error for an engine that is not installed. ErrMemory is the error of a program
// that exceeded its memory.
var (
	ErrNotHere = errors.New("is not on this machine")
	ErrMemory  = errors.New("it used more memory than it may")
)

// ExitError is the error of a program that ended with a status other than 0.
type ExitError struct{ Status int }

func (e *ExitError) Error() string { return fmt.Sprintf("it ended with status %d", e.Status) }

// Command returns the name of an engine's program; "" for an unknown engine.
func (e Engine) Command() string {
	return map[Engine]string{Bubblewrap: "bwrap", GVisor: "runsc"}[e]
}

// Find returns the path of program. roots are the files that program needs in addition to the
// system's folders: itself and its libraries, but not their whole folder, which may be a person's
// home. roots is nil for a program of the system, which wins over one on PATH. Find returns an
// error if there is no such program.
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
	Done() <-chan struct{} // closed when the program has ended and all its output was written
	Kill()                 // kills the program and waits until it has ended

	// Wait waits until the program has ended. Its error is the one of the program's context,
	// [ErrMemory] or an [*ExitError]. Any other error says why there was no jail.
	Wait() error
}

// Start starts a program in a jail. An error says why there is no jail; it may be
// [ErrNotHere].
func Start(ctx context.Context, e Engine, p Program) (Process, error) {
	path, err := exec.LookPath(e.Command())
	if err != nil {
		return nil, fmt.Errorf("%s (the program %s) %w", e, e.Command(), ErrNotHere)
	}
	return start(ctx, e, path, p)
}
