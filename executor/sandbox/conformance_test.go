package sandbox_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/sandbox"
	"github.com/abl-lsp/abl-lsp/internal/conformance"
	"github.com/abl-lsp/abl-lsp/tool"
)

// counting counts the runs, and signals when the code is Hang.
type counting struct {
	*sandbox.Runner
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

func TestConformance(t *testing.T) {
	for _, tt := range []struct{ runtime, echo, free, hang, flood, throw string }{
		{js, "return {text, n}", "return {input}", "while (true);", "while (true) console.log('x'.repeat(1 << 16))", "throw 1"},
		{py, "return {'text': text, 'n': n}", "return {'input': input}", "while True: pass", "while True: print('x' * 65536)", "raise ValueError"},
	} {
		t.Run(tt.runtime, func(t *testing.T) {
			t.Parallel()
			var calls atomic.Int64
			hanging := make(chan struct{}, 16)
			of := func(name, code string) tool.Tool {
				return tool.Tool{
					Name: name, Kind: tool.KindSandbox, Params: conformance.Params(),
					Spec: &tool.Sandbox{Runtime: tt.runtime, Code: code, Timeout: "60000"},
				}
			}
			write := of("write", tt.echo)
			write.Hints.SideEffects = "true"
			free := of("free", tt.free)
			free.Params = nil
			conformance.Run(t, conformance.Kind{
				Runner:      counting{newRunner(t), &calls, hanging},
				Echo:        of("echo", tt.echo),
				Write:       write,
				FreeForm:    free,
				Hang:        of("hang", tt.hang),
				Flood:       of("flood", tt.flood),
				Refuse:      of("refuse", tt.throw),
				Calls:       func() int { return int(calls.Load()) },
				HangArrived: hanging,
				SkipReasons: map[string]string{
					"Preview": "no secret stands in code; TestPreview holds what is shown",
					"Remote":  "there is no other side; TestErrors holds what code throws",
					"Secrets": "no secret stands in code",
					"Digits":  "a decimal is a floating-point number in both languages",
				},
			})
		})
	}
}
