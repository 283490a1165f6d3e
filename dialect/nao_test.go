package dialect

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/tool"
)

// TestNaoSteps checks that `verify` and `revert` are read as bindings, and that names which the
// author chose inside them do not change.
func TestNaoSteps(t *testing.T) {
	source, err := os.ReadFile("testdata/notes.tools.json")
	if err != nil {
		t.Fatal(err)
	}
	steps := Read("notes.tools.json", string(source)).Tools[1]
	if steps.Version != "2" || steps.ContentType != "application/json" || !steps.CanVerify() || !steps.CanRevert() {
		t.Fatalf("%+v", steps)
	}
	want := &tool.HTTP{Endpoint: "https://notes.example.com/v1/notes/{id}/undo", Method: "POST", Headers: map[string]string{"X-Note-Id": "{{args.id}}"}}
	if diff := cmp.Diff(want, steps.Revert.Spec); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(tool.Assignments{{Name: "noteVersion", Expr: "result.version"}}, steps.Revert.Args); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if steps.Verify.Expect != "result.text == args.text" {
		t.Errorf("%+v", steps.Verify)
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

// TestNaoParameters checks that a schema with more than a signature is kept, that what a map or a
// list has more is reported, and that template parameters are not bound to a statement.
func TestNaoParameters(t *testing.T) {
	tool := func(parameters string) string {
		return `{"tools": [{"name": "a", "description": "🛫", "parameters": ` + parameters + `, "binding": {"type": "sql", "source": "s", "statement": "SELECT {{.cols}} FROM t WHERE a = $1", "template_parameters": {"cols": {"type": "string"}}}}]}`
	}
	for _, tt := range []struct{ parameters, kept, lost string }{
		{`{"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"]}`, "", ""},
		{`{"type": "object", "properties": {"cols": {"type": "string"}, "x": {"type": "string", "minLength": 3}}}`, "minLength", ""},
		{`{"x": {"type": "string", "pattern": "^a"}}`, "", "parameters.x.pattern"},
		{`[{"name": "cols", "type": "string"}, {"name": "x", "type": "string", "maxLength": 3}]`, "", "parameters.x.maxLength"},
	} {
		t.Run(fmt.Sprintf("%.60s", tt.parameters), func(t *testing.T) {
			f := Read("a.tools.json", tool(tt.parameters))
			one := f.Tools[0]
			var lost []string
			for _, l := range one.Lost {
				lost = append(lost, l.Text)
			}
			if len(one.Tool.Params) != 1 || one.Tool.Params[0].Name != "x" || len(one.Params) != 1 {
				t.Errorf("%s: parameters %+v", tt.parameters, one.Tool.Params)
			}
			if got := string(one.InputSchema); (got != "") != (tt.kept != "") || !strings.Contains(got, tt.kept) {
				t.Errorf("%s: kept %q", tt.parameters, got)
			}
			if got := strings.Join(lost, " "); got != tt.lost {
				t.Errorf("%s: lost %q, want %q", tt.parameters, got, tt.lost)
			}
		})
	}
	f := Read("a.tools.json", tool(`{"type": "object", "properties": {"x": {"$ref": "https://example.com/x.json"}}}`))
	if len(f.Faults) != 1 || !strings.Contains(f.Faults[0].Message, "another document") {
		t.Errorf("%+v", f.Faults)
	}
}

// TestNaoReferred checks that a schema may refer to the part that has the parameters.
func TestNaoReferred(t *testing.T) {
	f := Read("a.tools.json", `{"tools": [{"name": "a", "description": "🛫", "parameters":
		{"$ref": "#/$defs/In", "$defs": {"In": {"type": "object", "properties": {"x": {"type": "string"}, "n": {"type": "integer"}}, "required": ["x"]}}}}]}`)
	if got := f.Tools[0].Signature(); !strings.HasPrefix(got, "a(x: string, n?: integer) ->") || len(f.Faults) > 0 {
		t.Errorf("%s, %+v", got, f.Faults)
	}
	if !strings.Contains(string(f.Tools[0].InputSchema), `"$ref"`) {
		t.Errorf("kept %q", f.Tools[0].InputSchema)
	}
}

// TestNaoTwoSchemas checks that the schema of the binding counts, and that what the parameters have
// beyond it is reported.
func TestNaoTwoSchemas(t *testing.T) {
	const own = `{"type": "object", "properties": {"x": {"type": "string", "minLength": 2}}}`
	for _, tt := range []struct {
		parameters string
		named      bool
	}{
		{`{"type": "object", "properties": {"x": {"type": "string"}}}`, false},
		{own, false},
		{`{"type": "object", "properties": {"x": {"type": "string", "pattern": "^a"}}}`, true},
		{`{"$ref": "#/$defs/In", "$defs": {"In": {"type": "object", "properties": {"x": {"type": "string", "pattern": "^a"}}}}}`, true},
	} {
		t.Run(fmt.Sprintf("%.60s", tt.parameters), func(t *testing.T) {
			f := Read("a.tools.json", `{"tools": [{"name": "a", "description": "🛫", "parameters": `+tt.parameters+`, "binding": {"type": "builtin", "builtin": "wait", "input_schema": `+own+`}}]}`)
			one := f.Tools[0]
			if got := string(one.InputSchema); !strings.Contains(got, "minLength") {
				t.Errorf("%s: kept %q", tt.parameters, got)
			}
			named := len(f.Faults) == 1 && strings.Contains(f.Faults[0].Message, "`input_schema` of the binding") && len(one.Lost) == 1
			if named != tt.named || !named && len(f.Faults)+len(one.Lost) > 0 {
				t.Errorf("%s: %+v, lost %+v", tt.parameters, f.Faults, one.Lost)
			}
		})
	}
}

// TestNaoOrigin checks that an origin with several parts, which ABL cannot express, is reported as
// lost and is no error.
func TestNaoOrigin(t *testing.T) {
	f := Read("a.tools.json", `{"tools": [{"name": "a", "description": "Does 🛫", "origin": {"repo": "x", "path": "y"}, "binding": {"type": "builtin", "builtin": "datetime"}}]}`)
	if len(f.Faults) > 0 || len(f.Tools) != 1 || len(f.Tools[0].Lost) != 1 || f.Tools[0].Lost[0].Text != "origin" {
		t.Errorf("%+v", f)
	}
}
