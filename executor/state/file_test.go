package state

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

const asWriter = "ABL_STATE_TEST_WRITER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(asWriter); dir != "" {
		if err := putSome(newFile(dir), os.Getpid()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

const some = 10

func putSome(s *File, who int) error {
	for i := range some {
		if err := s.Put(context.Background(), "b", fmt.Sprintf("%d-%d", who, i), i, Forever); err != nil {
			return err
		}
	}
	return nil
}

func keys(t *testing.T, s *File) []string {
	t.Helper()
	all := map[string]bool{}
	if err := s.Each(t.Context(), "b", func(key string, _ json.RawMessage) { all[key] = true }); err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(maps.Keys(all))
}

func TestFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	s := newFile(dir)
	var got map[string]int
	if ok, err := s.Get(t.Context(), "b", "k", &got); ok || err != nil {
		t.Errorf("before anything is kept: %v %v", ok, err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("asking made a folder")
	}
	for key, n := range map[string]int{"k": 1, "other": 2} {
		t.Run(key, func(t *testing.T) {
			if err := s.Put(t.Context(), "b", key, map[string]int{"n": n}, Forever); err != nil {
				t.Fatal(err)
			}
		})
	}
	if ok, err := newFile(dir).Get(t.Context(), "b", "k", &got); !ok || err != nil || got["n"] != 1 {
		t.Errorf("%v %v %v", ok, err, got)
	}
	if ok, err := s.Get(t.Context(), "elsewhere", "k", &got); ok || err != nil {
		t.Errorf("%v %v", ok, err)
	}
	if err := s.Delete(t.Context(), "b", "k"); err != nil {
		t.Error(err)
	}
	if got := keys(t, s); !slices.Equal(got, []string{"other"}) {
		t.Error(got)
	}
	if runtime.GOOS == "windows" {
		return // there are no such modes
	}
	for name, want := range map[string]os.FileMode{dir: 0o700, s.file: 0o600} {
		t.Run(name, func(t *testing.T) {
			if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: %v %v", name, info.Mode(), err)
			}
		})
	}
}

func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	s := newFile(dir)
	if err := putSome(s, 1); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(s.file)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"no database":    strings.Repeat("no database ", 4000),
		"torn pages":     string(whole[:8192]) + strings.Repeat("\xff", len(whole)-8192),
		"short":          string(whole[:100]),
		"two pages":      string(whole[:8192]),
		"three pages":    string(whole[:12288]),
		"a part of page": string(whole[:8193]),
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(s.file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			for range 2 { // it is not locked afterwards either
				if _, err := newFile(dir).Get(t.Context(), "b", "1-1", new(int)); err == nil || strings.Contains(err.Error(), "timeout") {
					t.Errorf("%v", err)
				}
			}
		})
	}
}

// TestLink checks that a link in place of the file is not followed.
func TestLink(t *testing.T) {
	s, elsewhere := newFile(t.TempDir()), filepath.Join(t.TempDir(), "elsewhere")
	if err := os.Symlink(elsewhere, s.file); err != nil {
		t.Skipf("no links here: %v", err)
	}
	if err := s.Put(t.Context(), "b", "k", 1, Forever); err == nil || !strings.Contains(err.Error(), "no plain file") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(elsewhere); err == nil {
		t.Error("the link was followed")
	}
}

// TestProcesses checks that concurrent processes lose no value.
func TestProcesses(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), asWriter+"="+dir)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v %s", err, out)
			}
		})
	}
	s := newFile(dir)
	for i := range 2 {
		all.Go(func() {
			if err := putSome(s, -1-i); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := keys(t, newFile(dir)); len(got) != 4*some {
		t.Errorf("%d keys", len(got))
	}
}

func BenchmarkPut(b *testing.B) {
	s := newFile(b.TempDir())
	for b.Loop() {
		if err := s.Put(b.Context(), "b", "k", 1, Forever); err != nil {
			b.Fatal(err)
		}
	}
}
