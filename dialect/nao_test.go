package dialect

import (
	"os"
	"reflect"
	"testing"

	"github.com/abl-lsp/abl-lsp/tool"
)

// TestNaoSteps: what checks and what undoes are read as bindings, and the author's own
// names below them stay as they are.
func TestNaoSteps(t *testing.T) {
	source, err := os.ReadFile("testdata/notes.tools.json")
	if err != nil {
		t.Fatal(err)
	}
	put := Read("notes.tools.json", string(source)).Tools[1]
	if put.Version != "2" || put.ContentType != "application/json" || !put.CanVerify() || !put.CanRevert() {
		t.Fatalf("%+v", put)
	}
	want := &tool.HTTP{Endpoint: "https://notes.example.com/v1/notes/{id}/undo", Method: "POST", Headers: map[string]string{"X-Note-Id": "{{args.id}}"}}
	if !reflect.DeepEqual(put.Revert.Spec, want) || !reflect.DeepEqual(put.Revert.Args, tool.Assignments{{Name: "noteVersion", Expr: "result.version"}}) {
		t.Errorf("%+v, %+v", put.Revert.Spec, put.Revert.Args)
	}
	if put.Verify.Expect != "result.text == args.text" {
		t.Errorf("%+v", put.Verify)
	}
}

func TestNaoVersions(t *testing.T) {
	f := Read("a.tools.json", `{"tools": [
		{"name": "a", "version": "1", "description": "🥇"}, {"name": "a", "version": "2", "description": "b"},
		{"name": "a", "version": "1", "description": "c"}, {"name": "a", "description": "d"}
	]}`)
	if len(f.Tools) != 2 || len(f.Faults) != 2 || f.Faults[0].Code != "duplicate-tool" || f.Faults[1].Code != "duplicate-tool" {
		t.Errorf("%d tools, %+v", len(f.Tools), f.Faults)
	}
}
