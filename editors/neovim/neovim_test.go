// Package neovim_test drives the server from real Neovims, the newest and the
// oldest available and one between, by the scripts in test.
package neovim_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/editors/editortest"
	"github.com/abl-lsp/abl-lsp/internal/oauthtest"
	"github.com/abl-lsp/abl-lsp/internal/testdeps"
)

var server editortest.Server

func TestMain(m *testing.M) { os.Exit(server.Main(m)) }

func TestSession(t *testing.T) {
	t.Parallel()
	runInEveryNeovim(t, "session.lua", "ok    cancel a slow run while hovering", http.NotFoundHandler())
}

// TestYAML edits an agent in YAML, also with another server for YAML beside this one.
func TestYAML(t *testing.T) {
	t.Parallel()
	_, modules := testdeps.FindNPMPackage(t, "yaml-language-server")
	script := filepath.Join(modules, "yaml-language-server", "bin", "yaml-language-server")
	runInEveryNeovim(t, "yaml.lua", "ok    beside a server for YAML", http.NotFoundHandler(), "ABL_YAML_SERVER="+script)
}

// TestMCP runs tools of an MCP server that asks the person, and answers with a picture and a link.
func TestMCP(t *testing.T) {
	t.Parallel()
	_, modules := testdeps.FindNPMPackage(t, "@modelcontextprotocol/server-everything")
	runInEveryNeovim(t, "mcp.lua", "ok    a link", http.NotFoundHandler(), "ABL_EVERYTHING="+filepath.Join(modules, ".bin", "mcp-server-everything"))
}

// TestRun runs tools, answers all questions, and saves cases.
func TestRun(t *testing.T) {
	t.Parallel()
	issuer := oauthtest.Start(t)
	runInEveryNeovim(t, "run.lua", "ok    highlight", http.HandlerFunc(issuer.ServeAPI), "ABL_ISSUER="+issuer.URL)
}

// TestSettings uses exactly the settings of docs/editors.md as init.lua.
func TestSettings(t *testing.T) {
	page, err := os.ReadFile("../../docs/editors.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```lua\n(.*?)```").FindAllSubmatch(page, -1)
	if len(blocks) != 2 {
		t.Fatalf("%d blocks of Lua, not setup and enable", len(blocks))
	}
	for i, programs := range [][]string{{"nvim", "nvim-0.10", "nvim-oldest"}, {"nvim"}} {
		for _, program := range programs {
			t.Run(fmt.Sprint(program, i), func(t *testing.T) {
				nvim, home := testdeps.FindProgram(t, program), t.TempDir()
				init := filepath.Join(home, "init.lua")
				if err := os.WriteFile(init, blocks[i][1], 0o644); err != nil {
					t.Fatal(err)
				}
				readSettings(t, nvim, home, init, server.Path(t))
			})
		}
	}
}

func readSettings(t *testing.T, nvim, home, init, server string) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(home, "src"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(root, filepath.Join(home, "src", "abl-lsp")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, nvim, "--headless", "-u", init, "-i", "NONE", "-S", "test/settings.lua")
	cmd.WaitDelay = 5 * time.Second
	cmd.Env = append(os.Environ(),
		"HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_DATA_HOME="+home, "XDG_STATE_HOME="+home, "XDG_CACHE_HOME="+home,
		"PATH="+filepath.Dir(server)+string(os.PathListSeparator)+os.Getenv("PATH"),
		"ABL_PLUGIN="+filepath.Join(root, "editors", "neovim"),
		"ABL_AGENT="+filepath.Join(copyDemo(t, home, "127.0.0.1:1"), "agents", "trip_planner.agent.abl"))
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("ok    the commands are there")) {
		t.Errorf("%v\n%s", err, out)
	}
}

// runInEveryNeovim runs a script in every Neovim; its output must contain the last step. me
// answers whose token it gets. The sessions run in parallel, because they mostly wait.
func runInEveryNeovim(t *testing.T, script, last string, me http.Handler, env ...string) {
	for _, program := range []string{"nvim", "nvim-0.10", "nvim-oldest"} {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			runSession(t, testdeps.FindProgram(t, program), server.Path(t), script, last, me, env)
		})
	}
}

func runSession(t *testing.T, nvim, server, script, last string, me http.Handler, env []string) {
	dir := newFolder(t)
	mux := demoAPI(t, dir)
	mux.Handle("GET /me", me)
	api := httptest.NewServer(mux)
	defer api.Close()
	host := strings.TrimPrefix(api.URL, "http://")
	workspace := copyDemo(t, dir, host)
	plugin, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}

	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Second)
	defer cancel()
	log := filepath.Join(dir, "server.log")
	cmd := exec.CommandContext(ctx, nvim, "--headless", "-u", "NONE", "-i", "NONE", "-S", filepath.Join(plugin, "test", script))
	cmd.WaitDelay = 5 * time.Second
	cmd.Dir = workspace
	cmd.Env = append(append(os.Environ(), env...), "TZ=NST3:30", // local time must differ from UTC
		"HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_STATE_HOME="+dir, "XDG_CACHE_HOME="+dir,
		"ABL_PLUGIN="+plugin,
		"ABL_NVIM="+nvim,
		"ABL_SERVER="+server,
		"ABL_AGENT="+filepath.Join(workspace, "agents", "trip_planner.agent.abl"),
		"ABL_HOST="+host,
		"ABL_SIGNALS="+dir,
		"ABL_LOG="+log,
	)
	var person sync.WaitGroup
	person.Go(func() { signIn(ctx, t, filepath.Join(dir, "page")) })
	out, err := cmd.CombinedOutput()
	cancel()
	person.Wait()
	if err == nil && bytes.Contains(out, []byte(last)) {
		return
	}
	serverLog, err2 := os.ReadFile(log)
	if err2 != nil {
		serverLog = []byte(err2.Error())
	}
	t.Errorf("the session failed: %v\n%s\nthe server's log:\n%s", err, out, serverLog)
}

// newFolder makes a folder that is removed at the end: a server whose Neovim has ended may
// still write into it for a moment.
func newFolder(t *testing.T) string {
	dir, err := os.MkdirTemp("", "abl-neovim-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for range 100 {
			if err = os.RemoveAll(dir); err == nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
		t.Error(err)
	})
	return dir
}

// signIn acts as a person with a browser, who signs in at the page that a file names, once
// the file exists.
func signIn(ctx context.Context, t *testing.T, file string) {
	for ctx.Err() == nil {
		page, err := os.ReadFile(file)
		if err != nil || !bytes.HasSuffix(page, []byte("\n")) {
			time.Sleep(20 * time.Millisecond)
			continue
		}
		if _, err := (&oauthtest.Person{Name: "alice"}).SignIn(string(bytes.TrimSpace(page))); err != nil {
			t.Error(err)
		}
		return
	}
}

// copyDemo copies the demo into the folder, makes its tools call host, and adds
// a tool that is never answered.
func copyDemo(t *testing.T, dir, host string) string {
	workspace := filepath.Join(dir, "workspace")
	editortest.CopyDemo(t, workspace, host, []string{".abl"}, func(name string) string {
		if strings.HasSuffix(name, ".tools.abl") {
			return slowTool
		}
		return ""
	})
	if err := os.Mkdir(filepath.Join(workspace, ".git"), 0o755); err != nil { // marks the root
		t.Fatal(err)
	}
	return workspace
}

const slowTool = `
  slow_report() -> string
    description: "Never comes back by itself"
    type: http
    endpoint: "/slow"
    method: GET
    timeout: 60000
`

// demoAPI answers like the demo's API, but never answers /slow: it writes the files
// started and cancelled when a request arrives and when it is cancelled.
func demoAPI(t *testing.T, dir string) *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/cities/{city}/weather", func(w http.ResponseWriter, r *http.Request) {
		day := map[string]any{"date": "2026-06-01", "high": 21, "low": 12, "sky": "clear"}
		days := []any{day, day, day}
		if r.FormValue("days") == "2" {
			days = days[:2]
		}
		w.Header().Set("Content-Type", "application/json")
		err := json.NewEncoder(w).Encode(map[string]any{"city": r.PathValue("city"), "units": r.FormValue("units"), "days": days})
		if err != nil {
			t.Error(err)
		}
	})
	var tried atomic.Bool
	mux.HandleFunc("/v1/notes/{id}", func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete && !tried.Swap(true) {
			http.Error(w, "not now", http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		key := map[string]string{http.MethodPut: "id", http.MethodDelete: "deleted"}[r.Method]
		if err := json.NewEncoder(w).Encode(map[string]string{key: r.PathValue("id")}); err != nil {
			t.Error(err)
		}
	})
	mux.HandleFunc("POST /v1/echo", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if _, err := io.Copy(w, r.Body); err != nil {
			t.Error(err)
		}
	})
	mux.HandleFunc("GET /v1/locked", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Key") != "right" {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if _, err := io.WriteString(w, `{"inside": true}`); err != nil {
			t.Error(err)
		}
	})
	mux.HandleFunc("GET /slow", func(_ http.ResponseWriter, r *http.Request) {
		writeSignal(t, dir, "started")
		<-r.Context().Done()
		writeSignal(t, dir, "cancelled")
	})
	return mux
}

func writeSignal(t *testing.T, dir, name string) {
	if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
		t.Error(err)
	}
}
