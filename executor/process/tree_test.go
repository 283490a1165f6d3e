//go:build unix

package process_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/process"
)

// gone waits until no process has a number.
func gone(t *testing.T, pid int) {
	t.Helper()
	for end := time.Now().Add(patience); alive(pid); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the process %d is still there", pid)
		}
	}
}

// alive reports whether a process runs. A process that has ended but was not waited for does not
// count.
func alive(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return runtime.GOOS != "linux"
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z") && !strings.HasPrefix(state, "X")
}

// number reads the number of a grandchild from the next line.
func number(t *testing.T, r *bufio.Scanner) int {
	t.Helper()
	r.Scan()
	pid, err := strconv.Atoi(r.Text())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGKILL) }) // where the test failed
	return pid
}

func TestCancelTakesGrandchildrenAlong(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	c := child("stay")
	c.Pipe = true
	p := start(ctx, t, c)
	defer p.Out.Close()
	grandchild := number(t, bufio.NewScanner(p.Out))
	if !alive(p.PID()) || !alive(grandchild) {
		t.Fatal("they are gone already")
	}
	cancel(io.EOF)
	if err := p.Wait(); !errors.Is(err, io.EOF) {
		t.Errorf("%v", err)
	}
	gone(t, p.PID())
	gone(t, grandchild)
}

// TestEndTakesGrandchildrenAlong checks that the processes that a child leaves end with it, and do
// not delay its end.
func TestEndTakesGrandchildrenAlong(t *testing.T) {
	out := &process.Head{Max: 1000}
	c := child("leave")
	c.Stdout = out
	if err := start(t.Context(), t, c).Wait(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(strings.NewReader(out.String()))
	gone(t, number(t, lines))
	if lines.Scan(); lines.Text() != "done" {
		t.Errorf("%q", out)
	}
}

func TestKill(t *testing.T) {
	c := child("stay")
	c.Pipe = true
	p := start(t.Context(), t, c)
	defer p.Out.Close()
	grandchild := number(t, bufio.NewScanner(p.Out))
	p.Kill()
	gone(t, p.PID())
	gone(t, grandchild)
	if _, err := p.In.Write([]byte("x")); err == nil {
		t.Error("somebody still reads")
	}
}

// TestDaemonStays checks that a daemon in its own session, such as an agent that keeps a store
// open, is not ended, and that its output is not waited for.
func TestDaemonStays(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("no setsid here: it is Linux's")
	}
	script := "setsid sleep 600 & echo $!; while [ \"$(ps -o sid= -p $! | tr -d ' ')\" != $! ]; do :; done; echo done"
	out := output(t, process.Command{Words: []string{"/bin/sh", "-c", script}})
	daemon := number(t, bufio.NewScanner(strings.NewReader(out)))
	if !alive(daemon) {
		t.Error("the daemon is gone")
	}
}
