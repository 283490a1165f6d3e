//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// operated is a server of tools over HTTP, as those who operate it see it.
type operated struct {
	t          *testing.T
	dir        string // of its files
	cmd        *exec.Cmd
	endpoint   string // of the tools
	operations string // the address of /metrics, /healthz and /readyz
	file       string // with the tools
	lines      chan string
}

// operate starts a server with an operator's file and waits until it serves.
func operate(t *testing.T, config, tools string, flags ...string) *operated {
	t.Helper()
	return operateFiles(t, map[string]string{"a.tools.abl": tools, "operator.yaml": config}, flags...)
}

// operateFiles is operate with all files of the folder.
func operateFiles(t *testing.T, files map[string]string, flags ...string) *operated {
	t.Helper()
	dir := newFolder(t, files)
	file := filepath.Join(dir, "a.tools.abl")
	o := startOperated(t, dir, append([]string{"mcp", "--config", filepath.Join(dir, "operator.yaml"), file, "--allow-host", "127.0.0.1"}, flags...)...)
	o.file = file
	return o
}

// newFolder writes files into a new folder.
func newFolder(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// startOperated starts a server by a command in a folder, and waits until it serves.
func startOperated(t *testing.T, dir string, words ...string) *operated {
	t.Helper()
	o := &operated{dir: dir, t: t, cmd: exec.CommandContext(t.Context(), os.Args[0], words...), lines: make(chan string, 1000)}
	o.cmd.Dir = dir
	o.cmd.Env = append(os.Environ(), asProgram+"=1", "ABL_STATE_DIR="+t.TempDir())
	errs, err := o.cmd.StderrPipe()
	if err == nil {
		err = o.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(errs)
	for o.endpoint == "" && lines.Scan() {
		if _, url, ok := strings.Cut(lines.Text(), "metrics at "); ok {
			o.operations = strings.TrimSuffix(url, "/metrics")
		}
		_, o.endpoint, _ = strings.Cut(lines.Text(), "serving at ")
	}
	if o.endpoint == "" {
		t.Fatal("it does not serve: ", lines.Err())
	}
	go func() {
		defer close(o.lines)
		for lines.Scan() {
			o.lines <- lines.Text()
		}
	}()
	return o
}

// log returns the lines of the log until one contains text; all lines if text is "".
func (o *operated) log(text string) (lines []string) {
	o.t.Helper()
	for line := range o.lines {
		if lines = append(lines, line); text != "" && strings.Contains(line, text) {
			return lines
		}
	}
	if text != "" {
		o.t.Fatalf("the log has no %q: %q", text, lines)
	}
	return lines
}

// get returns the status and the body of a page for operators.
func (o *operated) get(path string) (int, string) {
	o.t.Helper()
	resp, err := http.Get(o.operations + path)
	if err != nil {
		o.t.Error(err)
		return 0, ""
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		o.t.Error(err)
	}
	return resp.StatusCode, string(body)
}

// call calls a tool. It may run in any goroutine.
func (o *operated) call(tool, arguments string, headers ...string) (status int, body string, header http.Header) {
	resp, err := o.send(tool, arguments, headers...)
	if err != nil {
		o.t.Error(err)
		return 0, "", nil
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		o.t.Error(err)
	}
	return resp.StatusCode, string(answer), resp.Header
}

// send sends a call in the protocol's version without sessions.
func (o *operated) send(tool, arguments string, headers ...string) (*http.Response, error) {
	message := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`, tool, arguments)
	r, err := http.NewRequest(http.MethodPost, o.endpoint, strings.NewReader(message))
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool,
	} {
		r.Header.Set(name, value)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return http.DefaultClient.Do(r)
}

// TestOperations runs a server as a cluster does: it asks for its health, reads its metrics and logs,
// and ends it while a call is under way.
func TestOperations(t *testing.T) {
	began, release := make(chan struct{}), make(chan struct{})
	var seen http.Header
	mux := http.NewServeMux()
	mux.HandleFunc("/slow", func(w http.ResponseWriter, _ *http.Request) {
		close(began)
		<-release
		fmt.Fprint(w, `"done 🛬"`)
	})
	mux.HandleFunc("/quick", func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header
		fmt.Fprint(w, `"🛫"`)
	})
	mux.HandleFunc("/broken", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	api := httptest.NewServer(mux)
	defer api.Close()
	var tools strings.Builder
	fmt.Fprintln(&tools, "TOOLS:")
	for _, name := range []string{"slow", "quick", "broken"} {
		fmt.Fprintf(&tools, "  %s(word: string = \"🧭\") -> any\n    description: \"🛫\"\n    type: http\n    method: GET\n    circuit_breaker: {threshold: 9}\n    endpoint: \"%s/%s\"\n", name, api.URL, name)
	}
	o := operate(t, "http: \"0\"\nmetrics: \"0\"\ndrain: 30s\n", tools.String())

	const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
	if status, body, header := o.call("quick", `{"word":"secret-word"}`, "X-Request-Id", "request-7", "Traceparent", "00-"+trace+"-00f067aa0ba902b7-01"); status != 200 || !strings.Contains(body, "🛫") || header.Get("X-Request-Id") != "request-7" {
		t.Errorf("%d %s %v", status, body, header)
	}
	if got := seen.Get("Traceparent"); !strings.Contains(got, trace) {
		t.Errorf("the API got the trace %q", got)
	}
	o.call("broken", `{}`)
	if err := os.WriteFile(o.file, []byte(tools.String()+"  half() -> any\n    type: http\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	logs := o.log("half")
	if status, body := o.get("/readyz"); status != 200 || !strings.Contains(body, `"ok"`) {
		t.Errorf("/readyz %d %s", status, body)
	}
	_, text := o.get("/metrics")
	for _, want := range []string{`abl_calls_total{outcome="ok",tool="quick"} 1`, `abl_call_errors_total{kind="remote",tool="broken"} 1`, `abl_call_duration_seconds_count{tool="quick"} 1`, "go_goroutines", "abl_build_info"} {
		if !strings.Contains(text, want) {
			t.Errorf("/metrics has no %s", want)
		}
	}
	if strings.Contains(text, "secret-word") {
		t.Error("/metrics has an argument")
	}
	page, err := os.ReadFile("../../docs/deploy.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range regexp.MustCompile("(?m)^\\| `(abl_[a-z_]+)`").FindAllStringSubmatch(string(page), -1) {
		if !strings.Contains(text, "# HELP "+name[1]+" ") {
			t.Errorf("docs/deploy.md has a metric %s, which is not there", name[1])
		}
	}

	answer := make(chan string)
	go func() {
		_, body, _ := o.call("slow", `{}`)
		answer <- body
	}()
	<-began
	if _, text := o.get("/metrics"); !strings.Contains(text, "abl_calls_running 1") {
		t.Error("/metrics has no running call")
	}
	if err := o.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for status := 200; status == 200; { // until the signal has arrived
		status, _ = o.get("/readyz")
	}
	if status, body := o.get("/healthz"); status != 200 {
		t.Errorf("/healthz %d %s", status, body)
	}
	if status, body := o.get("/readyz"); status != 503 || !strings.Contains(body, "ending") {
		t.Errorf("/readyz %d %s", status, body)
	}
	if status, body, header := o.call("quick", `{}`); status != 503 || header.Get("Retry-After") == "" || !strings.Contains(body, `"code":-32000`) {
		t.Errorf("a call at the end: %d %s", status, body)
	}
	close(release)
	if body := <-answer; !strings.Contains(body, "done 🛬") {
		t.Errorf("the call under way: %s", body)
	}
	logs = append(logs, o.log("")...)
	if err := o.cmd.Wait(); err != nil {
		t.Errorf("%v: %q", err, logs)
	}
	checkRequestLog(t, logs, trace)
}

// checkRequestLog checks the lines of TestOperations' calls in a log.
func checkRequestLog(t *testing.T, logs []string, trace string) {
	t.Helper()
	var calls []map[string]any
	for _, line := range logs {
		var entry map[string]any
		d := json.NewDecoder(bytes.NewReader([]byte(line)))
		if err := d.Decode(&entry); err != nil {
			t.Errorf("no JSON: %s", line)
		}
		if entry["message"] == "tool called" {
			calls = append(calls, entry)
		}
	}
	if len(calls) != 3 {
		t.Fatalf("%d calls: %q", len(calls), logs)
	}
	for _, tt := range []struct {
		index     int
		key, want string
	}{
		{0, "request_id", "request-7"}, {0, "trace_id", trace}, {0, "tool", "quick"}, {0, "outcome", "ok"}, {0, "level", "info"},
		{1, "outcome", "error"}, {1, "error_kind", "remote"}, {1, "level", "warn"},
		{2, "tool", "slow"}, {2, "outcome", "ok"},
	} {
		t.Run(fmt.Sprint(tt.index, " ", tt.key), func(t *testing.T) {
			if got := calls[tt.index][tt.key]; got != tt.want {
				t.Errorf("%v, want %s", got, tt.want)
			}
		})
	}
	if strings.Contains(strings.Join(logs, ""), "secret-word") {
		t.Error("the log has an argument")
	}
}

// TestDrainEnds checks that a call which takes too long does not keep the server from ending. The server
// is started by the command of docs/deploy.md.
func TestDrainEnds(t *testing.T) {
	began := make(chan struct{})
	api := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(began)
		<-r.Context().Done()
	}))
	defer api.Close()
	page, err := os.ReadFile("../../docs/deploy.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(strings.ReplaceAll(string(page), "\r\n", "\n"), "\n```sh\n")
	words := strings.Fields(strings.Split(block, "```")[0])
	if len(words) == 0 || words[0] != "abl-lsp" {
		t.Fatalf("%q", words)
	}
	dir := newFolder(t, map[string]string{
		"operator.yaml":     "http: \"0\"\nallow_hosts: [127.0.0.1]\n",
		"tools/a.tools.abl": fmt.Sprintf("TOOLS:\n  slow() -> any\n    description: \"🛫\"\n    type: http\n    method: GET\n    endpoint: %q\n", api.URL),
	})
	o := startOperated(t, dir, append(words[1:], "--drain", "50ms")...)
	unanswered := make(chan struct{})
	go func() {
		defer close(unanswered)
		if resp, err := o.send("slow", `{}`); err == nil {
			resp.Body.Close()
		}
	}()
	defer func() { <-unanswered }()
	<-began
	if err := o.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	o.log("")
	if err := o.cmd.Wait(); err != nil {
		t.Error(err)
	}
}
