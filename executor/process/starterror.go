package process

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// StartError says why a program could not be started.
type StartError struct {
	Program string
	Reason  string // what is wrong, in words that follow "it"
	Err     error
}

func (e *StartError) Error() string {
	return fmt.Sprintf("%s cannot be started: %s", e.Program, e.Reason)
}

// Unwrap returns the cause.
func (e *StartError) Unwrap() error { return e.Err }

// errBatch is the error for a batch file. On Windows a shell reads its words, and no quoting can
// prevent it from running them as commands.
var errBatch = errors.New("it is a batch file, which a shell would run")

// isBatch reports whether a program is a batch file, after Windows has added an extension.
func isBatch(program string) bool {
	if found, err := exec.LookPath(program); err == nil {
		program = found
	}
	ext := strings.ToLower(filepath.Ext(strings.TrimRight(program, ". ")))
	return ext == ".bat" || ext == ".cmd"
}

func startError(c Command, err error) error {
	return &StartError{Program: c.Words[0], Reason: explainStartError(c, err), Err: err}
}

// explainStartError returns the likely meaning of the system's error.
func explainStartError(c Command, err error) string {
	if c.Dir != "" {
		if info, missing := os.Stat(c.Dir); missing != nil || !info.IsDir() {
			return fmt.Sprintf("the folder %s, where it is to start, does not exist", c.Dir)
		}
	}
	program := c.Words[0]
	switch byPath := filepath.Base(program) != program; {
	case errors.Is(err, exec.ErrNotFound) && !byPath:
		return "there is no such program in PATH"
	case errors.Is(err, fs.ErrNotExist) && programExists(c):
		return "the interpreter that its first line names does not exist"
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, exec.ErrNotFound):
		return "there is no such file" + workingDir(c)
	case errors.Is(err, fs.ErrPermission):
		return "it is not executable"
	case errors.Is(err, syscall.ENOEXEC):
		return "it is neither a program nor a script with a first line that names its interpreter"
	}
	return err.Error()
}

func programExists(c Command) bool {
	_, err := os.Stat(programPath(c))
	return err == nil
}

// programPath returns the path of a program that is named by a path.
func programPath(c Command) string {
	if program := c.Words[0]; filepath.IsAbs(program) {
		return program
	}
	return filepath.Join(c.Dir, c.Words[0])
}

func workingDir(c Command) string {
	if c.Dir == "" || filepath.IsAbs(c.Words[0]) {
		return ""
	}
	return " in " + c.Dir
}
