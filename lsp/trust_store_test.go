package lsp_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

func supportTrustQuestion(p *protocol.InitializeParams) {
	lsptest.WithOptions(`{"allowHosts":["127.0.0.1"]}`)(p)
}

// answerTrustQuestion sets the client's answer to the question about trust. With "" it
// gives no answer.
func (w *workspace) answerTrustQuestion(title string) {
	w.Answer(protocol.MethodWindowShowMessageRequest, func(jsonrpc2.RawMessage) (any, error) {
		if title == "" {
			return nil, nil
		}
		return protocol.MessageActionItem{Title: title}, nil
	})
}

func (w *workspace) trust(trusted string) {
	w.t.Helper()
	w.ask(protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{
		Command: "abl.trust", Arguments: []protocol.LSPAny{protocol.LSPAny(`{"trusted":` + trusted + `}`)},
	}, nil)
}

// wantRun checks whether a tool is run, and how many questions about trust were asked in
// this session.
func (w *workspace) wantRun(ok bool, asked int) {
	w.t.Helper()
	if e := w.run("get_thing", `,"args":{"id":"1"}`); e.OK != ok || !ok && (e.Needs == nil || !e.Needs.Trust) {
		w.t.Errorf("run = %v %+v", e.OK, e.Error)
	}
	if n := len(w.Messages(protocol.MethodWindowShowMessageRequest)); n != asked {
		w.t.Errorf("asked %d times, want %d", n, asked)
	}
}

// TestTrustIsRemembered checks that trust is stored by folder, and used unless the
// client's settings decide it.
func TestTrustIsRemembered(t *testing.T) {
	w := openWorkspace(t, supportTrustQuestion)
	w.answerTrustQuestion("") // which is no answer
	w.wantRun(false, 1)
	w.restart(supportTrustQuestion)
	w.answerTrustQuestion("Trust")
	w.wantRun(true, 1)
	w.restart(supportTrustQuestion)
	w.wantRun(true, 0)
	w.restart(lsptest.WithOptions(`{"trusted":false,"allowHosts":["127.0.0.1"]}`))
	w.wantRun(false, 0)
	w.restart(supportTrustQuestion)
	w.wantRun(true, 0)
	w.trust("false")
	w.restart(supportTrustQuestion)
	w.wantRun(false, 0)
	w.trust("true")
	w.restart(supportTrustQuestion)
	w.wantRun(true, 0)

	// A folder without an answer is not trusted.
	w.restart(supportTrustQuestion, lsptest.WithFolders(w.dir, t.TempDir()))
	w.answerTrustQuestion("Do not trust")
	w.wantRun(false, 1)
	w.restart(supportTrustQuestion)
	w.wantRun(false, 0)
}

// changeFolders adds folders to the workspace and removes others.
func (w *workspace) changeFolders(added, removed []string) {
	w.t.Helper()
	all := func(paths []string) (folders []protocol.WorkspaceFolder) {
		for _, path := range paths {
			folders = append(folders, protocol.WorkspaceFolder{URI: uri.File(path), Name: filepath.Base(path)})
		}
		return folders
	}
	w.Notify(protocol.MethodWorkspaceDidChangeWorkspaceFolders, &protocol.DidChangeWorkspaceFoldersParams{
		Event: protocol.WorkspaceFoldersChangeEvent{Added: all(added), Removed: all(removed)},
	})
}

// TestTrustIsOfItsFolders checks that neither a folder that the editor adds nor the
// parent of a trusted folder is trusted because others are.
func TestTrustIsOfItsFolders(t *testing.T) {
	w := openWorkspace(t, supportTrustQuestion)
	w.answerTrustQuestion("Trust")
	w.wantRun(true, 1)
	elsewhere := t.TempDir()
	w.answerTrustQuestion("Do not trust")
	w.changeFolders([]string{elsewhere}, nil)
	w.wantRun(false, 2)
	w.changeFolders(nil, []string{elsewhere})
	w.answerTrustQuestion("Trust")
	w.wantRun(false, 2) // the last answer was about both folders
	w.trust("true")
	w.wantRun(true, 2)

	w.restart(supportTrustQuestion, lsptest.WithFolders(filepath.Dir(w.dir)))
	w.answerTrustQuestion("")
	w.wantRun(false, 1)

	// The client's setting applies to all folders that it opens.
	w.restart(lsptest.WithOptions(`{"trusted":true,"allowHosts":["127.0.0.1"]}`))
	w.changeFolders([]string{elsewhere}, nil)
	w.wantRun(true, 0)
}

// TestGrantsAreRemembered checks that grants are stored with the trust, and forgotten
// with it.
func TestGrantsAreRemembered(t *testing.T) {
	t.Setenv("SESSION_TEST_TOKEN", "looked-up-value")
	trusted := lsptest.WithOptions(`{"trusted":true,"allowHosts":["127.0.0.1"]}`)
	w := openWorkspace(t, trusted)
	run := func(more, kind string) {
		t.Helper()
		if e := w.run("private", more); e.kind() != kind {
			t.Errorf("%+v", e.Error)
		}
	}
	run("", "needs")
	run(`,"grant":[{"kind":"secret","op":"send","resource":"SESSION_TEST_TOKEN 127.0.0.1"}]`, "")
	w.restart(trusted)
	run("", "")

	// They do not count in other folders, and files outside of all folders have the
	// grants of their project.
	elsewhere := t.TempDir()
	w.restart(trusted, lsptest.WithFolders(elsewhere))
	run("", "needs")
	run(`,"grant":[{"kind":"secret","op":"send","resource":"SESSION_TEST_TOKEN 127.0.0.1"}]`, "")
	run("", "")
	mine, other := w.agent, t.TempDir()
	if err := os.CopyFS(other, os.DirFS(w.dir)); err != nil {
		t.Fatal(err)
	}
	w.agent = uri.File(filepath.Join(other, "shop.agent.abl"))
	run("", "needs")
	w.agent = mine

	w.restart(trusted)
	w.trust("false")
	w.restart(trusted)
	run("", "needs")
	kept, err := os.ReadFile(filepath.Join(w.state, "state.db"))
	if err != nil || strings.Contains(string(kept), "looked-up-value") {
		t.Error("the secret itself is kept", err)
	}
}

// TestStateIsUnreadable checks that unreadable state is reported, and that everything
// else works.
func TestStateIsUnreadable(t *testing.T) {
	w := openWorkspace(t, supportTrustQuestion)
	if err := os.WriteFile(filepath.Join(w.state, "state.db"), []byte(strings.Repeat("no database ", 2000)), 0o600); err != nil {
		t.Fatal(err)
	}
	w.restart(supportTrustQuestion)
	w.answerTrustQuestion("Trust")
	w.wantRun(true, 1)
	w.Await(protocol.MethodWindowLogMessage, func(raw jsonrpc2.RawMessage) bool {
		return strings.Contains(string(raw), "what is trusted is not known")
	})
}
