package lambda_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/lambda"
	"github.com/abl-lsp/abl-lsp/internal/testdeps"
	"github.com/abl-lsp/abl-lsp/tool"
)

// patience only bounds a test that fails.
const patience = time.Minute

// fixture runs tools whose functions are in one project.
type fixture struct {
	*executor.Executor
	listener  *callListener
	functions map[string]tool.Function
	root      string
	limits    executor.Limits
}

func newFixture(t *testing.T, o lambda.Options) *fixture {
	e := newCallListener(t)
	x := executor.New(executor.Options{
		Runners:   map[tool.Kind]executor.Runner{tool.KindLambda: newRunner(t, o)},
		LookupEnv: func(string) (string, bool) { return "", false },
	})
	return &fixture{Executor: x, listener: e, functions: e.functions(), root: t.TempDir()}
}

func (r *fixture) request(tl tool.Tool) executor.Request {
	return executor.Request{
		Tool: &tl, Args: json.RawMessage(`{"text": "a"}`), Trusted: true,
		Environment: executor.Environment{Functions: r.functions, Root: r.root, Limits: r.limits},
	}
}

func (r *fixture) run(t *testing.T, function string) executor.Envelope {
	t.Helper()
	return r.Run(t.Context(), r.request(call(function)))
}

func (r *fixture) value(t *testing.T, function string) string {
	t.Helper()
	e := r.run(t, function)
	if !e.OK {
		t.Fatalf("%s: %+v, console %q", function, e.Error, e.Console)
	}
	return string(e.Value)
}

func wants(t *testing.T, e executor.Envelope, kind executor.ErrorKind, code, part string) {
	t.Helper()
	if e.Error == nil || e.Error.Kind != kind || e.Error.Code != code || !strings.Contains(e.Error.Message, part) {
		t.Errorf("%+v, want %s %s: … %s …", e.Error, kind, code, part)
	}
}

// TestWarm checks that one process serves several calls, and that its output belongs to the call
// during which it is printed.
func TestWarm(t *testing.T) {
	r := newFixture(t, lambda.Options{})
	first := r.run(t, "count")
	second := r.run(t, "count")
	var a, b struct{ Calls, PID int }
	if json.Unmarshal(first.Value, &a) != nil || json.Unmarshal(second.Value, &b) != nil || a.PID != b.PID || b.Calls != 2 {
		t.Errorf("%s, then %s", first.Value, second.Value)
	}
	for i, e := range []executor.Envelope{first, second} {
		if want := "call " + string(rune('1'+i)) + "\nof "; !strings.HasPrefix(e.Console, want) {
			t.Errorf("console %q, want %q", e.Console, want)
		}
	}
}

// TestChangedProgram checks that a process is not called any more after its program has changed.
func TestChangedProgram(t *testing.T) {
	r := newFixture(t, lambda.Options{})
	program := filepath.Join(r.root, "function.mjs")
	f := r.functions["count"]
	f.Command = append(f.Command, "function.mjs") // which means nothing to it
	r.functions["count"] = f
	before := pidOf(t, r)
	if err := os.WriteFile(program, []byte("// one"), 0o600); err != nil {
		t.Fatal(err)
	}
	first := pidOf(t, r)
	if first == before || pidOf(t, r) != first {
		t.Error("not one process for the program that is there now")
	}
	if err := os.WriteFile(program, []byte("// the second"), 0o600); err != nil {
		t.Fatal(err)
	}
	if pidOf(t, r) == first {
		t.Error("the program of before was called")
	}
}

// TestSideBySide checks that two concurrent calls use two processes, and that both are kept.
func TestSideBySide(t *testing.T) {
	r := newFixture(t, lambda.Options{})
	var mu sync.Mutex
	pids := map[int]bool{}
	var all sync.WaitGroup
	for range 30 {
		all.Go(func() {
			var v struct{ PID int }
			if err := json.Unmarshal([]byte(r.value(t, "count")), &v); err != nil {
				t.Error(err)
			}
			mu.Lock()
			pids[v.PID] = true
			mu.Unlock()
		})
	}
	all.Wait()
	if len(pids) == 0 || len(pids) > 8 {
		t.Errorf("%d processes", len(pids))
	}
}

// TestCrashBetweenCalls checks that a process that has ended is started again for the next call.
// Only a call that the old process may already have received is lost.
func TestCrashBetweenCalls(t *testing.T) {
	r := newFixture(t, lambda.Options{})
	for range 3 {
		pid := pidOf(t, r)
		p, err := os.FindProcess(pid)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Kill(); err != nil {
			t.Fatal(err)
		}
		if e := r.run(t, "count"); !e.OK {
			wants(t, e, executor.KindRemote, "function-exit", "without an answer")
		}
		if pidOf(t, r) == pid {
			t.Error("the same process")
		}
	}
}

func TestLocalFailures(t *testing.T) {
	r := newFixture(t, lambda.Options{})
	for _, tt := range []struct {
		function, code, part, console string
	}{
		{"refuse", "function-error", "refuse failed: no such page", "no such page"},
		{"panic", "function-error", "panic failed: out of paper", "out of paper"},
		{"crash", "function-exit", "without an answer: exit status 7", "about to\n"},
		{"bad", "function-exit", "before it asked for the call: exit status 3", "no configuration\n"},
		{"unfit", "function-error", "unfit failed: TABLE is not set", ""},
		{"stream", "function-error", "stream failed: the disk is gone", ""},
	} {
		t.Run(tt.function, func(t *testing.T) {
			for range 2 { // a failure has no effect on the next call
				e := r.run(t, tt.function)
				wants(t, e, executor.KindRemote, tt.code, tt.part)
				if !strings.Contains(e.Console, tt.console) {
					t.Errorf("console %q", e.Console)
				}
			}
		})
	}
	e := r.run(t, "panic")
	if stack, ok := e.Error.Details["stackTrace"].([]any); !ok || len(stack) == 0 || e.Error.Details["errorType"] != "string" {
		t.Errorf("details %v", e.Error.Details)
	}
}

func TestAnswers(t *testing.T) {
	r := newFixture(t, lambda.Options{})
	if e := r.run(t, "text"); !e.OK || e.Text != "no JSON" || string(e.Value) != `"no JSON"` {
		t.Errorf("%+v", e)
	}
	if e := r.run(t, "empty"); !e.OK || e.Value != nil || e.Text != "" {
		t.Errorf("%+v", e)
	}
	free := call("echo")
	free.Params = nil
	req := r.request(free)
	req.Args = nil
	if e := r.Run(t.Context(), req); !e.OK || string(e.Value) != `{}` {
		t.Errorf("%s %+v", e.Value, e.Error)
	}
	session := call("echo")
	session.ContextAccess = &tool.ContextAccess{Read: []string{"user.id", "text"}}
	req = r.request(session)
	req.Session = json.RawMessage(`{"user": {"id": 9007199254740993}, "text": "shadowed"}`)
	if e := r.Run(t.Context(), req); string(e.Value) != `{"text":"a","user.id":9007199254740993}` {
		t.Errorf("%s %+v", e.Value, e.Error)
	}
}

func TestWhatAFunctionKnows(t *testing.T) {
	t.Setenv("LAMBDA_TEST_TOKEN", "secret")
	r := newFixture(t, lambda.Options{})
	tl := call("context")
	tl.Spec.(*tool.Lambda).Timeout = "600000" // for a busy machine
	e := r.Run(t.Context(), r.request(tl))
	var v struct {
		ID, ARN, Name, Dir string
		Left               float64
		Env                []string
	}
	if err := json.Unmarshal(e.Value, &v); err != nil {
		t.Fatal(err)
	}
	root, err := filepath.EvalSymlinks(r.root)
	if err != nil {
		t.Fatal(err)
	}
	if len(v.ID) != 36 || v.ARN != "arn:aws:lambda:local:000000000000:function:context" || v.Name != "context" || v.Dir != root {
		t.Errorf("%+v", v)
	}
	if v.Left <= 0 || v.Left > 600 {
		t.Errorf("%v s are left of 600", v.Left)
	}
	if !slices.ContainsFunc(v.Env, func(e string) bool { return strings.HasPrefix(e, "AWS_LAMBDA_RUNTIME_API=127.0.0.1:") }) {
		t.Errorf("not on loopback alone: %q", v.Env)
	}
	if !slices.Contains(v.Env, "ROLE=context") || slices.Contains(v.Env, "LAMBDA_TEST_TOKEN=secret") {
		t.Errorf("%q", v.Env)
	}
}

// TestDeadline checks that a timeout ends the process, and that the next call has a new one.
func TestDeadline(t *testing.T) {
	r := newFixture(t, lambda.Options{})
	for _, name := range []string{"hang", "mute", "late"} {
		t.Run(name, func(t *testing.T) {
			tl := call(name)
			tl.Spec.(*tool.Lambda).Timeout = "300"
			for range 2 {
				e := r.Run(t.Context(), r.request(tl))
				wants(t, e, executor.KindTimeout, "timeout", "within 300ms (timeout)")
			}
		})
	}
}

func TestFloods(t *testing.T) {
	r := newFixture(t, lambda.Options{})
	r.limits.ResponseBytes = 1 << 20
	wants(t, r.run(t, "prints"), executor.KindLimit, "console-size", "prints prints more than 1 MB")
	wants(t, r.run(t, "flood"), executor.KindLimit, "response-size", "the answer of flood is larger than 1 MB")
	req := r.request(call("echo"))
	req.Args = json.RawMessage(`{"text": "` + strings.Repeat("x", 7<<20) + `"}`)
	wants(t, r.Run(t.Context(), req), executor.KindLimit, "payload-size", "no more than 6 MB")
}

// TestForgedAnswers checks that an answer counts once, and only for the call that it names.
func TestForgedAnswers(t *testing.T) {
	r := newFixture(t, lambda.Options{})
	for range 3 {
		if v := r.value(t, "twice"); v != `"first"` {
			t.Errorf("%s", v)
		}
		e := r.run(t, "forger")
		if string(e.Value) != `"own"` || e.Console != "400 400 400 403 403\n" {
			t.Errorf("%s, console %q", e.Value, e.Console)
		}
	}
}

// TestOneshot checks that a function that ends with its answer is started for each call.
func TestOneshot(t *testing.T) {
	r := newFixture(t, lambda.Options{})
	for range 5 {
		if e := r.run(t, "oneshot"); string(e.Value) != `"once"` || e.Console != "once\n" {
			t.Errorf("%s, console %q, %+v", e.Value, e.Console, e.Error)
		}
	}
}

// TestChatty checks a function that prints very much after its answer. The output belongs to no
// call, or it ends the call during which there is too much of it, together with the function.
func TestChatty(t *testing.T) {
	r := newFixture(t, lambda.Options{})
	r.limits.ResponseBytes = 1 << 20
	for range 6 {
		if e := r.run(t, "chatty"); !e.OK {
			wants(t, e, executor.KindLimit, "console-size", "1 MB")
		} else if string(e.Value) != `"done"` {
			t.Errorf("%s", e.Value)
		}
	}
}

// TestForks checks that the processes that a function started end with it.
func TestForks(t *testing.T) {
	if _, err := exec.LookPath("sleep"); err != nil || runtime.GOOS == "windows" {
		t.Skip("no sleep here")
	}
	r := newFixture(t, lambda.Options{})
	var pid int
	if err := json.Unmarshal([]byte(r.value(t, "forks")), &pid); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	gone(t, pid)
}

// gone waits until no process has a number.
func gone(t *testing.T, pid int) {
	t.Helper()
	p, err := os.FindProcess(pid)
	if err != nil {
		return
	}
	for end := time.Now().Add(patience); p.Signal(syscall.Signal(0)) == nil && !zombie(pid); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d is still there", pid)
		}
	}
}

func zombie(pid int) bool {
	state, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && strings.HasPrefix(string(state), "Z")
}

func pidOf(t *testing.T, r *fixture) int {
	t.Helper()
	var v struct{ PID int }
	if err := json.Unmarshal([]byte(r.value(t, "count")), &v); err != nil {
		t.Fatal(err)
	}
	return v.PID
}

func TestClose(t *testing.T) {
	r := newFixture(t, lambda.Options{})
	pid := pidOf(t, r)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	gone(t, pid)
}

func TestIdle(t *testing.T) {
	r := newFixture(t, lambda.Options{Idle: time.Millisecond})
	gone(t, pidOf(t, r))
	if pidOf(t, r) == 0 {
		t.Error("none after it was idle")
	}
}

// TestBootstrap checks that a script can be a function, which AWS calls a custom runtime.
func TestBootstrap(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the function is a script for bash")
	}
	for _, program := range []string{"bash", "curl"} {
		testdeps.FindProgram(t, program)
	}
	r := newFixture(t, lambda.Options{})
	script, err := os.ReadFile("testdata/bootstrap")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(r.root, "bootstrap"), script, 0o700); err != nil {
		t.Fatal(err)
	}
	r.functions["script"] = tool.Function{Provider: "local", Command: []string{"./bootstrap", "{{env.WORD}}"}}
	req := r.request(call("script"))
	req.Environment.Variables = map[string]string{"WORD": "tenant"}
	e := r.Run(t.Context(), req)
	if !e.OK || string(e.Value) != `{"word": "tenant", "got": {"text":"a"}}` || e.Console != "working\n" {
		t.Errorf("%s, console %q, %+v", e.Value, e.Console, e.Error)
	}
}

func TestDefinitions(t *testing.T) {
	r := newFixture(t, lambda.Options{})
	at := filepath.Join(r.root, "none")
	r.functions["document-processor"] = tool.Function{Provider: "local", Command: []string{"./none"}}
	r.functions["empty"] = tool.Function{Provider: "local"}
	r.functions["other"] = tool.Function{Provider: "ibm"}
	r.functions["relative"] = tool.Function{Provider: "gcp", URL: "/run"}
	r.functions["nowhere"] = tool.Function{Provider: "azure"}
	r.functions["steered"] = tool.Function{Provider: "gcp", URL: "https://example.com/{{text}}"}
	r.functions["single"] = tool.Function{Provider: "gcp", URL: "https://example.com/{text}"}
	r.functions["header"] = tool.Function{Provider: "gcp", URL: "https://example.com/", Headers: map[string]string{"X-A": "{{text}}"}}
	r.functions["word"] = tool.Function{Provider: "local", Command: []string{"sh", "-c", "{{text}}"}}
	r.functions["variable"] = tool.Function{Provider: "local", Command: []string{"sh"}, Env: map[string]string{"A": "{{env.NONE}}"}}
	r.functions["nameless"] = tool.Function{Provider: "aws"}
	r.functions["odd"] = tool.Function{Provider: "aws", Name: "f", Endpoint: "http://127.1/"}
	r.functions["ftp"] = tool.Function{Provider: "gcp", URL: "ftp://example.com/"}
	for name, tt := range map[string]struct {
		function string
		kind     executor.ErrorKind
		code     string
		part     string
	}{
		"misspelt":                   {"document-procesor", executor.KindDefinition, "unknown-function", `abl.yaml has no function "document-procesor"`},
		"no name":                    {"", executor.KindDefinition, "function", "function is missing"},
		"no such file":               {"document-processor", executor.KindDefinition, "program", "functions.document-processor.command: ./none cannot be started: there is no such file in " + filepath.Dir(at)},
		"no command":                 {"empty", executor.KindDefinition, "function", "functions.empty.command is missing"},
		"another provider":           {"other", executor.KindDefinition, "function", `functions.other.provider: "ibm" is none of`},
		"a relative URL":             {"relative", executor.KindDefinition, "function", "functions.relative.url: /run is no absolute URL"},
		"no URL":                     {"nowhere", executor.KindDefinition, "function", "functions.nowhere.url is missing"},
		"an argument in the URL":     {"steered", executor.KindDefinition, "template", "functions.steered.url: an argument (text) cannot stand here"},
		"an argument alone":          {"single", executor.KindDefinition, "template", "functions.single.url: an argument (text) cannot stand here"},
		"an argument in a header":    {"header", executor.KindDefinition, "template", "functions.header.headers.X-A: an argument"},
		"an argument in the command": {"word", executor.KindDefinition, "template", "functions.word.command: an argument"},
		"an unknown variable":        {"variable", executor.KindDefinition, "template", "functions.variable.env.A: {{env.NONE}} is no variable"},
		"no name at the provider":    {"nameless", executor.KindDefinition, "function", "functions.nameless.name is missing"},
		"an address written short":   {"odd", executor.KindDenied, "unsafe-url", "127.1"},
		"another scheme":             {"ftp", executor.KindDenied, "unsafe-url", "ftp"},
	} {
		t.Run(name, func(t *testing.T) {
			wants(t, r.run(t, tt.function), tt.kind, tt.code, tt.part)
		})
	}
	if e := r.run(t, "document-procesor"); !strings.HasPrefix(e.Error.Hint, "It has document-processor, ") {
		t.Errorf("hint %q", e.Error.Hint)
	}
	r.functions = nil
	if e := r.run(t, "f"); !strings.Contains(e.Error.Hint, "functions: {f: ") {
		t.Errorf("hint %q", e.Error.Hint)
	}
}

// TestConfirmationCoversTheFunction checks that a confirmation covers the project's settings of the
// function.
func TestConfirmationCoversTheFunction(t *testing.T) {
	r := newFixture(t, lambda.Options{})
	digest := func() string {
		e := r.Run(t.Context(), r.request(mutating("echo")))
		if e.Needs == nil || e.Needs.Confirmation == nil {
			t.Fatalf("%+v", e.Error)
		}
		return e.Needs.Confirmation.Digest
	}
	before := digest()
	f := r.functions["echo"]
	f.Env = map[string]string{"ROLE": "refuse"}
	r.functions["echo"] = f
	if digest() == before {
		t.Error("another function, the same digest")
	}
	program := filepath.Join(r.root, "function.mjs")
	f.Command = []string{"node", "function.mjs"}
	r.functions["echo"] = f
	written := time.Unix(1, 0)
	write := func(text string) string {
		if err := os.WriteFile(program, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(program, written, written); err != nil {
			t.Fatal(err)
		}
		return digest()
	}
	if write("// one") == write("// two") {
		t.Error("another program, the same digest")
	}
}

func TestDenied(t *testing.T) {
	r := newFixture(t, lambda.Options{})
	req := r.request(call("echo"))
	req.Environment.Permissions.Deny = []tool.Permission{{Kind: "process", Resource: os.Args[0]}}
	wants(t, r.Run(t.Context(), req), executor.KindDenied, "permission", "deny process:start:")
	r.functions["web"] = tool.Function{Provider: "gcp", URL: "https://example.com/run"}
	req = r.request(call("web"))
	req.Environment.Permissions.Deny = []tool.Permission{{Kind: "web", Resource: "*.com"}}
	wants(t, r.Run(t.Context(), req), executor.KindDenied, "permission", "deny web:post:example.com")
}

func TestPreview(t *testing.T) {
	r := newFixture(t, lambda.Options{})
	secret := "{{secrets.KEY}}"
	r.functions = map[string]tool.Function{
		"local": {Provider: "local", Command: []string{"./bootstrap", "x"}, Env: map[string]string{"KEY": secret}},
		"gcp":   {Provider: "gcp", URL: "https://example.com/run?code=" + secret, Headers: map[string]string{"X-A": secret}},
		"aws":   {Provider: "aws", Name: "arn:aws:lambda:eu-west-1:123456789012:function:f:live", Endpoint: "http://127.0.0.1:9001"},
	}
	for name, want := range map[string]string{
		"local": `{"function":"local","provider":"local","command":["./bootstrap","x"],"env":{"KEY":"••••(KEY)"},"payload":{"text":"a"}}`,
		"gcp": `{"function":"gcp","provider":"gcp","method":"POST","url":"https://example.com/run?code=••••(KEY)","headers":` +
			`{"Accept":"application/json, */*;q=0.8","Content-Type":"application/json","User-Agent":"abl-lsp","X-A":"••••(KEY)"},"payload":{"text":"a"}}`,
		"aws": `{"function":"aws","provider":"aws","name":"arn:aws:lambda:eu-west-1:123456789012:function:f:live","region":"eu-west-1",` +
			`"endpoint":"http://127.0.0.1:9001","payload":{"text":"a"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			e := r.Preview(t.Context(), r.request(call(name)))
			if string(e.Value) != want {
				t.Errorf("%s: %s %v", name, e.Value, e.Error)
			}
		})
	}
}

// TestLeavesNothing checks that no process, listener or goroutine of the functions is left after
// Close.
func TestLeavesNothing(t *testing.T) {
	r := newFixture(t, lambda.Options{})
	before := runtime.NumGoroutine()
	for range 3 {
		for _, name := range []string{"count", "panic", "crash", "bad", "unfit", "stream", "twice", "mute"} {
			tl := call(name)
			tl.Spec.(*tool.Lambda).Timeout = "500"
			r.Run(t.Context(), r.request(tl))
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	r.listener.server.CloseClientConnections()
	for end := time.Now().Add(patience); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, %d before\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}
