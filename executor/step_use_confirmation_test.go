package executor

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/tool"
)

// TestUsedConfirmation checks that a digest is valid for one run, and that an answer with needs
// does not use it up.
func TestUsedConfirmation(t *testing.T) {
	for name, dir := range map[string]string{"in memory": "", "kept": t.TempDir()} {
		t.Run(name, func(t *testing.T) {
			k := asker("file:write:a")
			x := New(Options{Runners: map[tool.Kind]Runner{"test": k}, StateDir: dir})
			defer x.Close()
			r := trusted(&tool.Tool{Name: "t", Kind: "test", Spec: &spec{}}, "")
			digest := x.Run(t.Context(), r).Needs.Confirmation.Digest
			r.Confirm = digest
			if e := x.Run(t.Context(), r); e.Needs == nil || len(e.Needs.Permission) != 1 {
				t.Fatalf("%+v", e)
			}
			r.Grants = permissions("file:write:a")
			if e := x.Run(t.Context(), r); !e.OK {
				t.Fatalf("%+v", e.Error)
			}
			e := x.Run(t.Context(), r)
			if e.Needs == nil || e.Needs.Confirmation == nil || e.Needs.Confirmation.Digest == digest {
				t.Fatalf("%+v", e)
			}
			r.Confirm = e.Needs.Confirmation.Digest
			if e := x.Run(t.Context(), r); !e.OK {
				t.Fatalf("%+v", e.Error)
			}
		})
	}
}

// TestRetriesUseOneConfirmation checks that one confirmation covers all attempts of a run.
func TestRetriesUseOneConfirmation(t *testing.T) {
	tries := 0
	k := &runner{run: func(context.Context, Call) (Result, error) {
		if tries++; tries < 3 {
			return Result{}, &Error{Kind: KindNetwork, Code: "refused", Unsent: true}
		}
		return Result{Text: "done"}, nil
	}}
	x, r := k.executor(), trusted(&tool.Tool{Name: "t", Kind: "test", Spec: &spec{Retry: "2", Delay: "0.001"}}, "")
	r.Confirm = x.Run(t.Context(), r).Needs.Confirmation.Digest
	if e := x.Run(t.Context(), r); !e.OK || tries != 3 {
		t.Errorf("%d tries: %+v", tries, e.Error)
	}
}

// TestConfirmationThatCannotBeStored checks that no confirmation is accepted if used ones cannot be
// stored, and that the error says what to do.
func TestConfirmationThatCannotBeStored(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "state.db"), 0o700); err != nil {
		t.Fatal(err)
	}
	called := 0
	k := &runner{run: func(context.Context, Call) (Result, error) { called++; return Result{Text: "done"}, nil }}
	x := New(Options{Runners: map[tool.Kind]Runner{"test": k}, StateDir: dir})
	defer x.Close()
	r := trusted(&tool.Tool{Name: "t", Kind: "test", Spec: &spec{}}, "")
	r.Confirm = strings.Repeat("0", 64)
	e := x.Run(t.Context(), r)
	if kindOf(e) != KindInternal || !strings.Contains(e.Error.Hint, "--yes") || called != 0 {
		t.Errorf("%+v", e.Error)
	}
	r.Yes = true
	if e := x.Run(t.Context(), r); !e.OK {
		t.Errorf("%+v", e.Error)
	}
}

// TestChangedWhileWaiting checks that the confirmed call is compared again when the Runner starts.
func TestChangedWhileWaiting(t *testing.T) {
	script := filepath.Join(t.TempDir(), "script.py")
	write := func(text string) {
		if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("one")
	called := 0
	k := &programRunner{script: script, runner: runner{run: func(context.Context, Call) (Result, error) { called++; return Result{Text: "done"}, nil }}}
	x := New(Options{Runners: map[tool.Kind]Runner{"test": k}})
	r := trusted(&tool.Tool{Name: "t", Kind: "test", Spec: &spec{}}, "")
	r.Confirm = x.Run(t.Context(), r).Needs.Confirmation.Digest
	k.prepare = func() { write("two") }
	e := x.Run(t.Context(), r)
	if called != 0 || e.Needs == nil || e.Needs.Confirmation == nil || len(e.Attempts) != 0 {
		t.Errorf("%d calls: %+v", called, e)
	}
}

// programRunner is a Runner that waits for a person and then runs a script.
type programRunner struct {
	runner
	script  string
	prepare func()
}

func (r *programRunner) Reach(Call) (Reach, error) { return Reach{Programs: []string{r.script}}, nil }

func (r *programRunner) Prepare(context.Context, Call) (string, error) {
	if r.prepare != nil {
		r.prepare()
	}
	return "", nil
}
