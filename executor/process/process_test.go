package process_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/process"
)

// patience only bounds a test that fails.
const patience = time.Minute

// TestMain also runs every child of these tests. A child's first words are "child" and a role.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "child" {
		roles[os.Args[2]]()
		return
	}
	os.Exit(m.Run())
}

var roles = map[string]func(){
	"cat":   func() { io.Copy(os.Stdout, os.Stdin) },
	"env":   func() { fmt.Print(strings.Join(os.Environ(), "\n")) },
	"where": func() { dir, _ := os.Getwd(); fmt.Print(dir) },
	"both":  func() { fmt.Println("one"); fmt.Fprintln(os.Stderr, "two"); fmt.Println("three") },
	"fail":  func() { fmt.Fprintln(os.Stderr, "no such thing"); os.Exit(3) },
	"sleep": func() { time.Sleep(time.Hour) },
	"flood": func() {
		for {
			os.Stdout.Write(bytes.Repeat([]byte("x"), 1<<16))
		}
	},
	"leave": func() { leave(); fmt.Println("done") },
	"stay":  func() { leave(); time.Sleep(time.Hour) },
	"owner": func() { // starts one that ends with it
		p, err := process.Start(context.Background(), child("sleep"))
		if err != nil {
			panic(err)
		}
		fmt.Println(p.PID())
		time.Sleep(time.Hour)
	},
}

// leave starts a grandchild that has our output open, and prints its number.
func leave() {
	cmd := exec.Command(os.Args[0], "child", "sleep")
	cmd.Stdout = os.Stdout
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	fmt.Println(cmd.Process.Pid)
}

func child(role string) process.Command {
	return process.Command{Words: []string{os.Args[0], "child", role}}
}

func start(ctx context.Context, t *testing.T, c process.Command) *process.Process {
	t.Helper()
	p, err := process.Start(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	return p
}

func output(t *testing.T, c process.Command) string {
	t.Helper()
	c.Max = 1 << 20
	out, err := process.Output(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestTalk(t *testing.T) {
	c := child("cat")
	c.Pipe = true
	p := start(t.Context(), t, c)
	lines := bufio.NewScanner(p.Out)
	for _, line := range []string{"one", "two"} {
		if fmt.Fprintln(p.In, line); !lines.Scan() || lines.Text() != line {
			t.Fatalf("%q, want %q", lines.Text(), line)
		}
	}
	p.In.Close()
	if lines.Scan() || p.Wait() != nil {
		t.Errorf("%q %v", lines.Text(), p.Wait())
	}
	p.Out.Close()
}

func TestOutput(t *testing.T) {
	c := child("both")
	if got := output(t, c); got != "one\nthree\n" {
		t.Errorf("%q", got)
	}
	both := &process.Head{Max: 100}
	c.Stdout, c.Stderr = both, both
	if err := start(t.Context(), t, c).Wait(); err != nil || both.String() != "one\ntwo\nthree\n" {
		t.Errorf("%q %v", both, err)
	}
	c = child("cat")
	c.Stdin = strings.NewReader("given")
	if got := output(t, c); got != "given" {
		t.Errorf("%q", got)
	}
}

func TestExit(t *testing.T) {
	tail := &process.Tail{Max: 100}
	c := child("fail")
	c.Stderr = tail
	err := start(t.Context(), t, c).Wait()
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok || exit.ExitCode() != 3 || tail.String() != "no such thing\n" {
		t.Errorf("%v, %q", err, tail)
	}
}

func TestFlood(t *testing.T) {
	c := child("flood")
	c.Max = 1000
	if out, err := process.Output(t.Context(), c); !errors.Is(err, process.ErrTooMuch) || out != "" {
		t.Errorf("%d bytes, %v", len(out), err)
	}
}

// TestEnvironment checks that a process gets the few variables that it needs, and its own.
func TestEnvironment(t *testing.T) {
	t.Setenv("PROCESS_TEST_TOKEN", "secret")
	t.Setenv("LANG", "C")
	c := child("env")
	c.Env = map[string]string{"OWN": "a=b", "LANG": "de_DE"}
	plain := []string{"PATH", "HOME", "LANG", "TMPDIR", "OWN"}
	if runtime.GOOS == "windows" {
		plain = []string{
			"PATH", "PATHEXT", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "TEMP", "TMP", "USERPROFILE", "HOMEDRIVE",
			"HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "LANG", "OWN",
		}
	}
	got := strings.Split(output(t, c), "\n")
	for _, v := range got {
		if name, _, _ := strings.Cut(v, "="); !slices.Contains(plain, strings.ToUpper(name)) {
			t.Errorf("it gets %s", v)
		}
	}
	if !slices.Contains(got, "OWN=a=b") || !slices.Contains(got, "LANG=de_DE") || slices.Contains(got, "LANG=C") {
		t.Errorf("%q", got)
	}
	c.InheritEnv = true
	if got := output(t, c); !strings.Contains(got, "PROCESS_TEST_TOKEN=secret") {
		t.Errorf("%q", got)
	}
	c.InheritEnv, c.OnlyOwnEnv, c.Env = false, true, map[string]string{"OWN": "1"}
	if got := output(t, c); runtime.GOOS != "windows" && got != "OWN=1" { // Go adds what Windows cannot do without
		t.Errorf("%q", got)
	}
}

func TestDir(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := child("where")
	c.Dir = dir
	if got := output(t, c); got != dir {
		t.Errorf("%q, want %q", got, dir)
	}
}

func TestStartErrors(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, tt := range []struct {
		name string
		c    process.Command
		part string
		unix bool
	}{
		{"not in PATH", process.Command{Words: []string{"no-such-program"}}, "no-such-program cannot be started: there is no such program in PATH", false},
		{"no file", process.Command{Words: []string{"./none"}, Dir: dir}, "./none cannot be started: there is no such file in " + dir, false},
		{"no folder", process.Command{Words: []string{os.Args[0]}, Dir: filepath.Join(dir, "none")}, "none, where it is to start, does not exist", false},
		{"a file as folder", process.Command{Words: []string{os.Args[0]}, Dir: file("plain", "", 0o600)}, "where it is to start, does not exist", false},
		{"not executable", process.Command{Words: []string{file("data", "#!/bin/sh\n", 0o600)}}, "it is not executable", true},
		{"no interpreter", process.Command{Words: []string{file("script", "#!/no/such/sh\n", 0o700)}}, "interpreter that its first line names does not exist", true},
		{"no program", process.Command{Words: []string{file("text", "echo\n", 0o700)}}, "neither a program nor a script", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.unix && runtime.GOOS == "windows" {
				t.Skip("Windows goes by the name")
			}
			p, err := process.Start(t.Context(), tt.c)
			if p != nil || err == nil {
				t.Fatal("it started")
			}
			e, ok := errors.AsType[*process.StartError](err)
			if !ok || e.Program != tt.c.Words[0] || !strings.Contains(err.Error(), tt.part) {
				t.Errorf("%v", err)
			}
		})
	}
	over, cancel := context.WithCancelCause(t.Context())
	cancel(io.EOF)
	if _, err := process.Start(over, child("sleep")); !errors.Is(err, io.EOF) {
		t.Errorf("%v", err)
	}
}

func TestKept(t *testing.T) {
	tail := &process.Tail{Max: 10}
	for _, s := range []string{"one\n", "two\n"} {
		io.WriteString(tail, s)
	}
	if tail.String() != "one\ntwo\n" {
		t.Errorf("%q", tail)
	}
	io.WriteString(tail, "three\n")
	if tail.String() != "…\nthree\n" {
		t.Errorf("%q", tail)
	}
	io.WriteString(tail, "a very long lineß")
	if tail.String() != "…ong lineß" {
		t.Errorf("%q", tail)
	}
	full := 0
	head := &process.Head{Max: 5, Full: func() { full++ }}
	if n, err := io.WriteString(head, "12345"); n != 5 || err != nil || full != 0 {
		t.Error(n, err, full)
	}
	if n, err := io.WriteString(head, "6"); n != 0 || !errors.Is(err, process.ErrTooMuch) || full != 1 || head.String() != "12345" {
		t.Error(n, err, full, head)
	}
}

// TestPrograms checks which words of a command are files that run.
func TestPrograms(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"run": "", "tool.py": "", "server": "", "film.mp4": strings.Repeat("x", 2<<20), "node": ""} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		})
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, tt := range []struct {
		name      string
		words     []string
		want      []string
		uncovered string
	}{
		{"a path", []string{"./run"}, []string{at("run")}, "what run loads"},
		{"a full path", []string{at("run")}, []string{at("run")}, "what run loads"},
		{"on PATH, though there is such a file", []string{"node"}, nil, "node (found on PATH) and what it loads"},
		{"a script", []string{"python3", "tool.py", "film.mp4"}, []string{at("tool.py")}, "python3 (found on PATH) and what it loads"},
		{"a script without an ending", []string{"python3", "server"}, []string{at("server")}, "python3 (found on PATH) and what it loads"},
		{"a script that is not there", []string{"python3", "none.py"}, nil, "python3 (found on PATH) and what it loads"},
		{"a folder", []string{"./"}, nil, "what . loads"},
		{"nothing", nil, nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := process.Programs(dir, tt.words); !slices.Equal(got, tt.want) {
				t.Errorf("%q", got)
			}
			if got := strings.Join(process.Uncovered(tt.words), ", "); got != tt.uncovered {
				t.Errorf("%q", got)
			}
		})
	}
}
