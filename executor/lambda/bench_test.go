package lambda_test

import (
	"os"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/lambda"
	"github.com/abl-lsp/abl-lsp/tool"
)

// BenchmarkLocal measures a call of a local function: one that is running, and one that must be
// started.
func BenchmarkLocal(b *testing.B) {
	function := tool.Function{Provider: "local", Command: []string{os.Args[0]}, Env: map[string]string{"ROLE": "echo"}}
	run := func(b *testing.B, x *executor.Executor) {
		tl := call("echo")
		e := x.Run(b.Context(), executor.Request{
			Tool: &tl, Args: []byte(`{"text": "a"}`), Trusted: true,
			Environment: executor.Environment{Functions: map[string]tool.Function{"echo": function}},
		})
		if !e.OK {
			b.Fatal(e.Error)
		}
	}
	start := func() *executor.Executor {
		return executor.New(executor.Options{Runners: map[tool.Kind]executor.Runner{tool.KindLambda: lambda.New(lambda.Options{})}})
	}
	b.Run("warm", func(b *testing.B) {
		x := start()
		defer x.Close()
		run(b, x)
		for b.Loop() {
			run(b, x)
		}
	})
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			x := start()
			run(b, x)
			x.Close()
		}
	})
}
