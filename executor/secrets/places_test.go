package secrets

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/process"
	"github.com/abl-lsp/abl-lsp/internal/secretservice"
)

func noEnv(string) (string, bool) { return "", false }

func find(t *testing.T, p Places, name string) (string, bool, error) {
	t.Helper()
	providers, err := p.ProvidersIn(noEnv)
	if err != nil {
		t.Fatal(err)
	}
	return Find(t.Context(), providers, name)
}

func script(t *testing.T, text string) Places {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the command is a shell script")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "store")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
		t.Fatal(err)
	}
	return Places{Providers: []string{"command"}, Command: []string{"./store", "show"}, Root: dir}
}

func TestCommand(t *testing.T) {
	p := script(t, `[ "$1" = show ] || exit 3; case "$2" in A) printf 'one two\nthree\n';; EMPTY) ;; *) echo leaked-text >&2; exit 1;; esac`)
	if v, ok, err := find(t, p, "A"); v != "one two\nthree" || !ok || err != nil {
		t.Errorf("%q %v %v", v, ok, err)
	}
	if v, ok, err := find(t, p, "EMPTY"); v != "" || ok || err != nil {
		t.Errorf("%q %v %v", v, ok, err)
	}
	_, ok, err := find(t, p, "B")
	if ok || err == nil || !strings.Contains(err.Error(), "./store") || !strings.Contains(err.Error(), "exit status 1") || strings.Contains(err.Error(), "leaked") {
		t.Errorf("%v %v", ok, err)
	}
	if _, ok, err := find(t, p, "-x"); ok || err != nil {
		t.Errorf("an option: %v %v", ok, err)
	}
	p.Command = nil
	if _, _, err := find(t, p, "A"); err == nil {
		t.Error("no command, no error")
	}
	p.Command = []string{"./nowhere"}
	if _, _, err := find(t, p, "A"); err == nil {
		t.Error("no such command, no error")
	}
}

// TestCommandBeforeDotenv checks that a provider that fails is skipped.
func TestCommandBeforeDotenv(t *testing.T) {
	p := script(t, "exit 1")
	p.Providers = []string{"command", "dotenv"}
	p.Dotenv = filepath.Join(p.Root, ".env")
	if err := os.WriteFile(p.Dotenv, []byte("A=file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if v, ok, err := find(t, p, "A"); v != "file" || !ok || err != nil {
		t.Errorf("%q %v %v", v, ok, err)
	}
}

func TestCommandThatFloods(t *testing.T) {
	if _, ok, err := find(t, script(t, "yes"), "A"); ok || !errors.Is(err, process.ErrTooMuch) {
		t.Errorf("%v %v", ok, err)
	}
}

// TestCommandIsCancelled checks that the command ends with the run, even if it leaves a process
// that has its output open.
func TestCommandIsCancelled(t *testing.T) {
	p := script(t, "touch began; sleep 600 & sleep 600")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(filepath.Join(p.Root, "began")); err == nil {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	providers, err := p.ProvidersIn(noEnv)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok, err := Find(ctx, providers, "A"); ok || err == nil || !strings.Contains(err.Error(), "cancel") {
		t.Errorf("%v %v", ok, err)
	}
}

// TestChildrenOfACommand checks that the value is found even if the command leaves a
// process that has its output open, and that this process is ended.
func TestChildrenOfACommand(t *testing.T) {
	p := script(t, "sleep 600 & echo $! >left; echo value")
	v, ok, err := find(t, p, "A")
	if v != "value" || !ok || err != nil {
		t.Errorf("%q %v %v", v, ok, err)
	}
	left, err := os.ReadFile(filepath.Join(p.Root, "left"))
	if err != nil {
		t.Fatal(err)
	}
	pid := strings.TrimSpace(string(left))
	for end := time.Now().Add(20 * time.Second); runs(pid); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s is still there", pid)
		}
	}
}

// runs reports whether a process exists and has not ended.
func runs(pid string) bool {
	state, err := exec.Command("ps", "-o", "stat=", "-p", pid).Output()
	return err == nil && !strings.HasPrefix(string(state), "Z")
}

// TestNoKeychain checks that there is no keychain without a session bus, and that no bus is
// started.
func TestNoKeychain(t *testing.T) {
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		t.Skip("the system has a keychain")
	}
	for name, bus := range map[string]string{
		"none is started": "autolaunch:",
		"none is there":   "unix:path=" + filepath.Join(t.TempDir(), "nowhere"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("DBUS_SESSION_BUS_ADDRESS", bus)
			if v, ok, err := find(t, Places{Providers: []string{"keychain"}, Root: "/w"}, "A"); v != "" || ok || err != nil {
				t.Errorf("%s: %q %v %v", bus, v, ok, err)
			}
		})
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "autolaunch:")
	if err := Keychain("/w").Set(t.Context(), "A", "1"); !errors.Is(err, ErrNoKeychain) {
		t.Error(err)
	}
	if _, err := Keychain("/w").Names(t.Context()); !errors.Is(err, ErrNoKeychain) {
		t.Error(err)
	}
	if got := Keychain("/w/p").account("A"); got != "/w/p:A" {
		t.Error(got)
	}
}

// TestKeychain checks that a real Secret Service stores values under the folder of the project,
// and lists their names.
func TestKeychain(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", secretservice.Start(t))
	k, other := Keychain("/w/p"), Keychain("/w/q")
	ctx := t.Context()
	for name, value := range map[string]string{"B": "two words", "A": "ü\n😀", "C": "x"} {
		t.Run(name, func(t *testing.T) {
			for range 2 {
				if err := k.Set(ctx, name, value); err != nil {
					t.Fatal(err)
				}
			}
			if v, ok, err := find(t, Places{Root: "/w/p"}, name); v != value || !ok || err != nil {
				t.Errorf("%s: %q %v %v", name, v, ok, err)
			}
			if v, ok, err := other.Lookup(ctx, name); v != "" || ok || err != nil {
				t.Errorf("%s of another project: %q %v %v", name, v, ok, err)
			}
		})
	}
	if err := k.Remove(ctx, "C"); err != nil {
		t.Error(err)
	}
	if err := k.Remove(ctx, "C"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if names, err := k.Names(ctx); !slices.Equal(names, []string{"A", "B"}) || err != nil {
		t.Errorf("%q %v", names, err)
	}
	if names, err := other.Names(ctx); len(names) > 0 || err != nil {
		t.Errorf("%q %v", names, err)
	}
}

func TestUnknownProvider(t *testing.T) {
	if _, err := (Places{Providers: []string{"env", "vault"}}).ProvidersIn(noEnv); err == nil || !strings.Contains(err.Error(), "vault") {
		t.Error(err)
	}
}

// TestHint checks that the hint names only places that the project uses.
func TestHint(t *testing.T) {
	for _, tt := range []struct {
		providers []string
		want      string
	}{
		{nil, "Set it as an environment variable of that name, or in the .env file beside abl.yaml, else beside the file, or in the keychain (abl-lsp secrets set)."},
		{[]string{"dotenv"}, "Set it in the .env file beside abl.yaml, else beside the file."},
		{[]string{"command", "env"}, "Set it where the command of abl.yaml looks it up, or as an environment variable of that name."},
		{[]string{}, "abl.yaml names no place for secrets under secrets.providers."},
	} {
		t.Run(fmt.Sprintf("%.60s", tt.want), func(t *testing.T) {
			if got := (Places{Providers: tt.providers}).Hint(); got != tt.want {
				t.Errorf("%v: %s", tt.providers, got)
			}
		})
	}
}
