package module_test

import (
	"slices"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestPermission checks that a handler may ask for a permission while it runs. If no one has
// decided yet, the call ends and names it.
func TestPermission(t *testing.T) {
	t.Parallel()
	r := in(t, map[string]string{"a.mjs": `export const ask = async (_, { requestPermission }) => {
  const first = await requestPermission("file", "/data/x", "read");
  console.log("asked");
  return [first, await requestPermission({ kind: "file", op: "write", resource: "/data/y" })];
};`})
	x, y := tool.Permission{Kind: "file", Op: "read", Resource: "/data/x"}, tool.Permission{Kind: "file", Op: "write", Resource: "/data/y"}
	ask := r.tool("a.mjs", "ask")
	needs := func(want tool.Permission) {
		t.Helper()
		e := r.run(t.Context(), ask, `{}`)
		if e.Needs == nil || !slices.Equal(e.Needs.Permission, []tool.Permission{want}) || e.Error.Kind != executor.KindNeeds {
			t.Errorf("needs %+v, %+v; want %v", e.Needs, e.Error, want)
		}
	}
	needs(x)
	r.req.Grants = []tool.Permission{x}
	needs(y)
	r.req.Environment.Permissions.Allow = []tool.Permission{{Kind: "file", Op: "*", Resource: "/data/*"}}
	if got := r.value(ask, `{}`); got != "[true,true]" {
		t.Errorf("allowed: %s", got)
	}
	r.req.Environment.Permissions.Deny = []tool.Permission{y}
	if got := r.value(ask, `{}`); got != "[true,false]" {
		t.Errorf("one is denied: %s", got)
	}
}
