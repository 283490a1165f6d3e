package webhook_test

import (
	"context"
	"fmt"
	"net"
	nethttp "net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/journal"
	"github.com/abl-lsp/abl-lsp/executor/state"
	"github.com/abl-lsp/abl-lsp/tool"
)

func all(executor.PendingCall) bool { return true }

// leave begins a run whose process ends while it waits. It returns the callback URL.
func (d *fixture) leave(dir string, change func(*executor.Request)) (callback string) {
	d.t.Helper()
	x := newExecutor(d.t, dir)
	ctx, end := context.WithCancelCause(d.t.Context())
	done := make(chan executor.Envelope, 1)
	r := d.request(d.tool())
	r.Tool.Origin.File = "/w/reports.tools.abl"
	r.Environment.Name = "dev"
	change(&r)
	go func() { done <- x.Run(ctx, r) }()
	callback = receive(d.t, d.orders).callback
	end(executor.ErrEnding)
	wants(d.t, receive(d.t, done), executor.KindTimeout, "left-waiting")
	if err := x.Close(); err != nil {
		d.t.Error(err)
	}
	return callback
}

func asItIs(*executor.Request) {}

func claim(t *testing.T, x *executor.Executor, mine func(executor.PendingCall) bool) (claimed []executor.PendingCall, busy int) {
	t.Helper()
	claimed, busy, err := x.ClaimPending(t.Context(), mine)
	if err != nil {
		t.Fatal(err)
	}
	return claimed, busy
}

// TestLeftWaiting checks that the next process receives the callback at the same URL.
func TestLeftWaiting(t *testing.T) {
	d, dir := startFixture(t), t.TempDir()
	callback := d.leave(dir, func(r *executor.Request) { r.Args = []byte(`{"report_type":"confidential"}`) })
	kept, err := os.ReadFile(filepath.Join(dir, "state.db"))
	if err != nil || strings.Contains(string(kept), "confidential") {
		t.Error("arguments are kept", err)
	}
	if got := send(t, "POST", callback, report); got != 0 {
		t.Errorf("something still listens: %d", got)
	}
	rows := history(t, dir)
	if len(rows) != 1 || rows[0].OK != nil {
		t.Errorf("%+v", rows)
	}

	x := newExecutor(t, dir)
	if claimed, _ := claim(t, x, func(p executor.PendingCall) bool { return p.File != "/w/reports.tools.abl" }); len(claimed) > 0 {
		t.Errorf("%+v", claimed)
	}
	claimed, _ := claim(t, x, all)
	if len(claimed) != 1 || claimed[0].Tool != "generate_report" || claimed[0].Environment != "dev" || claimed[0].Fault != nil {
		t.Fatalf("%+v", claimed)
	}
	if again, busy := claim(t, x, all); len(again) > 0 || busy > 0 {
		t.Errorf("claimed twice: %+v", again)
	}
	other := newExecutor(t, dir)
	if again, busy := claim(t, other, all); len(again) > 0 || busy != 1 {
		t.Errorf("claimed by two: %+v, %d busy", again, busy)
	}
	// It may come before anybody asks for it.
	if got := send(t, "POST", callback, report); got != 204 {
		t.Errorf("%d", got)
	}
	r := d.request(d.tool())
	r.Tool.OnResult = &tool.Outcome{Set: tool.Assignments{{Name: "last", Expr: "result.status"}}}
	e := x.Resume(t.Context(), r, claimed[0])
	succeeds(t, e, report)
	if e.Run != claimed[0].Run || len(e.Set) != 1 {
		t.Errorf("%s %+v", e.Run, e.Set)
	}
	if claimed, busy := claim(t, other, all); len(claimed) > 0 || busy > 0 {
		t.Errorf("it is over: %+v", claimed)
	}
	if err := x.Close(); err != nil {
		t.Error(err)
	}
	if rows := history(t, dir); len(rows) != 1 || rows[0].OK == nil || !*rows[0].OK || string(rows[0].Args) != `{"report_type":"confidential"}` {
		t.Errorf("%+v", rows)
	}
}

func history(t *testing.T, dir string) []journal.Row {
	t.Helper()
	rows, unread, err := journal.Read(executor.JournalDir(dir), 0)
	if err != nil || unread > 0 {
		t.Fatal(err, unread)
	}
	return rows
}

// TestResumed checks that the result of a resumed call is checked against the tool, and that the
// sent secrets are removed from it.
func TestResumed(t *testing.T) {
	d := startFixture(t)
	for _, tt := range []struct {
		name, body string
		change     func(*executor.Request)
		value      string
		kind       executor.ErrorKind
	}{
		{"wrong type", `{"report_url":1}`, asItIs, `{"report_url":1}`, executor.KindResult},
		{"a secret", `{"report_url":"hunter2-hunter2","status":"x"}`, func(r *executor.Request) {
			r.Tool.Spec.(*tool.AsyncWebhook).Headers = map[string]string{"X-Key": "{{secrets.KEY}}", "X-Type": "{{report_type}}"}
			r.Secrets = map[string]string{"KEY": "hunter2-hunter2"}
		}, `{"report_url":"••••(KEY)","status":"x"}`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			callback := d.leave(dir, tt.change)
			x := newExecutor(t, dir)
			claimed, _ := claim(t, x, all)
			send(t, "POST", callback, tt.body)
			r := d.request(d.tool())
			tt.change(&r)
			e := x.Resume(t.Context(), r, claimed[0])
			if string(e.Value) != tt.value || e.OK != (tt.kind == "") || !e.OK && e.Error.Kind != tt.kind {
				t.Errorf("%s %+v", e.Value, e.Error)
			}
		})
	}
}

// TestNotLeft checks that nothing is left of a call that was cancelled, timed out or failed.
func TestNotLeft(t *testing.T) {
	d, dir := startFixture(t), t.TempDir()
	x := newExecutor(t, dir)
	for name, run := range map[string]func(executor.Request) executor.Envelope{
		"cancelled": func(r executor.Request) executor.Envelope {
			ctx, cancel := context.WithCancel(t.Context())
			go func() { receive(t, d.orders); cancel() }()
			return x.Run(ctx, r)
		},
		"callback-timeout": func(r executor.Request) executor.Envelope {
			r.Tool.Spec.(*tool.AsyncWebhook).TimeoutSeconds = "0.01"
			return x.Run(t.Context(), r)
		},
		"http-500": func(r executor.Request) executor.Envelope {
			d.status.Store(500)
			defer d.status.Store(0)
			return x.Run(t.Context(), r)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := d.request(d.tool())
			r.Tool.Origin.File = "/w/a.tools.abl"
			if e := run(r); e.Error == nil || e.Error.Code != name {
				t.Errorf("%s: %+v", name, e.Error)
			}
			if claimed, busy := claim(t, newExecutor(t, dir), all); len(claimed) > 0 || busy > 0 {
				t.Errorf("%s: %+v", name, claimed)
			}
		})
	}
}

// TestExpired checks that expired entries are deleted.
func TestExpired(t *testing.T) {
	dir := t.TempDir()
	store := state.New(dir)
	if err := store.Put(t.Context(), "callbacks", "run", map[string]any{"tool": "t", "ends": time.Now().Add(-time.Second)}, state.Forever); err != nil {
		t.Fatal(err)
	}
	if claimed, busy := claim(t, newExecutor(t, dir), all); len(claimed) > 0 || busy > 0 {
		t.Errorf("%+v", claimed)
	}
	if ok, err := store.Get(t.Context(), "callbacks", "run", &struct{}{}); ok || err != nil {
		t.Error("it is still there", err)
	}
}

// TestPortTaken checks that the error says that the callback cannot arrive.
func TestPortTaken(t *testing.T) {
	d, dir := startFixture(t), t.TempDir()
	callback := d.leave(dir, asItIs)
	address, _, _ := strings.Cut(strings.TrimPrefix(callback, "http://"), "/")
	l, err := net.Listen("tcp4", address)
	if err != nil {
		t.Fatal(err)
	}
	other := &nethttp.Server{Handler: nethttp.NotFoundHandler()}
	go other.Serve(l)
	x := newExecutor(t, dir)
	claimed, busy := claim(t, x, all)
	if len(claimed) != 1 || claimed[0].Fault == nil || !strings.Contains(claimed[0].Fault.Error(), "port") || busy > 0 {
		t.Errorf("%+v", claimed)
	}
	other.Close()
	if claimed, _ := claim(t, x, all); len(claimed) != 1 || claimed[0].Fault != nil {
		t.Errorf("the port is free again: %+v", claimed)
	}
}

// TestNoStore checks that a run works without a store.
func TestNoStore(t *testing.T) {
	d, dir := startFixture(t), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "state.db"), []byte(strings.Repeat("no database ", 2000)), 0o600); err != nil {
		t.Fatal(err)
	}
	x := newExecutor(t, dir)
	r := d.request(d.tool())
	r.Tool.Origin.File = "/w/a.tools.abl"
	done := make(chan executor.Envelope, 1)
	go func() { done <- x.Run(t.Context(), r) }()
	send(t, "POST", receive(t, d.orders).callback, report)
	e := receive(t, done)
	succeeds(t, e, report)
	if !has(e.Warnings, "would not outlive this program") {
		t.Error(fmt.Sprint(e.Warnings))
	}
	if _, _, err := x.ClaimPending(t.Context(), all); err == nil {
		t.Error("nothing is said of the store")
	}
}
