package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// taskServer is the program that serves tools on its stdin and stdout.
type taskServer struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.Writer
	out *bufio.Reader
	id  int
}

// startTaskServer starts the program. Its client announces tasks with each request.
func startTaskServer(t *testing.T, state, file string) *taskServer {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "mcp", file, "--allow-host", "127.0.0.1")
	cmd.Env = append(os.Environ(), asProgram+"=1", "ABL_STATE_DIR="+state)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() }) // the test's context has ended it
	return &taskServer{t: t, cmd: cmd, in: in, out: bufio.NewReader(out)}
}

type taskAnswer struct {
	TaskID string `json:"taskId"`
	Status string `json:"status"`
	Result struct {
		Content []struct{ Text string } `json:"content"`
	} `json:"result"`
	Error struct{ Message string } `json:"error"`
}

// ask sends a request and returns its result.
func (s *taskServer) ask(method, params string) (answer taskAnswer) {
	s.t.Helper()
	s.id++
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}`
	fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s,%s}}`+"\n", s.id, method, params, meta)
	line, err := s.out.ReadBytes('\n')
	if err != nil {
		s.t.Fatal(err)
	}
	var m struct{ Result, Error json.RawMessage }
	if err := json.Unmarshal(line, &m); err != nil || m.Error != nil || json.Unmarshal(m.Result, &answer) != nil {
		s.t.Fatalf("%v: %s", err, line)
	}
	return answer
}

// await asks for a task until it has ended.
func (s *taskServer) await(id string) taskAnswer {
	s.t.Helper()
	for {
		if m := s.ask("tasks/get", fmt.Sprintf(`"taskId":%q`, id)); m.Status != "working" {
			return m
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// TestTasksSurviveKill kills the process that runs two tasks. The next one gets the result of the
// one that waits for a callback, and says that the other one is lost.
func TestTasksSurviveKill(t *testing.T) {
	callbacks, entered := make(chan string, 1), make(chan struct{}, 1)
	office := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			entered <- struct{}{}
			<-r.Context().Done()
			return
		}
		var order struct{ CallbackURL string }
		if err := json.NewDecoder(r.Body).Decode(&order); err != nil {
			t.Error(err)
		}
		w.WriteHeader(http.StatusAccepted)
		callbacks <- order.CallbackURL
	}))
	t.Cleanup(office.Close)
	file := filepath.Join(t.TempDir(), "a.tools.abl")
	text := strings.ReplaceAll(`TOOLS:
  report() -> {status: string}
    description: "Writes a report 🛫"
    type: async_webhook
    endpoint: "API/order"
    method: POST
    confirmation:
      require: never
  compute() -> object
    description: "Computes for long"
    type: http
    endpoint: "API/compute"
    method: GET
    hints:
      latency: slow
`, "API", office.URL)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	state := t.TempDir()

	first := startTaskServer(t, state, file)
	report := first.ask("tools/call", `"name":"report"`).TaskID
	compute := first.ask("tools/call", `"name":"compute"`).TaskID
	callback := <-callbacks
	<-entered
	if report == "" || compute == "" {
		t.Fatal("there is no task")
	}
	if err := first.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if first.cmd.Wait() == nil {
		t.Error("it was not killed")
	}

	second := startTaskServer(t, state, file)
	if m := second.await(compute); m.Status != "failed" || !strings.Contains(m.Error.Message, "its result is lost") {
		t.Errorf("%+v", m)
	}
	for sent := false; !sent; time.Sleep(10 * time.Millisecond) {
		resp, err := http.Post(callback, "application/json", strings.NewReader(`{"status":"done 🚀"}`))
		if sent = err == nil; sent {
			resp.Body.Close()
		}
	}
	if m := second.await(report); m.Status != "completed" || len(m.Result.Content) != 1 || m.Result.Content[0].Text != `{"status":"done 🚀"}` {
		t.Errorf("%+v", m)
	}
}
