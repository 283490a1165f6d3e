package sandbox_test

import (
	"context"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/sandbox"
)

// patience bounds a test that fails.
const patience = time.Minute

// TestReady checks when a process waits for a run, and for how long.
func TestReady(t *testing.T) {
	built(t)
	r := sandbox.New(sandbox.Options{Program: program(), CacheDir: cache, IdleTimeout: time.Hour})
	defer r.Close()
	if r.Waiting(js) != 0 {
		t.Fatal("a process waits before anything was run")
	}
	run := func(c call) {
		t.Helper()
		if e := do(t, r, c); !e.OK {
			t.Fatalf("%+v", e.Error)
		}
		r.Ready(c.runtime)
	}
	run(call{runtime: js, code: "return 1"})
	first := r.Waiting(js)
	if first == 0 || r.Waiting(py) != 0 {
		t.Errorf("after a run of JavaScript the processes %d and %d wait", first, r.Waiting(py))
	}
	run(call{runtime: js, code: "return 1"})
	second := r.Waiting(js)
	if second == first || alive(first) {
		t.Errorf("process %d is there after its run", first)
	}
	run(call{runtime: js, code: "return 1", memory: "64"})
	if third := r.Waiting(js); third == second || alive(second) {
		t.Errorf("process %d is there, though runs now have other limits", second)
	}
	last := r.Waiting(js)
	if err := r.Close(); err != nil || alive(last) {
		t.Errorf("process %d is there after Close: %v", last, err)
	}
	if e := do(t, r, call{runtime: js, code: "return 1"}); !e.OK || r.Waiting(js) != 0 {
		t.Errorf("after Close process %d waits; %+v", r.Waiting(js), e.Error)
	}
}

func TestIdle(t *testing.T) {
	built(t)
	r := sandbox.New(sandbox.Options{Program: program(), CacheDir: cache, IdleTimeout: time.Millisecond})
	defer r.Close()
	if e := do(t, r, call{runtime: js, code: "return 1"}); !e.OK {
		t.Fatalf("%+v", e.Error)
	}
	r.Ready(js)
	for end := time.Now().Add(patience); r.Waiting(js) != 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("a process waits though nothing came")
		}
	}
}

// TestKilled checks that a run succeeds although the process that waited for it has ended.
func TestKilled(t *testing.T) {
	r := newRunner(t)
	for range 2 {
		if e := do(t, r, call{runtime: js, code: "return 1"}); !e.OK {
			t.Fatalf("%+v", e.Error)
		}
		r.Ready(js)
		p, err := os.FindProcess(r.Waiting(js))
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Kill(); err != nil {
			t.Fatal(err)
		}
		r.Gone(js)
	}
}

// TestParent checks that a process ends when its parent closes its input, even if it is busy.
func TestParent(t *testing.T) {
	built(t)
	dir, err := filepath.Abs(filepath.Join(cache, "sandbox"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program())
	cmd.Env = append(os.Environ(), "GOGC=1", // as on a machine where collecting garbage takes long
		`ABL_SANDBOX={"runtime":"javascript","memory_mb":128,"cache_dir":"`+filepath.ToSlash(dir)+`"}`)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(in, `{"code": "for (let i = 0; i < 20000; i++) Math.random(); console.log(1); while (true);", "names": [], "values": {}, "big": []}`+"\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	in.Close()
	if err := cmd.Wait(); err == nil || ctx.Err() != nil {
		t.Errorf("it ended by %v", err)
	}
}

// TestCache checks that a broken or missing cache only costs time.
func TestCache(t *testing.T) {
	built(t)
	dir := filepath.Join(t.TempDir(), "cache")
	for _, tt := range []struct {
		name   string
		dir    string
		before func(t *testing.T)
	}{
		{"none", "", nil},
		{"new", dir, nil},
		{"cut short", dir, func(t *testing.T) { change(t, dir, func(b []byte) []byte { return b[:len(b)/2] }) }},
		{"changed", dir, func(t *testing.T) {
			change(t, dir, func(b []byte) []byte { b[len(b)-1]++; b[len(b)/2]++; return b })
		}},
		{"empty", dir, func(t *testing.T) { change(t, dir, func([]byte) []byte { return nil }) }},
		{"a file", filepath.Join(t.TempDir(), "file"), func(*testing.T) {}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "a file" {
				if err := os.WriteFile(tt.dir, nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if tt.before != nil {
				tt.before(t)
			}
			r := sandbox.New(sandbox.Options{Program: program(), CacheDir: tt.dir})
			defer r.Close()
			if e := do(t, r, call{runtime: js, code: "return 1"}); !e.OK {
				t.Errorf("%+v", e.Error)
			}
		})
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := d.Info(); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: others may read it (%v, %v)", path, info.Mode(), err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestCacheAtOnce checks that concurrent processes can use a new or broken cache.
func TestCacheAtOnce(t *testing.T) {
	built(t)
	dir := filepath.Join(t.TempDir(), "cache")
	for range 2 {
		r := sandbox.New(sandbox.Options{Program: program(), CacheDir: dir, MaxRuns: 4})
		var runs sync.WaitGroup
		for range 4 {
			runs.Go(func() {
				if e := newExecutor(r).Run(t.Context(), call{runtime: js, code: "return 1"}.request()); !e.OK {
					t.Errorf("%+v", e.Error)
				}
			})
		}
		runs.Wait()
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		change(t, dir, func(b []byte) []byte { return b[:len(b)/2] })
	}
}

// TestCacheOfOthers checks that other files in the cache's folder are kept.
func TestCacheOfOthers(t *testing.T) {
	built(t)
	dir := t.TempDir()
	run := func() {
		t.Helper()
		r := sandbox.New(sandbox.Options{Program: program(), CacheDir: dir})
		defer r.Close()
		if e := do(t, r, call{runtime: js, code: "return 1"}); !e.OK {
			t.Errorf("%+v", e.Error)
		}
	}
	run()
	change(t, dir, func(b []byte) []byte { return b[:len(b)/2] })
	own := filepath.Join(dir, "sandbox", "own")
	if err := os.WriteFile(own, []byte("own"), 0o600); err != nil {
		t.Fatal(err)
	}
	run() // finds the cache broken
	if text, err := os.ReadFile(own); err != nil || string(text) != "own" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestOrder checks what the program does if a person has set the variable that is meant for its own
// processes.
func TestOrder(t *testing.T) {
	built(t)
	dir := t.TempDir()
	own := filepath.Join(dir, "own")
	if err := os.WriteFile(own, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	at := strconv.Quote(filepath.ToSlash(dir))
	for _, order := range []string{
		`1`,
		`{"runtime": "ruby", "memory_mb": 64, "cache_dir": ` + at + `}`,
		`{"runtime": "javascript", "memory_mb": 1, "cache_dir": ` + at + `}`,
		`{"runtime": "javascript", "memory_mb": 70000, "cache_dir": ` + at + `}`,
	} {
		t.Run(order, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			cmd := exec.CommandContext(ctx, program())
			cmd.Env = append(os.Environ(), "ABL_SANDBOX="+order)
			in, err := cmd.StdinPipe() // open until it has ended
			if err != nil {
				t.Fatal(err)
			}
			out, err := cmd.CombinedOutput()
			cancel()
			in.Close()
			if err == nil || !strings.Contains(string(out), "ABL_SANDBOX") || strings.Contains(string(out), "goroutine") {
				t.Errorf("%s: %v\n%s", order, err, out)
			}
		})
	}
	if _, err := os.Stat(own); err != nil {
		t.Error(err)
	}
}

// change changes the content of every file below a folder.
func change(t *testing.T, dir string, to func([]byte) []byte) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, to(b), 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
}
