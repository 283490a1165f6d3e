package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/internal/testdeps"
)

// revisions are the revisions of the protocol that the official suite tests.
var revisions = []string{"2025-11-25", "2026-07-28"}

// unscoredFailures are the scenarios that the suite runs without scoring them and that fail, with the
// reason. The baseline has only those that it scores.
var unscoredFailures = map[string]string{
	"server-sse-polling":        "streams are not resumed",
	"tasks-required-task-error": "a tool that takes long also answers clients that know no tasks",
	"tasks-mrtr-composition":    "wants a question with a field before the task; a confirmation has none, and is asked within the task",
}

// TestMCPConformance runs the official suite of the protocol against the served tools of
// testdata/conformance. The suite fails at a scenario that fails and is not in the baseline of its
// revision, and at one that passes and is in there. The table on the page must be that of the results.
func TestMCPConformance(t *testing.T) {
	suite := testdeps.FindMCPSuite(t)
	results := make([]suiteResult, len(revisions))
	t.Run("suite", func(t *testing.T) {
		for i, revision := range revisions {
			t.Run(revision, func(t *testing.T) {
				t.Parallel()
				results[i] = runSuite(t, suite, revision)
			})
		}
	})
	if t.Failed() {
		return
	}
	page, err := os.ReadFile("../../docs/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	if table := conformanceTable(results); !strings.Contains(strings.ReplaceAll(string(page), "\r\n", "\n"), table) {
		t.Errorf("docs/mcp.md has not this table:\n%s", table)
	}
}

// suiteResult is the result of the suite for one revision.
type suiteResult struct {
	scenarios map[string]scenario
	reasons   map[string]string // why a scenario fails, by its name
}

// runSuite runs the suite for one revision.
func runSuite(t *testing.T, suite []string, revision string) suiteResult {
	t.Helper()
	endpoint := serveConformanceTools(t)
	baseline, err := filepath.Abs("testdata/conformance/server-" + revision + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), suite[0], suite[1], "server", "--url", endpoint, "--requirements", revision, "--expected-failures", baseline, "--output-dir", dir)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		_, summary, _ := strings.Cut(string(out), "Total:")
		t.Errorf("%v: %s", err, summary)
	}
	r := suiteResult{readScenarios(t, dir), readReasons(t, baseline)}
	for name, s := range r.scenarios {
		if len(s.faults) > 0 && (err != nil || r.reasons[name] == "") {
			t.Errorf("%s\n\t%s", name, strings.Join(s.faults, "\n\t"))
		}
		if _, unscored := unscoredFailures[name]; unscored && len(s.faults) == 0 {
			t.Errorf("%s passes", name)
		}
	}
	if len(r.scenarios) < 30 {
		t.Errorf("only %d scenarios ran", len(r.scenarios))
	}
	return r
}

// readReasons returns why scenarios fail: a baseline says it after the name of each.
func readReasons(t *testing.T, baseline string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(baseline)
	if err != nil {
		t.Fatal(err)
	}
	reasons := maps.Clone(unscoredFailures)
	for line := range strings.Lines(string(text)) {
		if entry, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok {
			name, reason, _ := strings.Cut(entry, " # ")
			if reasons[name] = reason; reason == "" {
				t.Errorf("%s: no reason", entry)
			}
		}
	}
	return reasons
}

// conformanceTable returns the table for the page: how many scenarios pass, and why others do not.
func conformanceTable(results []suiteResult) string {
	passing := "| passes |"
	failing := map[string][]string{}
	for _, r := range results {
		passed := 0
		for _, name := range slices.Sorted(maps.Keys(r.scenarios)) {
			if len(r.scenarios[name].faults) == 0 {
				passed++
			} else if reason := r.reasons[name]; !slices.Contains(failing[reason], "`"+name+"`") {
				failing[reason] = append(failing[reason], "`"+name+"`")
			}
		}
		passing += fmt.Sprintf(" %d of %d |", passed, len(r.scenarios))
	}
	lines := []string{"| the server | " + strings.Join(revisions, " | ") + " |", "|---|---|---|", passing, "", "| does not pass | because |", "|---|---|"}
	for _, reason := range slices.Sorted(maps.Keys(failing)) {
		lines = append(lines, "| "+strings.Join(failing[reason], " ")+" | "+reason+" |")
	}
	return strings.Join(lines, "\n") + "\n"
}

// scenario is the result of one scenario of the suite.
type scenario struct{ faults []string }

// readScenarios reads the results that the suite has written, by the name of the scenario.
func readScenarios(t *testing.T, dir string) map[string]scenario {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "checks.json"))
	if err != nil {
		t.Fatal(err)
	}
	scenarios := map[string]scenario{}
	for _, file := range files {
		var checks []struct{ ID, Status, ErrorMessage string }
		raw, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(raw, &checks)
		}
		if err != nil {
			t.Fatal(err)
		}
		name := scenarioName(filepath.Base(filepath.Dir(file)))
		s := scenarios[name]
		for _, c := range checks {
			if c.Status == "FAILURE" || c.Status == "WARNING" {
				s.faults = append(s.faults, c.Status+" "+c.ID+": "+c.ErrorMessage)
			}
		}
		scenarios[name] = s
	}
	return scenarios
}

// scenarioName returns the name of the scenario in the name of a folder: it follows `server-`, and
// the time follows it.
func scenarioName(folder string) string {
	return regexp.MustCompile(`-\d{4}-\d\d-\d\dT.*$`).ReplaceAllString(strings.TrimPrefix(folder, "server-"), "")
}

// serveConformanceTools serves the tools of testdata/conformance and what they call. It returns
// the URL of the program.
func serveConformanceTools(t *testing.T) (endpoint string) {
	t.Helper()
	dir := t.TempDir()
	api := httptest.NewServer(conformanceAPI(t, dir))
	t.Cleanup(api.Close)
	files, err := filepath.Glob("testdata/conformance/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, filepath.Base(file)), bytes.ReplaceAll(text, []byte("API"), []byte(api.URL)), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return serveHTTP(t, "mcp", filepath.Join(dir, "everything.tools.abl"), filepath.Join(dir, "prompts.yaml"), "--allow-host", "127.0.0.1")
}

// Bodies with the beginning of a picture and of a sound.
const (
	pictureBody = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
	soundBody   = "RIFF\xff\xff\xff\xffWAVEfmt "
)

// conformanceAPI is what the tools call: an API, and an MCP server. dir has the tools' files.
func conformanceAPI(t *testing.T, dir string) http.Handler {
	t.Helper()
	mux := http.NewServeMux()
	answer := func(pattern, mediaType, body string) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", mediaType)
			fmt.Fprint(w, body)
		})
	}
	answer("/text", "text/plain", "This is a text.")
	answer("/picture", "image/png", pictureBody)
	answer("/sound", "audio/wav", soundBody)
	mux.HandleFunc("/pieces", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, piece := range []string{"one", "two", "three 🛫"} {
			fmt.Fprintf(w, "data: %s\n\n", piece)
			_ = http.NewResponseController(w).Flush()
			time.Sleep(20 * time.Millisecond) // else they arrive as one piece
		}
	})
	answer("/change", "application/json", `{"changed": true}`)
	answer("/region", "application/json", `{}`)
	mux.HandleFunc("/greet/{name}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "Hello, %s!", r.PathValue("name"))
	})
	mux.HandleFunc("/compute/{seconds}", func(w http.ResponseWriter, r *http.Request) {
		seconds, err := strconv.ParseFloat(r.PathValue("seconds"), 64)
		if err != nil {
			t.Error(err)
		}
		select {
		case <-time.After(time.Duration(seconds * float64(time.Second))):
			fmt.Fprint(w, `{"computed": true}`)
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("/failure", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "nothing works here", http.StatusInternalServerError)
	})
	var changes atomic.Int32
	mux.HandleFunc("/rewrite/{file}", func(w http.ResponseWriter, r *http.Request) {
		file := filepath.Join(dir, r.PathValue("file"))
		text, err := os.ReadFile(file)
		if err == nil { // a description that both files have
			err = os.WriteFile(file, bytes.Replace(text, []byte("A text"), fmt.Appendf(nil, "A text (%d)", changes.Add(1)), 1), 0o600)
		}
		if err != nil {
			t.Error(err)
		}
		fmt.Fprint(w, "{}")
	})
	blocks := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return blocksServer() }, nil)
	mux.Handle("/mcp", blocks)
	return mux
}

// formSchemas are the forms that tools of the server show, by the name of the tool.
var formSchemas = map[string]string{
	"test_elicitation_sep1034_defaults": `{"type": "object", "properties": {
		"name": {"type": "string", "default": "John Doe"}, "age": {"type": "integer", "default": 30}, "score": {"type": "number", "default": 95.5},
		"status": {"type": "string", "enum": ["active", "inactive"], "default": "active"}, "verified": {"type": "boolean", "default": true}}}`,
	"test_elicitation_sep1330_enums": `{"type": "object", "properties": {
		"untitledSingle": {"type": "string", "enum": ["option1", "option2"]},
		"titledSingle": {"type": "string", "oneOf": [{"const": "value1", "title": "First"}, {"const": "value2", "title": "Second"}]},
		"legacyEnum": {"type": "string", "enum": ["opt1", "opt2"], "enumNames": ["One", "Two"]},
		"untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2"]}},
		"titledMulti": {"type": "array", "items": {"anyOf": [{"const": "value1", "title": "First"}, {"const": "value2", "title": "Second"}]}}}}`,
}

// blocksServer is an MCP server whose tools answer with blocks, or show a form.
func blocksServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "blocks", Version: "1"}, nil)
	resource := func(name, media, text string) mcp.Content {
		return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "test://" + name, MIMEType: media, Text: text}}
	}
	for name, schema := range formSchemas {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			answer, err := r.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Who are you?", RequestedSchema: json.RawMessage(schema)})
			if err != nil {
				return nil, err
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprint(answer.Action, answer.Content)}}}, nil
		})
	}
	add := func(name string, answer func() (*mcp.CallToolResult, error)) {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return answer()
		})
	}
	add("test_embedded_resource", func() (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{resource("embedded-resource", "text/plain", "This is an embedded resource.")}}, nil
	})
	add("test_multiple_content_types", func() (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{
			&mcp.TextContent{Text: "Some blocks:"},
			&mcp.ImageContent{Data: []byte(pictureBody), MIMEType: "image/png"},
			resource("mixed-content-resource", "application/json", `{"test":"data","value":123}`),
		}}, nil
	})
	for name, capability := range map[string]string{"test_missing_capability": "sampling", "protocol_error_job": "experimental"} {
		add(name, func() (*mcp.CallToolResult, error) {
			return nil, &jsonrpc.Error{Code: mcp.CodeMissingRequiredClientCapabilities, Message: "this tool asks the client", Data: fmt.Appendf(nil, `{"requiredCapabilities":{%q:{}}}`, capability)}
		})
	}
	return s
}
