package lsp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	exechttp "github.com/abl-lsp/abl-lsp/executor/http"
	"github.com/abl-lsp/abl-lsp/executor/rest"
	"github.com/abl-lsp/abl-lsp/executor/state"
	"github.com/abl-lsp/abl-lsp/lsp"
	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
	"github.com/abl-lsp/abl-lsp/tool"
)

const notesText = `{"tools": [
  {"name": "put_note", "version": "1", "description": "Was 🗒️", "binding": {"type": "http", "method": "GET", "endpoint": "API/old"}},
  {"name": "put_note", "version": "2", "description": "Writes a note 📝",
   "permissions": ["notes:write:{{id}}"],
   "parameters": {"id": {"type": "string"}},
   "binding": {"type": "http", "method": "PUT", "endpoint": "API/notes/{id}"},
   "verify": "result.id == args.id",
   "revert": {"type": "http", "method": "DELETE", "endpoint": "API/notes/{{result.id}}", "headers": {"Authorization": "Bearer {{secrets.NOTES}}"}}}
]}`

// notesClient is a session with a file of Nao's tools.
type notesClient struct {
	*lsptest.Client
	t    *testing.T
	file uri.URI
	mu   sync.Mutex
	log  []string // what the server of notes was asked
}

func openNotes(t *testing.T, options string) *notesClient {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := &notesClient{t: t, file: uri.File(filepath.Join(dir, "notes.tools.json"))}
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.mu.Lock()
		d.log = append(d.log, r.Method+" "+r.URL.RequestURI()+" "+r.Header.Get("Authorization"))
		d.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id": %q}`, filepath.Base(r.URL.Path))
	}))
	t.Cleanup(api.Close)
	if err := os.WriteFile(filepath.Join(dir, "notes.tools.json"), []byte(strings.ReplaceAll(notesText, "API", api.URL)), 0o600); err != nil {
		t.Fatal(err)
	}
	kept := t.TempDir()
	d.Client = lsptest.Start(t, func(ctx context.Context, in io.Reader, out io.Writer) error {
		x := executor.New(executor.Options{
			Runners:   map[tool.Kind]executor.Runner{tool.KindHTTP: exechttp.New(rest.Options{Dialer: dial.New(dial.Options{})})},
			LookupEnv: func(name string) (string, bool) { return "hunter22", name == "NOTES" },
			StateDir:  kept,
		})
		defer x.Close()
		return lsp.Serve(ctx, lsp.Options{In: in, Out: out, Executor: x, State: state.New(kept)})
	})
	d.Initialize(lsptest.WithFolders(dir), lsptest.WithOptions(options))
	return d
}

type notesEnvelope struct {
	envelope
	Run       string `json:"run"`
	Tool      string `json:"tool"`
	Verified  *bool  `json:"verified"`
	CanRevert bool   `json:"can_revert"`
}

func (d *notesClient) execute(command, argument string) (e notesEnvelope) {
	d.t.Helper()
	var raw protocol.LSPAny
	pending := d.Start(protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{
		Command: command, Arguments: []protocol.LSPAny{protocol.LSPAny(argument)},
	})
	if err := pending.Wait(&raw); err != nil {
		d.t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &e); err != nil {
		d.t.Fatalf("%s: %v", raw, err)
	}
	return e
}

// confirmed executes a command, and then again with the digest that the answer asks for.
func (d *notesClient) confirmed(command, argument string) notesEnvelope {
	d.t.Helper()
	e := d.execute(command, argument+"}")
	if e.Needs == nil || e.Needs.Confirmation == nil {
		d.t.Fatalf("%+v %+v", e.Error, e.Needs)
	}
	return d.execute(command, argument+fmt.Sprintf(`,"confirm":%q}`, e.Needs.Confirmation.Digest))
}

const notesGrant = `"grant":[{"kind":"notes","op":"write","resource":"a"},{"kind":"secret","op":"send","resource":"NOTES 127.0.0.1"}]`

// TestRevert runs a tool, verifies the run, and reverts it.
func TestRevert(t *testing.T) {
	d := openNotes(t, `{"trusted":true,"allowHosts":["127.0.0.1"]}`)
	put := fmt.Sprintf(`{"uri":%q,"tool":"put_note","version":"2","args":{"id":"a"}`, d.file)
	if e := d.execute("abl.run", put+"}"); e.Needs == nil || len(e.Needs.Permission) != 1 {
		t.Fatalf("%+v", e.Error)
	}
	e := d.confirmed("abl.run", put+","+notesGrant)
	if !e.OK || e.Verified == nil || !*e.Verified || !e.CanRevert {
		t.Fatalf("%+v %+v", e, e.Error)
	}
	undo := fmt.Sprintf(`{"run":%q`, e.Run)
	if e := d.execute("abl.revert", undo+"}"); e.Needs == nil || len(e.Needs.Permission) != 1 || e.Needs.Permission[0].Kind != "notes" {
		t.Errorf("%+v", e.Error)
	}
	undone := d.confirmed("abl.revert", undo+","+notesGrant)
	if !undone.OK || undone.CanRevert || undone.Tool != "put_note" {
		t.Errorf("%+v", undone.Error)
	}
	if again := d.execute("abl.revert", undo+"}"); again.Error == nil || again.Error.Kind != "denied" || again.Error.Code != "reverted" {
		t.Errorf("%+v", again.Error)
	}
	if got, want := strings.Join(d.log, "; "), "PUT /notes/a ; DELETE /notes/a Bearer hunter22"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if e := d.execute("abl.revert", `{"run":"none"}`); e.Error == nil || e.Error.Code != "no-such-run" {
		t.Errorf("%+v", e.Error)
	}
	if e := d.execute("abl.run", fmt.Sprintf(`{"uri":%q,"tool":"put_note"}`, d.file)); !e.OK || d.log[2] != "GET /old " {
		t.Errorf("without a version any is meant: %q %+v", d.log, e.Error)
	}
}

// TestRevertInNoEnvironment checks that a run has no environment if its project does not
// have the one chosen for other projects, and that it is reverted without one.
func TestRevertInNoEnvironment(t *testing.T) {
	d := openNotes(t, `{"trusted":true,"allowHosts":["127.0.0.1"],"environment":"prod"}`)
	e := d.confirmed("abl.run", fmt.Sprintf(`{"uri":%q,"tool":"put_note","version":"2","args":{"id":"a"},%s`, d.file, notesGrant))
	if !e.OK || e.Environment != "" {
		t.Fatalf("%+v %+v", e, e.Error)
	}
	undone := d.confirmed("abl.revert", fmt.Sprintf(`{"run":%q,%s`, e.Run, notesGrant))
	if !undone.OK {
		t.Errorf("%+v", undone.Error)
	}
}

// TestRevertWantsTrust checks that a run of the journal is reverted only if the person
// trusts the folder.
func TestRevertWantsTrust(t *testing.T) {
	d := openNotes(t, `{"trusted":true,"allowHosts":["127.0.0.1"]}`)
	put := fmt.Sprintf(`{"uri":%q,"tool":"put_note","version":"2","args":{"id":"a"},%s`, d.file, notesGrant)
	run := d.confirmed("abl.run", put).Run
	err := d.Call(protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{
		Command: "abl.trust", Arguments: []protocol.LSPAny{protocol.LSPAny(`{"trusted":false}`)},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	e := d.execute("abl.revert", fmt.Sprintf(`{"run":%q}`, run))
	if e.Needs == nil || !e.Needs.Trust || len(d.log) != 1 {
		t.Errorf("%q %+v", d.log, e.Error)
	}
}

// TestHistory checks that runs are listed with what is needed to repeat or revert them.
func TestHistory(t *testing.T) {
	d := openNotes(t, `{"trusted":true,"allowHosts":["127.0.0.1"]}`)
	put := fmt.Sprintf(`{"uri":%q,"tool":"put_note","version":"2","args":{"id":"a"},%s`, d.file, notesGrant)
	first := d.confirmed("abl.run", put).Run
	second := d.confirmed("abl.run", put).Run
	undo := d.confirmed("abl.revert", fmt.Sprintf(`{"run":%q,%s`, second, notesGrant)).Run
	type row struct {
		Run, Tool, Version, Reverts string
		URI                         uri.URI
		Args                        map[string]string
		OK                          *bool
		RevertedBy                  string `json:"reverted_by"`
		Revertible                  bool
		Unrepeatable                string
	}
	list := func(argument string) (all []row) {
		t.Helper()
		var raw protocol.LSPAny
		err := d.Start(protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{
			Command: "abl.history", Arguments: []protocol.LSPAny{protocol.LSPAny(argument)},
		}).Wait(&raw)
		if err != nil || json.Unmarshal(raw, &all) != nil || all == nil {
			t.Fatalf("%s %v", raw, err)
		}
		return all
	}
	all := list(`{}`)
	if len(all) != 3 || all[0].Run != undo || all[0].Reverts != second || all[1].RevertedBy != undo || all[1].Revertible || !all[2].Revertible {
		t.Fatalf("%+v", all)
	}
	if all[0].Unrepeatable != "it undid the run "+second || all[1].Unrepeatable != "" {
		t.Errorf("%q, %q", all[0].Unrepeatable, all[1].Unrepeatable)
	}
	if all[0].Args == nil {
		t.Errorf("no arguments are null: %+v", all[0])
	}
	if r := all[2]; r.Run != first || r.URI != d.file || r.Args["id"] != "a" || r.Version != "2" || r.OK == nil || !*r.OK {
		t.Errorf("%+v", r)
	}
	for name, tt := range map[string]struct {
		argument string
		want     int
	}{
		"the latest":               {`{"limit":2}`, 2},
		"of a tool":                {`{"tool":"put_note"}`, 3},
		"of a version, the latest": {`{"tool":"put_note@2","limit":1}`, 1},
		"of another tool":          {`{"tool":"other"}`, 0},
		"of a folder":              {fmt.Sprintf(`{"folder":%q}`, uri.File(filepath.Dir(d.file.FsPath()))), 3},
		"of another folder":        {fmt.Sprintf(`{"folder":%q}`, d.file+"x"), 0},
		"failed":                   {`{"failed":true}`, 0},
		"with an outcome":          {`{"outcome":"ok"}`, 3},
		"of a file":                {fmt.Sprintf(`{"uri":%q}`, d.file), 3},
		"of another file":          {fmt.Sprintf(`{"uri":%q}`, d.file+"x"), 0},
	} {
		t.Run(name, func(t *testing.T) {
			if got := list(tt.argument); len(got) != tt.want {
				t.Errorf("%s: %d, want %d", tt.argument, len(got), tt.want)
			}
		})
	}
	d.checkPastRuns(first, undo)
	here := func(when string, want int) {
		t.Helper()
		if got := list(`{"here":true,"limit":10}`); len(got) != want {
			t.Errorf("%s: %d, want %d", when, len(got), want)
		}
	}
	here("in its folder", 3)
	folder := func(path string) []protocol.WorkspaceFolder { return []protocol.WorkspaceFolder{{URI: uri.File(path)}} }
	d.Notify(protocol.MethodWorkspaceDidChangeWorkspaceFolders, &protocol.DidChangeWorkspaceFoldersParams{
		Event: protocol.WorkspaceFoldersChangeEvent{Removed: folder(filepath.Dir(d.file.FsPath())), Added: folder(t.TempDir())},
	})
	here("in another one", 0)
	d.Open(d.file, notesText)
	here("its file is open", 3)
	d.Close(d.file)
	here("and closed", 0)
}

// checkPastRuns compares two runs by abl.history, and plots all.
func (d *notesClient) checkPastRuns(first, second string) {
	t := d.t
	t.Helper()
	ask := func(argument string) (raw protocol.LSPAny, err error) {
		return raw, d.Start(protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{
			Command: "abl.history", Arguments: []protocol.LSPAny{protocol.LSPAny(argument)},
		}).Wait(&raw)
	}
	raw, err := ask(fmt.Sprintf(`{"as":"comparison","runs":[%q,%q]}`, second, first))
	var compared struct {
		Older, Newer struct{ Run string }
		Differences  []struct{ Path string }
		Texts        []string
	}
	if err != nil || json.Unmarshal(raw, &compared) != nil {
		t.Fatalf("%s %v", raw, err)
	}
	if compared.Older.Run != first || compared.Newer.Run != second || len(compared.Differences) == 0 || compared.Differences[0].Path != "reverts" || len(compared.Texts) != 2 || !strings.HasPrefix(compared.Texts[0], "outcome: ok (") {
		t.Errorf("%s", raw)
	}
	raw, err = ask(`{"as":"plot","width":50,"tool":"put_note"}`)
	var plotted struct {
		Series []struct{ Runs, Failed int }
		Text   string
	}
	if err != nil || json.Unmarshal(raw, &plotted) != nil || len(plotted.Series) != 2 || plotted.Series[0].Runs != 2 || !strings.HasPrefix(plotted.Text, "put_note  ") {
		t.Errorf("%s %v", raw, err)
	}
	for _, argument := range []string{`{"as":"x"}`, `{"as":"comparison"}`, `{"as":"comparison","runs":["a","b"]}`} {
		if raw, err := ask(argument); err == nil {
			t.Errorf("%s: %s", argument, raw)
		}
	}
}
