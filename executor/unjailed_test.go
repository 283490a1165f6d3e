package executor

import (
	"context"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/tool"
)

// TestUnjailed checks that a call without a jail must be confirmed, whatever its tool declares, and
// that the answer warns of it.
func TestUnjailed(t *testing.T) {
	const why = "there is no jail here"
	k := &reacher{reach: Reach{Unjailed: why}}
	k.run = func(_ context.Context, call Call) (Result, error) {
		if call.Unjailed != why {
			t.Errorf("the runner is told %q", call.Unjailed)
		}
		return Result{}, Errorf(KindSandbox, "threw", "it threw")
	}
	tl := reading(&spec{})
	tl.Mutation, tl.RiskLevel, tl.Confirmation = "false", "safe", &tool.Confirmation{Require: "never"}
	r := trusted(tl, "")
	e := k.executor().Run(t.Context(), r)
	if e.Needs == nil || e.Needs.Confirmation == nil || k.calls != 0 || !strings.HasSuffix(e.Needs.Confirmation.Summary, "? It runs without a jail, as a process like any other: "+why+".") {
		t.Fatalf("%+v %+v, %d calls", e.Error, e.Needs, k.calls)
	}
	r.Confirm = e.Needs.Confirmation.Digest
	if e := k.executor().Run(t.Context(), r); k.calls != 1 || len(e.Warnings) != 1 || !strings.Contains(e.Warnings[0], "runs without a jail, as a process like any other: "+why) {
		t.Errorf("%+v %q, %d calls", e.Error, e.Warnings, k.calls)
	}
}

// TestUnjailedCheck checks that a verification without a jail is confirmed together with the run.
func TestUnjailedCheck(t *testing.T) {
	k := &reacher{}
	k.run = func(_ context.Context, call Call) (Result, error) { return Result{Value: encode(true)}, nil }
	checked := &checker{reacher: k}
	tl := reading(&spec{Text: "put"})
	tl.Verify = bound("look")
	r := trusted(tl, "")
	x := New(Options{Runners: map[tool.Kind]Runner{"test": checked}})
	e := x.Run(t.Context(), r)
	if e.Needs == nil || e.Needs.Confirmation == nil || k.calls != 0 || !strings.Contains(e.Needs.Confirmation.Summary, "without a jail") {
		t.Fatalf("%+v %+v, %d calls", e.Error, e.Needs, k.calls)
	}
	r.Confirm = e.Needs.Confirmation.Digest
	if e := x.Run(t.Context(), r); !e.OK || e.Verified == nil || k.calls != 2 {
		t.Errorf("%+v, %d calls", e.Error, k.calls)
	}
	checked.late, k.calls, r.Confirm = true, 0, ""
	if e := x.Run(t.Context(), r); e.OK || k.calls != 1 || !strings.Contains(e.Error.Message, "which nobody has confirmed") {
		t.Errorf("the jail went between: %+v, %d calls", e.Error, k.calls)
	}
}

// checker is a Runner whose binding "look" has no jail: always, or only after the tool was called.
type checker struct {
	*reacher
	late bool
}

func (c *checker) Reach(call Call) (Reach, error) {
	if call.Tool.Spec.(*spec).Text == "look" && (!c.late || c.calls > 0) {
		return Reach{Unjailed: "there is no jail here"}, nil
	}
	return Reach{}, nil
}
