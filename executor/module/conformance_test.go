package module_test

import (
	"context"
	"encoding/json"
	goruntime "runtime"
	"sync/atomic"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/module"
	"github.com/abl-lsp/abl-lsp/internal/conformance"
	"github.com/abl-lsp/abl-lsp/tool"
)

// counting counts the runs, and signals when the handler is Hang.
type counting struct {
	*module.Runner
	calls   *atomic.Int64
	hanging chan<- struct{}
}

func (c counting) Run(ctx context.Context, call executor.Call) (executor.Result, error) {
	c.calls.Add(1)
	if call.Tool.Name == "hang" {
		c.hanging <- struct{}{}
	}
	return c.Runner.Run(ctx, call)
}

const suite = `
export const echo = (args) => args;
export const hang = () => { for (;;); };
export const flood = () => { for (;;) console.log("x".repeat(1 << 16)) };
export const refuse = () => { throw new Error("no such repository") };
const shown = ({ token, encodings }) => ({ list: encodings, [token]: true });
export const leak = (_, { auth }) => shown(auth);
export const broken = (_, { auth }) => { console.log(auth); throw new Error(JSON.stringify(shown(auth))) };
`

func TestConformance(t *testing.T) {
	if goruntime.GOOS != "linux" {
		t.Skip("there is no jail, so that every run is confirmed; much of the suite runs what needs no confirmation")
	}
	r := in(t, map[string]string{"suite.mjs": suite})
	auth, err := json.Marshal(map[string]any{"token": "{{secrets." + conformance.Secret + "}}", "encodings": conformance.Encodings()})
	if err != nil {
		t.Fatal(err)
	}
	var calls atomic.Int64
	hanging := make(chan struct{}, 64)
	of := func(name string) tool.Tool {
		own := r.tool("suite.mjs", name)
		own.Params, own.Mutation = conformance.Params(), "false"
		return *own
	}
	write, leak, broken := of("echo"), of("leak"), of("broken")
	write.Mutation = ""
	leak.Namespace, broken.Namespace = "github", "github"
	conformance.Run(t, conformance.Kind{
		Runner: counting{module.New(module.Options{}), &calls, hanging},
		Request: executor.Request{Environment: executor.Environment{
			Root:     r.dir,
			Services: map[string]tool.Service{"github": {Auth: auth}},
		}},
		Echo: of("echo"), Write: write, Hang: of("hang"), Flood: of("flood"), Refuse: of("refuse"), Leak: leak, Broken: broken,
		FailureKind: executor.KindSandbox,
		Calls:       func() int { return int(calls.Load()) },
		HangArrived: hanging,
		SkipReasons: map[string]string{"Digits": "a decimal is a floating-point number in JavaScript; TestHandlers holds integers"},
	})
}
