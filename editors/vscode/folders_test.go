//go:build unix

package vscode_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// makeFolders makes a workspace of two folders that use the same names for different things:
// tools, a secret, environments, and saved cases that pass in only one environment. It
// returns the file that lists the folders.
func makeFolders(t *testing.T, dir, host string) string {
	for folder, stage := range map[string]string{"north": "north-dev", "south": "south-prod"} {
		for name, text := range map[string]string{
			"abl.yaml":          fmt.Sprintf(folderProject, folder),
			"stage.tools.abl":   fmt.Sprintf(folderTools, host),
			"stage.cases.yaml":  fmt.Sprintf(folderCases, stage),
			"wrong.tools.abl":   "TOOLS:\n  wrong() -> string\n    description: \"Has a mistake\"\n    type: http\n    endpoint: \"https://example.com/\"\n    method: GTE\n",
			"begun.tools.abl":   "TOOLS:\n",
			"leaving.tools.abl": fmt.Sprintf(leavingTool, host),
		} {
			writeFile(t, filepath.Join(dir, folder, name), text)
		}
	}
	list := filepath.Join(dir, "both.code-workspace")
	writeFile(t, list, `{"folders": [{"path": "north"}, {"path": "south"}]}`)
	return list
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

const folderProject = `environments:
  dev:
    variables: {STAGE: %[1]s-dev}
  prod:
    variables: {STAGE: %[1]s-prod}
    protected: true
default_environment: dev
`

const folderTools = `TOOLS:
  # abl:ignore unsafe-endpoint -- the test has its server on this machine
  base_url: "http://%s"

  stage() -> object
    description: "Says in which stage it runs"
    type: http
    endpoint: "/stage"
    method: GET
    headers:
      Authorization: "Bearer {{secrets.TOKEN}}"
      X-Stage: "{{env.STAGE}}"
`

const folderCases = `stage:
  - name: where it runs
    args: {}
    expect: {value: "value.stage == '%s'"}
`

const leavingTool = `TOOLS:
  # abl:ignore unsafe-endpoint -- the test has its server on this machine
  base_url: "http://%s"

  leaving(note: string = "usual") -> object
    description: "Answers once it is let"
    type: http
    endpoint: "/held"
    method: GET
    timeout: 60000
`

// folderAPI answers with the stage of the call, and writes the files token-TOKEN and
// stage-STAGE. It holds a request for /held until one for /release arrives.
func folderAPI(t *testing.T, dir string, mux *http.ServeMux) {
	release := make(chan struct{})
	mux.HandleFunc("GET /stage", func(w http.ResponseWriter, r *http.Request) {
		signal(t, dir, "token-"+strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		signal(t, dir, "stage-"+r.Header.Get("X-Stage"))
		answer(t, w, map[string]any{"stage": r.Header.Get("X-Stage")})
	})
	mux.HandleFunc("GET /held", func(w http.ResponseWriter, r *http.Request) {
		signal(t, dir, "held")
		select {
		case <-release:
			answer(t, w, map[string]any{"note": r.FormValue("note"), "noted": r.URL.Query().Has("note")})
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("POST /release", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case release <- struct{}{}:
		case <-r.Context().Done():
		}
	})
}
