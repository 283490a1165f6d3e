package executor

import (
	"context"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/tool"
)

// TestExpressionsEndWithTheirRun checks that an expression ends when its run is cancelled, wherever
// the expression is.
func TestExpressionsEndWithTheirRun(t *testing.T) {
	const endless = "len(filter(1..100000, len(filter(1..100000, # < 0)) > 0)) > 0"
	computed := param("b", "string")
	computed.Source, computed.Value = sourceExpr, endless
	verified := reading(&spec{})
	verified.Verify = &tool.Step{Expr: endless}
	for name, tt := range map[string]struct {
		tool   *tool.Tool
		during bool // the call, not before it
		want   string
	}{
		"source":         {reading(&spec{}, computed), false, "cancelled"},
		"before":         {processed(`{"before": {"params": {"a": "` + endless + `"}}}`), false, "cancelled"},
		"before.require": {processed(`{"before": {"require": ["` + endless + `"], "on_fail": "fallback(\"x\")"}}`), false, "cancelled"},
		"after":          {processed(`{"after": {"result": {"a": "`+endless+`"}, "on_fail": "use_original"}}`, param("a", "string")), true, "cancelled"},
		"verify":         {verified, true, "could not be verified: cancelled"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			k := &runner{run: func(context.Context, Call) (Result, error) {
				cancel()
				return Result{Value: []byte(`{"n": 1}`)}, nil
			}}
			if !tt.during {
				cancel()
			}
			e := k.executor().Run(ctx, trusted(tt.tool, `{"a": "x"}`))
			if e.Error == nil || !strings.HasSuffix(e.Error.Message, tt.want) || k.calls > 0 != tt.during {
				t.Errorf("%s: %+v after %d calls", name, e.Error, k.calls)
			}
			cancel()
		})
	}
}
