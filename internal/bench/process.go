package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// usage is what a process has used.
type usage struct {
	wall, cpu time.Duration
	peak      int64 // bytes of memory
}

// runToEnd runs a command to its end. Exit 1 (it found mistakes in files) is no error.
func runToEnd(cmd *exec.Cmd) (usage, error) {
	begin := time.Now()
	err := cmd.Run()
	u := usage{wall: time.Since(begin)}
	if state := cmd.ProcessState; state != nil {
		u.cpu, u.peak = state.UserTime()+state.SystemTime(), peakMemory(state)
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil
	}
	return u, err
}

// fastest runs a command a number of times and returns the least of each figure: other work
// of the machine can only add to them.
func fastest(times int, command func() *exec.Cmd) (usage, error) {
	var least usage
	for i := range times {
		u, err := runToEnd(command())
		if err != nil {
			return u, err
		}
		if i == 0 {
			least = u
		}
		least.wall, least.cpu, least.peak = min(least.wall, u.wall), min(least.cpu, u.cpu), min(least.peak, u.peak)
	}
	return least, nil
}

// command returns a command that keeps its files in a folder of the measurement, and does not
// use the network.
func (b *bench) command(program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(context.Background(), program, args...)
	cmd.Env = append(os.Environ(),
		"HOME="+b.folder, "XDG_CACHE_HOME=", "XDG_STATE_HOME=", "XDG_CONFIG_HOME=",
		"ABL_STATE_DIR="+filepath.Join(b.folder, "state"), "ABL_CACHE_DIR="+filepath.Join(b.folder, "cache"),
		"TOMBI_OFFLINE=true")
	cmd.Dir = b.folder
	return cmd
}

// copyProgram copies a program into a folder, with the program next to it that runs tools,
// if there is one. Without the copy, the pages of a file that was just linked would count as
// memory of the process.
func copyProgram(program, folder string) (string, error) {
	extension := filepath.Ext(program)
	runner := "abl-run" + extension
	err := copyFile(filepath.Join(filepath.Dir(program), runner), filepath.Join(folder, runner))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	copied := filepath.Join(folder, "abl-lsp"+extension)
	return copied, copyFile(program, copied)
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
