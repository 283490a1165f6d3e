package executor

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor/journal"
	"github.com/abl-lsp/abl-lsp/tool"
)

// revertFixture makes and reverts runs of one tool.
type revertFixture struct {
	*Executor
	t     *testing.T
	dir   string
	calls []string
	tool  *tool.Tool
}

func newRevertFixture(t *testing.T, revert *tool.Step) *revertFixture {
	d := &revertFixture{t: t, dir: t.TempDir(), tool: reading(&spec{Text: "put"}, param("id", "string"))}
	d.tool.Name, d.tool.Revert, d.tool.Hints.SideEffects = "put", revert, ""
	k := &reacher{runner: *notes(&d.calls), reach: Reach{Receiver: "notes"}}
	d.Executor = New(Options{Runners: map[tool.Kind]Runner{"test": k}, StateDir: d.dir, LookupEnv: func(name string) (string, bool) { return "v-" + name, name != "NONE" }})
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func (d *revertFixture) request(args string) Request {
	r := trusted(d.tool, args)
	r.Yes = true
	return r
}

func (d *revertFixture) put(id string) string {
	d.t.Helper()
	e := d.Run(d.t.Context(), d.request(`{"id": "`+id+`"}`))
	return e.Run
}

func (d *revertFixture) undo(run string) Envelope { return d.Revert(d.t.Context(), d.request(""), run) }

func (d *revertFixture) last() string { return d.calls[len(d.calls)-1] }

func (d *revertFixture) rows() map[string]journal.Row {
	d.t.Helper()
	rows, err := d.journal.Rows()
	if err != nil {
		d.t.Fatal(err)
	}
	out := map[string]journal.Row{}
	for _, r := range rows {
		out[r.Run] = r
	}
	return out
}

func TestRevert(t *testing.T) {
	for _, tt := range []struct {
		name   string
		revert *tool.Step
		want   string // the call
	}{
		{"a binding", bound("undo {{result.id}} {{args.id}} {{id}}"), `undo 7 a a {"id":"a"}`},
		{"with arguments of its own", bound("undo", tool.Assignment{Name: "number", Expr: "result.id + 1"}), `undo {"number":8}`},
		{"with none", &tool.Step{Kind: "test", Spec: &spec{Text: "undo"}, Args: tool.Assignments{}}, `undo {}`},
		{"an expression", &tool.Step{Expr: `{id: "not " + args.id}`}, `put {"id":"not a"}`},
		{"with a secret", bound("undo {{secrets.TOKEN}}"), `undo v-TOKEN {"id":"a"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newRevertFixture(t, tt.revert)
			run := d.put("a")
			e := d.undo(run)
			if !e.OK || d.last() != tt.want || e.Tool != "put" {
				t.Fatalf("%q, %+v", d.last(), e.Error)
			}
			rows := d.rows()
			if r := rows[e.Run]; r.Reverts != run || r.OK == nil || !*r.OK || !rows[run].CanRevert || len(rows) != 2 {
				t.Errorf("%+v", rows)
			}
			if strings.Contains(string(encode(e)), "v-TOKEN") {
				t.Errorf("%s", encode(e))
			}
			again := d.undo(run)
			if kindOf(again) != KindDenied || again.Error.Message != run+" was reverted already, by "+e.Run {
				t.Errorf("%+v", again.Error)
			}
			if of := d.undo(e.Run); kindOf(of) != KindDenied || of.Error.Message != e.Run+" is itself the revert of "+run {
				t.Errorf("%+v", of.Error)
			}
			if len(d.calls) != 2 {
				t.Errorf("%q", d.calls)
			}
		})
	}
}

func TestRevertIsConfirmed(t *testing.T) {
	d := newRevertFixture(t, bound("undo {{result.id}}"))
	d.tool.Confirmation = &tool.Confirmation{Require: "never"}
	run := d.put("a")
	req := d.request("")
	req.Yes = false
	e := d.Revert(t.Context(), req, run)
	if e.Needs == nil || e.Needs.Confirmation == nil || !strings.Contains(e.Needs.Confirmation.Summary, run) || len(d.calls) != 1 {
		t.Fatalf("%+v", e)
	}
	other := d.put("b")
	req.Confirm = e.Needs.Confirmation.Digest
	if e := d.Revert(t.Context(), req, other); e.Needs == nil {
		t.Errorf("the confirmation of one run is good for another: %+v", e.Error)
	}
	if len(d.rows()) != 2 {
		t.Error("what was only asked for is in the journal")
	}
	d.undo(other)
	if e := d.Revert(t.Context(), req, run); !e.OK {
		t.Errorf("%+v", e.Error)
	}
}

func TestTheNewestIsRevertedFirst(t *testing.T) {
	d := newRevertFixture(t, bound("undo {{id}}"))
	first, second := d.put("a"), d.put("b")
	elsewhere := d.request(`{"id": "c"}`)
	elsewhere.Environment.Name = "prod"
	d.Run(t.Context(), elsewhere)
	d.tool.Version = "2"
	d.put("d") // is another tool
	d.tool.Version = ""
	e := d.undo(first)
	if kindOf(e) != KindDenied || e.Error.Code != "revert-order" || !strings.HasSuffix(e.Error.Message, ": "+second) {
		t.Fatalf("%+v", e.Error)
	}
	for _, run := range []string{second, first} {
		if e := d.undo(run); !e.OK {
			t.Errorf("%+v", e.Error)
		}
	}
}

// TestAnswerOfAnotherType checks that a call whose answer was of the wrong type can be reverted,
// and must be reverted first.
func TestAnswerOfAnotherType(t *testing.T) {
	d := newRevertFixture(t, bound("undo {{id}}"))
	first := d.put("a")
	returns := d.tool.Returns
	d.tool.Returns = &tool.Type{Name: "number"}
	second := d.Run(t.Context(), d.request(`{"id": "b"}`))
	d.tool.Returns = returns
	if kindOf(second) != KindResult || !second.CanRevert {
		t.Fatalf("%+v", second)
	}
	if e := d.undo(first); kindOf(e) != KindDenied || e.Error.Code != "revert-order" {
		t.Fatalf("%+v", e.Error)
	}
	for _, run := range []string{second.Run, first} {
		if e := d.undo(run); !e.OK {
			t.Errorf("%+v", e.Error)
		}
	}
}

func TestWhatCannotBeReverted(t *testing.T) {
	for _, tt := range []struct {
		name    string
		prepare func(*revertFixture) string // gives the run
		kind    ErrorKind
		part    string
	}{
		{"no such run", func(*revertFixture) string { return "20260101T000000.000000Z-00000000" }, KindArguments, "the journal has no run"},
		{"no revert", func(d *revertFixture) string { d.tool.Revert = nil; return d.put("a") }, KindDefinition, "put has no `revert`"},
		{"a failure", func(d *revertFixture) string { d.tool.Spec = &spec{Text: "down"}; return d.put("a") }, KindDenied, "failed, so there is nothing to revert"},
		{"another environment", func(d *revertFixture) string {
			r := d.request(`{"id": "a"}`)
			r.Environment.Name = "dev"
			return d.Run(d.t.Context(), r).Run
		}, KindDefinition, "the run was in dev, and this would be in no environment"},
		{"masked arguments", func(d *revertFixture) string { d.tool.PIIAccess = "user"; return d.put("a") }, KindDenied, "does not have its arguments: the tool says pii_access: user"},
		{"long arguments", func(d *revertFixture) string { return d.put(strings.Repeat("a", 20<<10)) }, KindDenied, "does not have its arguments: they are too long"},
		{"a secret among the arguments", func(d *revertFixture) string {
			d.tool.Spec = &spec{Text: "put {{secrets.TOKEN}}"}
			return d.put("v-TOKEN")
		}, KindDenied, "does not have its arguments: a secret was among them"},
		{"no result", func(d *revertFixture) string { d.tool.StoreResult = "false"; return d.put("a") }, KindDenied, "does not have its result: the tool says store_result: false"},
		{"no result for an expression", func(d *revertFixture) string {
			d.tool.StoreResult, d.tool.Revert = "false", &tool.Step{Expr: "{id: result.id}"}
			return d.put("a")
		}, KindDenied, "does not have its result: the tool says store_result: false"},
		{"a secret in the result", func(d *revertFixture) string {
			d.tool.Spec, d.tool.Revert = &spec{Text: "put {{secrets.TOKEN}}"}, bound("undo {{result.text}}")
			return d.put("a")
		}, KindDenied, "does not have result.text: a secret is in it"},
		{"an expression that gives no arguments", func(d *revertFixture) string { d.tool.Revert = &tool.Step{Expr: "args.id"}; return d.put("a") }, KindDefinition, "and this one gives \"a\""},
		{"an expression that gives none", func(d *revertFixture) string {
			d.tool.Revert = &tool.Step{Expr: "{id: result.none}"}
			return d.put("a")
		}, KindDefinition, "revert gives no id, which put needs: {id: result.none}"},
		{"an expression that gives wrong ones", func(d *revertFixture) string { d.tool.Revert = &tool.Step{Expr: "{id: 7}"}; return d.put("a") }, KindArguments, "id: must be a string, not 7"},
		{"blocked", func(d *revertFixture) string { run := d.put("a"); d.tool.RiskLevel = "blocked"; return run }, KindDenied, "put is blocked"},
		{"not allowed", func(d *revertFixture) string {
			run := d.put("a")
			d.tool.Permissions = permissions("a:b:c")
			return run
		}, KindNeeds, "put must be allowed a:b:c"},
		{"a secret that is missing", func(d *revertFixture) string {
			run := d.put("a")
			d.tool.Revert = bound("undo {{secrets.NONE}}")
			return run
		}, KindNeeds, "the secret NONE"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newRevertFixture(t, bound("undo {{result.id}}"))
			run := tt.prepare(d)
			before, calls := len(d.rows()), len(d.calls)
			e := d.undo(run)
			if kindOf(e) != tt.kind || !strings.Contains(e.Error.Message, tt.part) {
				t.Errorf("%+v", e.Error)
			}
			if len(d.rows()) != before || len(d.calls) != calls {
				t.Errorf("something was done: %q", d.calls[calls:])
			}
		})
	}
}

// TestARunTellsWhetherItCanBeReverted checks that a run warns if the journal will lack a value that
// its revert needs, and that a secret matters only if the revert reads the part that holds it.
func TestARunTellsWhetherItCanBeReverted(t *testing.T) {
	for _, tt := range []struct {
		revert  *tool.Step
		change  func(*tool.Tool)
		warning string // "": it can be
	}{
		{bound("undo {{result.id}} {result.id}"), nil, ""},
		{bound("undo {{args.id}}"), func(t *tool.Tool) { t.StoreResult = "false" }, ""},
		{bound("undo", tool.Assignment{Name: "result", Expr: "args.id"}), func(t *tool.Tool) { t.StoreResult = "false" }, ""},
		{&tool.Step{Expr: "{id: args.result ?? args.id}"}, func(t *tool.Tool) { t.StoreResult = "false" }, ""},
		{&tool.Step{Expr: "{id: string(result.id)}"}, nil, ""},
		{bound("undo {{ result.text }}"), nil, "result.text: a secret is in it"},
		{bound("undo {result.text}"), nil, "result.text: a secret is in it"},
		{&tool.Step{Expr: "{id: result.text.upper()}"}, nil, "result.text.upper: a secret is in it"},
		{&tool.Step{Expr: "{id: result?.text}"}, nil, "result: a secret is in it"},
		{&tool.Step{Expr: `{id: $env["res" + "ult"].text}`}, nil, "result: a secret is in it"},
		{&tool.Step{Expr: "let r = result; {id: r.text}"}, nil, "result: a secret is in it"},
		{bound("undo", tool.Assignment{Name: "all", Expr: "keys(result)"}), nil, "result: a secret is in it"},
		{bound("undo {{result.id}}"), func(t *tool.Tool) { t.StoreResult = "false" }, "its result: the tool says store_result: false"},
		{bound("undo"), func(t *tool.Tool) { t.PIIAccess = "user" }, "its arguments: the tool says pii_access: user"},
	} {
		t.Run(tt.warning, func(t *testing.T) {
			d := newRevertFixture(t, tt.revert)
			d.tool.Spec = &spec{Text: "put {{secrets.TOKEN}}"}
			if tt.change != nil {
				tt.change(d.tool)
			}
			e := d.Run(t.Context(), d.request(`{"id": "a"}`))
			want := ""
			if tt.warning != "" {
				want = e.Run + " cannot be reverted: the journal does not have " + tt.warning
			}
			row := d.rows()[e.Run]
			if got := strings.Join(e.Warnings, "; "); !strings.HasPrefix(got, want) || want == "" && got != "" || e.CanRevert != (want == "") || IsRevertible(row) != e.CanRevert {
				t.Errorf("%+v: %q, want %q; %v, %v", tt.revert, got, want, e.CanRevert, row.CanRevert)
			}
			if undone := d.undo(e.Run); undone.OK != e.CanRevert {
				t.Errorf("%+v: it says %v, and: %+v", tt.revert, e.CanRevert, undone.Error)
			}
		})
	}
}

// TestWhatDidNotHoldIsReverted checks that a run whose verification failed can be reverted, since
// it was made.
func TestWhatDidNotHoldIsReverted(t *testing.T) {
	d := newRevertFixture(t, bound("undo {{result.id}}"))
	d.tool.Verify = &tool.Step{Expr: "result.id == 8"}
	put := d.Run(t.Context(), d.request(`{"id": "a"}`))
	if put.OK || !strings.Contains(put.Error.Hint, put.Run) {
		t.Fatalf("%+v", put.Error)
	}
	if e := d.undo(put.Run); !e.OK || d.last() != `undo 7 {"id":"a"}` || e.Verified != nil {
		t.Errorf("%q %+v", d.last(), e.Error)
	}
}

// TestARevertThatFailsIsTriedAgain checks that a failed revert can be repeated, but not one whose
// outcome is not known.
func TestARevertThatFailsIsTriedAgain(t *testing.T) {
	d := newRevertFixture(t, bound("down"))
	run := d.put("a")
	if e := d.undo(run); kindOf(e) != KindNetwork {
		t.Fatalf("%+v", e.Error)
	}
	d.tool.Revert = bound("undo")
	if err := d.journal.Begin(journal.Row{Run: "29990101T000000.000000Z-00000000", Tool: "put", Reverts: run}); err != nil {
		t.Fatal(err)
	}
	if e := d.undo(run); kindOf(e) != KindDenied || !strings.Contains(e.Error.Message, "how that ended is not known") {
		t.Errorf("%+v", e.Error)
	}
}

// TestOneRevertOfMany checks that only one of several concurrent reverts of a run is made, even in
// several processes.
func TestOneRevertOfMany(t *testing.T) {
	var mu sync.Mutex
	undone := 0
	k := &runner{run: func(_ context.Context, call Call) (Result, error) {
		mu.Lock()
		defer mu.Unlock()
		if call.Tool.Spec.(*spec).Text == "undo" {
			undone++
		}
		return Result{Value: encode(1)}, nil
	}}
	d := newRevertFixture(t, bound("undo"))
	var processes []*Executor
	for range 4 {
		processes = append(processes, New(Options{Runners: map[tool.Kind]Runner{"test": k}, StateDir: d.dir}))
	}
	run := processes[0].Run(t.Context(), d.request(`{"id": "a"}`)).Run
	if _, err := processes[0].journal.Rows(); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for _, x := range processes {
		for range 4 {
			all.Go(func() {
				if e := x.Revert(t.Context(), d.request(""), run); !e.OK && kindOf(e) != KindDenied {
					t.Errorf("%+v", e.Error)
				}
			})
		}
	}
	all.Wait()
	for _, x := range processes {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	}
	if undone != 1 {
		t.Errorf("undone %d times", undone)
	}
}

func TestRevertWithoutAJournal(t *testing.T) {
	k := &runner{}
	tl := reading(&spec{})
	tl.Revert = bound("undo")
	if e := k.executor().Revert(t.Context(), trusted(tl, ""), "x"); kindOf(e) != KindDenied || e.Error.Code != "journal" {
		t.Errorf("%+v", e.Error)
	}
	req := trusted(tl, "")
	req.Trusted = false
	if e := k.executor().Revert(t.Context(), req, "x"); e.Needs == nil || !e.Needs.Trust {
		t.Errorf("%+v", e.Error)
	}
}

// TestRevertAfterAFault checks that a short failure of the journal does not block later reverts.
func TestRevertAfterAFault(t *testing.T) {
	d := newRevertFixture(t, bound("undo {{result.id}}"))
	run := d.put("a")
	if err := d.journal.Close(); err != nil {
		t.Fatal(err)
	}
	dir, aside := JournalDir(d.dir), filepath.Join(d.dir, "aside")
	for _, err := range []error{os.Rename(dir, aside), os.WriteFile(dir, nil, 0o600)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	d.journal.End(journal.Row{Run: "lost"})
	_, _ = d.journal.Rows() // waits until that has failed
	for _, err := range []error{os.Remove(dir), os.Rename(aside, dir)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if e := d.undo(run); kindOf(e) != KindDenied || e.Error.Code != "journal" {
		t.Fatalf("%+v", e.Error)
	}
	if e := d.undo(run); !e.OK || d.last() != `undo 7 {"id":"a"}` {
		t.Errorf("%+v, %q", e.Error, d.calls)
	}
}

// TestUnrepeatable checks that a call whose arguments the journal has changed cannot be repeated.
func TestUnrepeatable(t *testing.T) {
	for _, tt := range []struct {
		name string
		row  PastRun
		want string
	}{
		{"as it was", PastRun{Args: []byte(`{"a":"🛫"}`)}, ""},
		{"no arguments", PastRun{}, ""},
		{"an undoing", PastRun{Reverts: "r1"}, "it undid the run r1"},
		{"personal", PastRun{PIIAccess: "user", Args: []byte(`{"a":"••••(pii)"}`)}, "pii_access: user"},
		{"a secret", PastRun{Args: []byte(`{"a":"••••(TOKEN)"}`)}, "a secret"},
		{"with a session", PastRun{Session: true}, "session variables"},
		{"too long", PastRun{Cut: &journal.Cut{Args: 9}}, "too long"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := WhyNotRepeatable(tt.row); !strings.Contains(got, tt.want) || (got == "") != (tt.want == "") {
				t.Errorf("%s: %q", tt.name, got)
			}
		})
	}
}
