package executor

import (
	"context"
	"sync"
	"testing"

	"github.com/abl-lsp/abl-lsp/tool"
)

// saying is a Runner that gives one answer, to any number of concurrent calls.
type saying string

func (s saying) Run(context.Context, Call) (Result, error) { return Result{Text: string(s)}, nil }

// TestRegister checks that a kind can be added while runs go on, but only once.
func TestRegister(t *testing.T) {
	x := New(Options{Runners: map[tool.Kind]Runner{"test": &runner{}}})
	own := reading(&spec{})
	own.Kind = "own"
	if e := x.Run(t.Context(), trusted(own, "")); e.OK || e.Error.Code != "kind-not-supported" {
		t.Fatalf("%+v", e.Error)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { x.Run(context.Background(), trusted(own, "")) })
	}
	if err := x.Register("own", saying("own")); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	if e := x.Run(t.Context(), trusted(own, "")); !e.OK || e.Text != "own" {
		t.Errorf("%+v", e)
	}
	for name, kind := range map[string]tool.Kind{
		"registered later":        "own",
		"registered at the start": "test",
		"no name":                 "",
	} {
		t.Run(name, func(t *testing.T) {
			if err := x.Register(kind, &runner{}); err == nil {
				t.Errorf("%q was registered", kind)
			}
		})
	}
	if err := x.Register("none", nil); err == nil {
		t.Error("nothing was registered")
	}
	if e := x.Run(t.Context(), trusted(own, "")); e.Text != "own" {
		t.Error("a kind was taken over")
	}
}

// TestRegisterPlatformKind checks that a program can add a Runner for a kind of the platform.
func TestRegisterPlatformKind(t *testing.T) {
	x := New(Options{})
	flow := reading(&spec{})
	flow.Kind = tool.KindWorkflow
	if e := x.Run(t.Context(), trusted(flow, "")); e.OK || e.Error.Code != "platform-only" {
		t.Fatalf("%+v", e.Error)
	}
	if err := x.Register(tool.KindWorkflow, &runner{}); err != nil {
		t.Fatal(err)
	}
	if e := x.Run(t.Context(), trusted(flow, "")); !e.OK {
		t.Errorf("%+v", e.Error)
	}
}
