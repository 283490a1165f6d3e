package process_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/process"
)

// TestChildEndsWithUs checks that the children of a killed process end.
func TestChildEndsWithUs(t *testing.T) {
	c := child("owner")
	cmd := exec.Command(c.Words[0], c.Words[1:]...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	grandchild := number(t, bufio.NewScanner(out))
	if !alive(grandchild) {
		t.Error("it is gone already")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // killed
	gone(t, grandchild)
}

// TestThreadEnds checks that a child lives on when the thread that started it ends.
func TestThreadEnds(t *testing.T) {
	started := make(chan *process.Process)
	thread := 0
	go onThread(func() {
		thread = syscall.Gettid()
		c := child("cat")
		c.Pipe = true
		p, err := process.Start(t.Context(), c)
		if err != nil {
			t.Error(err)
		}
		started <- p
	})
	p := <-started
	t.Cleanup(p.Kill)
	for end := time.Now().Add(patience); isThere(thread); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the thread goes on")
		}
	}
	lines := bufio.NewScanner(p.Out)
	if fmt.Fprintln(p.In, "still here"); !lines.Scan() || lines.Text() != "still here" {
		t.Errorf("it ended: %v", p.Wait())
	}
}

// isThere reports whether this process has a thread.
func isThere(thread int) bool {
	_, err := os.Stat(fmt.Sprintf("/proc/self/task/%d", thread))
	return err == nil
}

// onThread runs f on a thread that ends afterwards. The first thread of a process never ends.
func onThread(f func()) {
	runtime.LockOSThread() // and no Unlock
	if syscall.Gettid() != os.Getpid() {
		f()
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		onThread(f)
	}()
	<-done
}
