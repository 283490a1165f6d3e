package executor

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor/journal"
	"github.com/abl-lsp/abl-lsp/tool"
)

// journalled runs a request, and returns its row of the journal.
func journalled(t *testing.T, r *runner, req Request) (Envelope, []journal.Row) {
	t.Helper()
	dir := t.TempDir()
	x := New(Options{Runners: map[tool.Kind]Runner{"test": r}, StateDir: dir, LookupEnv: func(string) (string, bool) { return "", false }})
	e := x.Run(t.Context(), req)
	x.Preview(t.Context(), req)
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	rows, unread, err := journal.Read(JournalDir(dir), 0)
	if err != nil || unread > 0 {
		t.Fatal(err, unread)
	}
	return e, rows
}

func TestJournalOfRuns(t *testing.T) {
	fails := func(context.Context, Call) (Result, error) {
		return Result{}, Errorf(KindRemote, "http-500", "api.example.com answered 500")
	}
	text := []tool.Param{param("id", "string")}
	writing := reading(&spec{}, text...)
	writing.Hints.SideEffects = ""
	for _, tt := range []struct {
		name   string
		tool   *tool.Tool
		change func(*tool.Tool, *Request)
		run    func(context.Context, Call) (Result, error)
		rows   int
		args   string
		value  string
		err    string // "kind code message"
	}{
		{name: "a success", rows: 1, args: `{"id":"a"}`, value: `{"id":"a"}`},
		{name: "a failure", run: fails, rows: 1, args: `{"id":"a"}`, err: "remote http-500 api.example.com answered 500"},
		{name: "arguments are missing", change: func(_ *tool.Tool, r *Request) { r.Args = nil }},
		{name: "not trusted", change: func(_ *tool.Tool, r *Request) { r.Trusted = false }},
		{name: "blocked", change: func(t *tool.Tool, _ *Request) { t.RiskLevel = "blocked" }},
		{name: "not confirmed", tool: writing, change: func(_ *tool.Tool, r *Request) { r.Yes = false }},
		{name: "confirmed", tool: writing, rows: 1, args: `{"id":"a"}`, value: `{"id":"a"}`},
		{name: "with a session", change: func(_ *tool.Tool, r *Request) { r.Session = json.RawMessage(`{"user": {"id": "7"}}`) },
			rows: 1, args: `{"id":"a"}`, value: `{"id":"a"}`},
		{name: "not to be stored", change: func(t *tool.Tool, _ *Request) { t.StoreResult = "false" }, rows: 1, args: `{"id":"a"}`},
		{name: "not to be stored here", change: func(t *tool.Tool, r *Request) {
			t.StoreResult, r.Environment.Variables = "{{env.KEEP}}", map[string]string{"KEEP": "false"}
		}, rows: 1, args: `{"id":"a"}`},
		{name: "personal", change: func(t *tool.Tool, _ *Request) { t.PIIAccess = "user" }, rows: 1, args: `{"id":"••••(pii)"}`, value: `"••••(pii)"`},
		{name: "a personal failure", run: fails, change: func(t *tool.Tool, _ *Request) { t.PIIAccess = "user" },
			rows: 1, args: `{"id":"••••(pii)"}`, err: "remote http-500 ••••(pii)", value: `"••••(pii)"`},
		{name: "personal, to be logged", change: func(t *tool.Tool, _ *Request) { t.PIIAccess = "logs" }, rows: 1, args: `{"id":"a"}`, value: `{"id":"a"}`},
		{name: "a password", change: func(t *tool.Tool, r *Request) {
			t.InputSchema = json.RawMessage(`{"properties": {"id": {"type": "string", "format": "password"}}}`)
			r.Args = json.RawMessage(`{"id": "hunter2 🛫"}`)
		}, rows: 1, args: `{"id":"••••(id)"}`, value: `{"id":"••••(id)"}`},
		{name: "passwords, however deep", change: func(t *tool.Tool, r *Request) {
			t.InputSchema = json.RawMessage(`{"$defs": {"key": {"writeOnly": true}}, "properties": {"any": true, "id": {},
				"login": {"anyOf": [{"type": "null"}, {"properties": {"name": {}, "pin": {"format": "password"}}}]},
				"keys": {"type": "array", "items": {"$ref": "#/$defs/key"}}}, "additionalProperties": {"allOf": [{"writeOnly": true}]}}`)
			r.Args = json.RawMessage(`{"id": "a", "login": {"name": "ann", "pin": 90210}, "keys": ["k-one", {"of": "k-two"}, true], "more": "hush 🛫"}`)
		}, rows: 1, args: `{"id":"a","keys":["••••(keys)",{"of":"••••(of)"},true],"login":{"name":"ann","pin":"••••(pin)"},"more":"••••(more)"}`,
			value: `{"id":"a","keys":["••••(keys)",{"of":"••••(of)"},true],"login":{"name":"ann","pin":"••••(pin)"},"more":"••••(more)"}`},
		{name: "passwords that are referred to", change: func(t *tool.Tool, _ *Request) {
			t.InputSchema = json.RawMessage(`{"$defs": {"a b/c": {"format": "password"}}, "properties": {"id": {"$ref": "#/$defs/a%20b~1c"}}}`)
		}, rows: 1, args: `{"id":"••••(id)"}`, value: `{"id":"••••(id)"}`},
		{name: "passwords by an anchor", change: func(t *tool.Tool, _ *Request) {
			t.InputSchema = json.RawMessage(`{"$defs": {"k": {"$anchor": "key", "format": "password"}}, "properties": {"id": {"$ref": "#key"}}}`)
		}, rows: 1, args: `{"id":"••••(id)"}`, value: `{"id":"••••(id)"}`},
		{name: "passwords beside others", change: func(t *tool.Tool, _ *Request) {
			t.InputSchema = json.RawMessage(`{"dependentSchemas": {"id": {"properties": {"id": {"format": "password"}}}}}`)
		}, rows: 1, args: `{"id":"••••(id)"}`, value: `{"id":"••••(id)"}`},
		{name: "a secret", tool: reading(&spec{Text: "{{secrets.S}}"}, text...), change: func(_ *tool.Tool, r *Request) {
			r.Secrets, r.Args = map[string]string{"S": "hunter2-hunter2"}, json.RawMessage(`{"id":"hunter2-hunter2"}`)
		}, rows: 1, args: `{"id":"••••(S)"}`, value: `{"id":"••••(S)"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.tool == nil {
				tt.tool = reading(&spec{}, text...)
			}
			called := *tt.tool
			called.Origin.File = "/w/a.tools.abl"
			req := trusted(&called, `{"id":"a"}`)
			req.Yes, req.Environment.Name = true, "dev"
			if tt.change != nil {
				tt.change(&called, &req)
			}
			e, rows := journalled(t, &runner{run: tt.run}, req)
			if len(rows) != tt.rows {
				t.Fatalf("%+v", rows)
			}
			if len(rows) == 0 {
				return
			}
			got := rows[0]
			var failed string
			if got.Error != nil {
				failed = got.Error.Kind + " " + got.Error.Code + " " + got.Error.Message
			}
			if string(got.Args) != tt.args || strings.TrimPrefix(string(got.Value), "null") != tt.value || failed != tt.err {
				t.Errorf("%s %s %q", got.Args, got.Value, failed)
			}
			if got.Run != e.Run || got.Tool != "look" || got.File != "/w/a.tools.abl" || got.Environment != "dev" || got.Time == "" ||
				got.OK == nil || *got.OK != e.OK || got.Attempts != 1 || got.Session != (len(req.Session) > 0) {
				t.Errorf("%+v", got)
			}
		})
	}
}

// TestJournalBefore checks that a call that may change something is recorded before it is made.
func TestJournalBefore(t *testing.T) {
	dir := t.TempDir()
	var before []journal.Row
	r := &runner{run: func(context.Context, Call) (Result, error) {
		rows, _, err := journal.Read(JournalDir(dir), 0)
		before = rows
		return Result{}, err
	}}
	x := New(Options{Runners: map[tool.Kind]Runner{"test": r}, StateDir: dir})
	tl := reading(&spec{})
	tl.Hints.SideEffects = ""
	req := trusted(tl, "")
	req.Yes = true
	if e := x.Run(t.Context(), req); !e.OK || len(before) != 1 || before[0].OK != nil || before[0].Run != e.Run {
		t.Errorf("%+v %+v", e.Error, before)
	}
	if err := x.Close(); err != nil {
		t.Error(err)
	}
}

// TestJournalWithoutPlace checks that a run goes on with a warning if the journal cannot be
// written.
func TestJournalWithoutPlace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	x := New(Options{Runners: map[tool.Kind]Runner{"test": &runner{}}, StateDir: file})
	tl := reading(&spec{})
	tl.Revert = bound("undo")
	e := x.Run(t.Context(), trusted(tl, ""))
	if !e.OK || e.CanRevert || len(e.Warnings) != 1 || !strings.Contains(e.Warnings[0], "the journal of runs cannot be written") {
		t.Errorf("%+v %q", e.Error, e.Warnings)
	}
	if x.Close() == nil {
		t.Error("nothing is said of the row that was lost")
	}
}

func BenchmarkJournal(b *testing.B) {
	for name, dir := range map[string]string{"without": "", "with": b.TempDir()} {
		b.Run(name, func(b *testing.B) {
			x := New(Options{Runners: map[tool.Kind]Runner{"test": &runner{}}, StateDir: dir})
			req := trusted(reading(&spec{}, param("id", "string")), `{"id":"a"}`)
			for b.Loop() {
				if e := x.Run(b.Context(), req); !e.OK {
					b.Fatal(e.Error)
				}
			}
			x.Close()
		})
	}
}
