package mcp_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/mcp"
	"github.com/abl-lsp/abl-lsp/internal/testdeps"
	"github.com/abl-lsp/abl-lsp/tool"
)

// referenceServer returns a reference server of the protocol, of the npm package
// @modelcontextprotocol/NAME, as a process.
func referenceServer(t *testing.T, name string, args ...string) tool.Server {
	t.Helper()
	node, modules := testdeps.FindNPMPackage(t, "@modelcontextprotocol/"+name)
	program := filepath.Join(modules, "@modelcontextprotocol", name, "dist", "index.js")
	return tool.Server{Transport: "stdio", Command: node, Args: append([]string{program}, args...)}
}

// listed returns the names of the server's tools.
func (r *fixture) listed() (names []string) {
	r.Helper()
	req := r.request
	req.Tool = reading("any")
	if e := r.executor.Discover(r.Context(), req); !e.OK {
		r.Fatalf("%+v\n%s", e.Error, e.Console)
	}
	for _, t := range (<-r.found).Tools {
		names = append(names, t.Name)
	}
	return names
}

// confirmed runs a tool that must be confirmed, and returns its value.
func (r *fixture) confirmed(tl *tool.Tool, args string) string {
	r.Helper()
	e := r.fails(tl, args, executor.KindNeeds, "must be confirmed")
	r.request.Confirm = e.Needs.Confirmation.Digest
	defer func() { r.request.Confirm = "" }()
	return r.value(tl, args)
}

// withParams returns a tool of the server "s" that changes nothing, with parameters of any value.
func withParams(name string, params ...string) *tool.Tool {
	tl := reading(name)
	for _, p := range params {
		tl.Params = append(tl.Params, tool.Param{Name: p, Optional: true})
	}
	return tl
}

// TestFilesystemServer works with files in the folder of the workspace, although the server's
// arguments name another one.
func TestFilesystemServer(t *testing.T) {
	folder, elsewhere := realDir(t), realDir(t)
	r := newFixture(t, mcp.Options{}, one(referenceServer(t, "server-filesystem", elsewhere)))
	r.request.Folders = []string{folder}
	names := r.listed()
	for _, name := range []string{"read_text_file", "write_file", "read_media_file", "list_allowed_directories"} {
		if !slices.Contains(names, name) {
			t.Errorf("%s is not among %q", name, names)
		}
	}
	allowed := reading("list_allowed_directories")
	for end := time.Now().Add(cancelGrace); !strings.Contains(r.value(allowed, ""), filepath.Base(folder)); { // the server checks the folders before it uses them
		if time.Now().After(end) {
			t.Fatalf("%s is not allowed", folder)
		}
	}

	file := filepath.Join(folder, "notes 🧀.txt")
	const text = "one\n<two> & \"three\" 🧭\n"
	r.confirmed(withParams("write_file", "path", "content"), encode(t, map[string]string{"path": file, "content": text}))
	if got, err := os.ReadFile(file); string(got) != text {
		t.Errorf("the file has %q %v", got, err)
	}
	if got := r.value(withParams("read_text_file", "path", "head"), encode(t, map[string]any{"path": file, "head": 1})); got != `{"content":"one"}` {
		t.Error(got)
	}
	r.fails(withParams("read_text_file", "path"), encode(t, map[string]string{"path": filepath.Join(elsewhere, "x")}), executor.KindRemote, "Access denied")

	sound := filepath.Join(folder, "beep.wav")
	if err := os.WriteFile(sound, []byte("RIFF"), 0o600); err != nil {
		t.Fatal(err)
	}
	e := r.run(withParams("read_media_file", "path"), encode(t, map[string]string{"path": sound}))
	if got := joinBlocks(e.Content); got != `{"type":"audio","data":"UklGRg==","mimeType":"audio/wav"}` {
		t.Errorf("%s %+v", got, e.Error)
	}
}

// TestMemoryServer builds a graph in one session, and reads it in another one.
func TestMemoryServer(t *testing.T) {
	s := referenceServer(t, "server-memory")
	s.Env = map[string]string{"MEMORY_FILE_PATH": filepath.Join(t.TempDir(), "graph.jsonl")}
	r := newFixture(t, mcp.Options{}, one(s))
	if names := r.listed(); !slices.Contains(names, "create_entities") || !slices.Contains(names, "read_graph") {
		t.Errorf("%q", names)
	}
	const ada, paris = `{"name":"Ada 🧭","entityType":"person","observations":["likes <&>"]}`, `{"name":"Paris","entityType":"city","observations":[]}`
	if got := r.value(withParams("create_entities", "entities"), `{"entities":[`+ada+`,`+paris+`]}`); got != `{"entities":[`+ada+`,`+paris+`]}` {
		t.Error(got)
	}
	const visit = `{"from":"Ada 🧭","to":"Paris","relationType":"visits"}`
	r.value(withParams("create_relations", "relations"), `{"relations":[`+visit+`]}`)
	r.confirmed(withParams("delete_observations", "deletions"), `{"deletions":[{"entityName":"Ada 🧭","observations":["likes <&>"]}]}`)

	again := newFixture(t, mcp.Options{}, one(s))
	want := `{"entities":[{"name":"Ada 🧭","entityType":"person","observations":[]},` + paris + `],"relations":[` + visit + `]}`
	if got := again.value(reading("read_graph"), ""); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// realDir returns a new folder by its name without links.
func realDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func encode(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
