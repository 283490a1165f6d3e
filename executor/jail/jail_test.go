//go:build linux

package jail_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/abl-lsp/abl-lsp/executor/jail"
	"github.com/abl-lsp/abl-lsp/internal/testdeps"
)

// engines returns the engines on this machine. It fails if the test run must have all.
func engines(t *testing.T) []jail.Engine {
	t.Helper()
	var out []jail.Engine
	for _, e := range []jail.Engine{jail.Bubblewrap, jail.GVisor} {
		if testdeps.HasProgram(t, e.Command()) {
			out = append(out, e)
		}
	}
	if len(out) == 0 {
		testdeps.SkipOrFail(t, "neither bwrap nor runsc is on PATH")
	}
	return out
}

const python = "/usr/bin/python3"

// in runs Python code in a jail and returns what it prints.
func in(ctx context.Context, t *testing.T, e jail.Engine, p jail.Program, code string) (out, errs string, err error) {
	t.Helper()
	var o, d bytes.Buffer
	p.Words, p.Stdout, p.Stderr = []string{python, "-I", "-c", code}, &o, &d
	err = run(ctx, e, p)
	return o.String(), d.String(), err
}

// run runs a program to its end.
func run(ctx context.Context, e jail.Engine, p jail.Program) error {
	started, err := jail.Start(ctx, e, p)
	if err != nil {
		return err
	}
	return started.Wait()
}

func TestRun(t *testing.T) {
	for _, e := range engines(t) {
		t.Run(string(e), func(t *testing.T) {
			t.Parallel()
			p := jail.Program{Env: []string{"A=b=c"}, Stdin: strings.NewReader("in")}
			out, errs, err := in(t.Context(), t, e, p, `
import os, sys
print(sys.stdin.read(), os.getcwd(), os.listdir("."), os.environ.get("A"), os.environ.get("PATH"))
print("said", file=sys.stderr)
open("own", "w").write("x")
`)
			if want := "in /tmp [] b=c "; err != nil || !strings.HasPrefix(out, want) || errs != "said\n" {
				t.Errorf("%q, %q, %v; want %q", out, errs, err, want)
			}
			_, _, err = in(t.Context(), t, e, jail.Program{}, "import sys; sys.exit(7)")
			if exit, ok := errors.AsType[*jail.ExitError](err); !ok || exit.Status != 7 {
				t.Errorf("got %v, want status 7", err)
			}
			if err := run(t.Context(), e, jail.Program{Words: []string{"/no/such/program"}}); err == nil {
				t.Error("a program that is not there ran")
			}
		})
	}
}

// TestRefused checks what a program in each jail must not do. The code prints DONE if it did it.
func TestRefused(t *testing.T) {
	home := t.TempDir()
	secret := filepath.Join(home, "secret")
	if err := os.WriteFile(secret, []byte("s"), 0o644); err != nil { // anybody could, were it not for the jail
		t.Fatal(err)
	}
	t.Setenv("JAIL_SECRET", "s")
	tests := map[string]string{
		"network":     `import socket; socket.create_connection(("127.0.0.1", 1), 1); print("DONE")`,
		"socket":      `import socket; socket.socket(socket.AF_UNIX); print("DONE")`,
		"file":        fmt.Sprintf(`open(%q).read(); print("DONE")`, secret),
		"passwd":      `open("/etc/passwd").read(); print("DONE")`,
		"write":       `open("/usr/x", "w"); print("DONE")`,
		"kernel":      `open("/proc/sys/kernel/core_pattern", "r+"); print("DONE")`,
		"start":       `assert "PATH=" in open("/proc/1/environ").read(); print("DONE")`,
		"host name":   `import os; assert os.uname().nodename == ` + strconv.Quote(hostname(t)) + `; print("DONE")`,
		"fork":        `import os; os.fork(); print("DONE")`,
		"subprocess":  `import subprocess; subprocess.run(["/usr/bin/true"]); print("DONE")`,
		"ptrace":      `import ctypes; l = ctypes.CDLL(None, use_errno=True); assert l.ptrace(0, 0, 0, 0) == 0; print("DONE")`,
		"mount":       `import ctypes; l = ctypes.CDLL(None); assert l.mount(b"x", b"/tmp", b"tmpfs", 0, None) == 0; print("DONE")`,
		"root":        `import os; os.setuid(0); print("DONE")`,
		"environment": `import os; os.environ["JAIL_SECRET"]; print("DONE")`,
		"parent":      fmt.Sprintf(`import os; os.kill(%d, 0); print("DONE")`, os.Getpid()),
		"descriptors": `import os; [os.fstat(n) for n in range(4, 32) if os.path.exists("/proc/self/fd/%d" % n)] and print("DONE") or 1/0`,
	}
	for _, e := range engines(t) {
		for name, code := range tests {
			if e == jail.GVisor && (name == "descriptors" || name == "ptrace" || name == "root") {
				continue // its kernel has its own, of nothing but itself
			}
			t.Run(string(e)+"/"+name, func(t *testing.T) {
				out, errs, err := in(t.Context(), t, e, jail.Program{}, code)
				if exit, ok := errors.AsType[*jail.ExitError](err); !ok || strings.Contains(out, "DONE") {
					t.Errorf("%q, %q, %v (%v)", out, errs, err, exit)
				}
			})
		}
	}
}

// hostname returns the name of this machine.
func hostname(t *testing.T) string {
	t.Helper()
	name, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// TestRoots checks that a program outside of the system folders runs, and can read the given
// folders and single files, but not their neighbours.
func TestRoots(t *testing.T) {
	for _, e := range engines(t) {
		t.Run(string(e), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			program, secretFile, lib := filepath.Join(dir, "bin", "python3"), filepath.Join(dir, "secret"), filepath.Join(dir, "lib")
			if err := errors.Join(os.Mkdir(filepath.Dir(program), 0o755), os.Mkdir(lib, 0o755), copyFile(python, program),
				os.WriteFile(secretFile, nil, 0o644), os.WriteFile(filepath.Join(lib, "given"), nil, 0o644)); err != nil {
				t.Fatal(err)
			}
			var out, errs bytes.Buffer
			err := run(t.Context(), e, jail.Program{
				Words:  []string{program, "-I", "-c", "import os, sys; print([os.listdir(p) for p in sys.argv[1:]])", dir, lib},
				Roots:  []string{program, lib, filepath.Join(dir, "nothing")},
				Stdout: &out, Stderr: &errs,
			})
			if listed := out.String(); err != nil || strings.Contains(listed, "secret") || !strings.Contains(listed, "given") {
				t.Errorf("%s%s%v", listed, errs.String(), err)
			}
		})
	}
}

// TestFind checks that the files that a person's own program needs are not its whole folder.
func TestFind(t *testing.T) {
	home := t.TempDir()
	bin := filepath.Join(home, ".local", "bin")
	own := filepath.Join(bin, "own-program")
	if err := errors.Join(os.MkdirAll(bin, 0o755), os.WriteFile(own, nil, 0o755)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	path, roots, err := jail.Find("own-program")
	want := []string{path, filepath.Join(home, ".local", "lib")}
	if err != nil || filepath.Base(path) != "own-program" || !slices.Equal(roots, want) {
		t.Errorf("%s, %v, %v; want %v", path, roots, err, want)
	}
}

// copyFile copies a program.
func copyFile(from, to string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o755)
}

// TestFiles checks that content of files, or memory that no process has mapped, counts as memory
// of the program.
func TestFiles(t *testing.T) {
	const keep = `
import os
to = %s
for _ in range(512):
  os.write(to, bytes(1 << 20))
print("DONE")
`
	for name, to := range map[string]string{
		"its folder":    `os.open("/tmp/x", os.O_CREAT | os.O_WRONLY)`,
		"root":          `os.open("/x", os.O_CREAT | os.O_WRONLY)`,
		"devices":       `os.open("/dev/x", os.O_CREAT | os.O_WRONLY)`,
		"shared memory": `os.open("/dev/shm/x", os.O_CREAT | os.O_WRONLY)`,
		"no folder":     `os.memfd_create("x")`,
	} {
		for _, e := range engines(t) {
			t.Run(string(e)+"/"+name, func(t *testing.T) {
				t.Parallel()
				out, _, err := in(t.Context(), t, e, jail.Program{Memory: 64 << 20}, fmt.Sprintf(keep, to))
				if err == nil { // who watches its memory may see it as it ends
					t.Errorf("it kept 512 MB: %q", out)
				}
			})
		}
	}
}

func TestMemory(t *testing.T) {
	for _, e := range engines(t) {
		t.Run(string(e), func(t *testing.T) {
			t.Parallel()
			hold := jail.Program{Memory: 256 << 20}
			out, _, err := in(t.Context(), t, e, hold, `x = bytearray(b"x") * (128 << 20); print(len(x))`)
			if err != nil || out != strconv.Itoa(128<<20)+"\n" {
				t.Errorf("%q, %v", out, err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			_, _, err = in(ctx, t, e, hold, "import time\nx = []\nwhile True:\n  x.append(bytearray(b'x') * (16 << 20)); time.sleep(0.005)")
			if !errors.Is(err, jail.ErrMemory) {
				t.Errorf("got %v, want ErrMemory", err)
			}
			if e == jail.GVisor {
				return // files are memory of its kernel: TestFiles
			}
			const both = `
import time
x = bytearray(b"x") * (100 << 20)
with open("y", "wb") as f:
  for _ in range(120): f.write(bytes(1 << 20))
time.sleep(60)`
			if _, _, err = in(ctx, t, e, jail.Program{Memory: 128 << 20}, both); !errors.Is(err, jail.ErrMemory) {
				t.Errorf("memory and files together: %v, want ErrMemory", err)
			}
		})
	}
}

// TestEnds checks that a cancelled program ends with everything that belongs to it.
func TestEnds(t *testing.T) {
	for _, e := range engines(t) {
		t.Run(string(e), func(t *testing.T) {
			mark := t.TempDir() // in the command lines of gVisor; its programs are in no list of ours
			t.Setenv("TMPDIR", mark)
			started := make(chan struct{})
			ctx, cancel := context.WithCancelCause(t.Context())
			why := errors.New("enough")
			done := make(chan error, 1)
			go func() {
				done <- run(ctx, e, jail.Program{
					Words:  []string{python, "-I", "-c", "import time; print(1, flush=True); time.sleep(600)", mark},
					Stdout: signal(started),
				})
			}()
			select {
			case <-started:
			case err := <-done:
				t.Fatalf("it did not start: %v", err)
			}
			if len(holding(mark)) == 0 {
				t.Error("its processes cannot be seen, so this test proves nothing")
			}
			cancel(why)
			if err := <-done; !errors.Is(err, why) {
				t.Errorf("got %v, want the cause", err)
			}
			for deadline := time.Now().Add(20 * time.Second); len(holding(mark)) > 0; time.Sleep(10 * time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatalf("still there: %v", holding(mark))
				}
			}
		})
	}
}

// TestFolders checks that each run removes its folder and those of killed processes, but no folder
// that is in use or may just be being created.
func TestFolders(t *testing.T) {
	if !slices.Contains(engines(t), jail.GVisor) {
		t.Skip("only gVisor needs a folder")
	}
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	old := time.Now().Add(-time.Hour)
	left, used, young := filepath.Join(tmp, "abl-lsp-jail-1"), filepath.Join(tmp, "abl-lsp-jail-2"), filepath.Join(tmp, "abl-lsp-jail-3")
	if err := os.Mkdir(young, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{left, used} {
		t.Run(dir, func(t *testing.T) {
			if err := os.MkdirAll(filepath.Join(dir, "state"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(dir, old, old); err != nil {
				t.Fatal(err)
			}
		})
	}
	holder, err := os.Open(used)
	if err != nil {
		t.Fatal(err)
	}
	defer holder.Close()
	if err := unix.Flock(int(holder.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if _, _, err := in(t.Context(), t, jail.GVisor, jail.Program{}, "print(1)"); err != nil {
		t.Error(err)
	}
	there, err := filepath.Glob(filepath.Join(tmp, "*"))
	if want := []string{used, young}; err != nil || !slices.Equal(there, want) {
		t.Errorf("%v, %v; want %v", there, err, want)
	}
}

// signal is a writer that closes a channel at the first write.
type signal chan struct{}

func (s signal) Write(b []byte) (int, error) {
	select {
	case <-s:
	default:
		close(s)
	}
	return len(b), nil
}

// holding returns the processes whose command line contains a text.
func holding(text string) []string {
	var out []string
	dirs, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, d := range dirs {
		if line, _ := os.ReadFile(d); bytes.Contains(line, []byte(text)) {
			out = append(out, d)
		}
	}
	return out
}

func TestNotHere(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, e := range []jail.Engine{jail.Bubblewrap, jail.GVisor} {
		t.Run(e.Command(), func(t *testing.T) {
			err := run(t.Context(), e, jail.Program{Words: []string{python}})
			if !errors.Is(err, jail.ErrNotHere) || !strings.Contains(err.Error(), e.Command()) {
				t.Errorf("%s: %v", e, err)
			}
		})
	}
}
