package module_test

import (
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
)

// TestToolResult checks that a handler may return a ToolResult of Corail, which says whether it
// failed and how to show the result.
func TestToolResult(t *testing.T) {
	t.Parallel()
	r := in(t, map[string]string{"a.mjs": `export const shown = () => ({ success: true, output: "[{\"n\": 1}]", error: null, render: "chart" });
export const fails = async () => ({ success: false, output: "", error: "no such city 🧭" });
export async function* pieces() { yield 1; return { success: true, output: { n: 2 } }; }`})
	if e := r.run(t.Context(), r.tool("a.mjs", "shown"), "{}"); string(e.Value) != `[{"n": 1}]` || e.Render == nil || e.Render.Kind != "chart" {
		t.Errorf("%s %+v %+v", e.Value, e.Render, e.Error)
	}
	e := r.run(t.Context(), r.tool("a.mjs", "fails"), "{}")
	if e.Error == nil || e.Error.Kind != executor.KindRemote || e.Error.Message != "fails failed: no such city 🧭" {
		t.Errorf("%s %+v", e.Value, e.Error)
	}
	if e := r.run(t.Context(), r.tool("a.mjs", "pieces"), "{}"); string(e.Value) != `{"n":2}` {
		t.Errorf("%s %+v", e.Value, e.Error)
	}
}
