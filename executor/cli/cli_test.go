package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/cli"
	"github.com/abl-lsp/abl-lsp/tool"
)

// program returns a tool that runs this test binary in a mode. Parameters are written name:type; an
// optional one ends with ?.
func program(t testing.TB, mode string, params ...string) (tool.Tool, *tool.CLI) {
	s := &tool.CLI{Binary: self(t), Env: asMode(mode)}
	tl := tool.Tool{Name: "try", Kind: tool.KindCLI, Spec: s}
	for _, p := range params {
		name, typ, _ := strings.Cut(p, ":")
		typ, optional := strings.CutSuffix(typ, "?")
		parsed := &tool.Type{Name: typ}
		if elem, ok := strings.CutSuffix(typ, "[]"); ok {
			parsed = &tool.Type{Name: "array", Elem: &tool.Type{Name: elem}}
		}
		tl.Params = append(tl.Params, tool.Param{Name: name, Type: parsed, Optional: optional})
	}
	return tl, s
}

func newExecutor() *executor.Executor {
	return executor.New(executor.Options{Runners: map[tool.Kind]executor.Runner{tool.KindCLI: cli.New()}})
}

func run(t testing.TB, tl tool.Tool, args string) executor.Envelope {
	return newExecutor().Run(t.Context(), request(tl, args))
}

func request(tl tool.Tool, args string) executor.Request {
	return executor.Request{Tool: &tl, Args: json.RawMessage(args), Trusted: true, Yes: true}
}

// TestWords checks which words arguments become.
func TestWords(t *testing.T) {
	for _, tt := range []struct {
		params, args string
		want         []string
	}{
		{"", ``, []string{}},
		{"namespace:string", `{"namespace": "kube system"}`, []string{"--namespace", "kube system"}},
		{"output_format:string", `{"output_format": "json"}`, []string{"--output-format", "json"}},
		{"all:boolean", `{"all": true}`, []string{"--all"}},
		{"all:boolean", `{"all": false}`, []string{}},
		{"all:string", `{"all": "true"}`, []string{"--all", "true"}},
		{"n:number", `{"n": 12345678901234567890.10}`, []string{"--n", "12345678901234567890.10"}},
		{"s:string", `{"s": ""}`, []string{"--s", ""}},
		{"b:string a:string", `{"a": "1", "b": "2"}`, []string{"--b", "2", "--a", "1"}},
		{"label:string[]", `{"label": ["a", "b c"]}`, []string{"--label", "a", "--label", "b c"}},
		{"label:string[]", `{"label": []}`, []string{}},
		{"on:boolean[]", `{"on": [true, false, true]}`, []string{"--on", "--on"}},
		{"command:string", `{"command": "get pods"}`, []string{"get", "pods"}},
		{"command:string", `{"command": "  get   pods "}`, []string{"get", "pods"}},
		{"all:boolean command:string", `{"command": "get pods", "all": true}`, []string{"get", "pods", "--all"}},
		{"é:string", `{"é": "x"}`, []string{"--é", "x"}},
		{"x:string? y:string", `{"y": "1"}`, []string{"--y", "1"}},
		{"x:string", `{"x": "a=b,c:d/e%f!g*h?i[j]k#l~m'n\"o\\p^q\t"}`, []string{"--x", "a=b,c:d/e%f!g*h?i[j]k#l~m'n\"o\\p^q\t"}},
	} {
		t.Run(tt.args, func(t *testing.T) {
			tl, _ := program(t, "words", strings.Fields(tt.params)...)
			e := newExecutor().Preview(t.Context(), request(tl, tt.args))
			var shown struct{ Argv []string }
			if err := json.Unmarshal(e.Value, &shown); err != nil || !slices.Equal(shown.Argv[1:], tt.want) {
				t.Errorf("%s %s: %s %+v, want %q", tt.params, tt.args, e.Value, e.Error, tt.want)
			}
		})
	}
}

// TestWordsArrive checks that a program gets the words that a preview shows.
func TestWordsArrive(t *testing.T) {
	tl, _ := program(t, "words", "command:string", "all:boolean", "x:string[]")
	e := run(t, tl, `{"command": "get pods", "all": true, "x": ["a'b\"c\\", "", "*", "😀 %PATH%"]}`)
	if got := string(e.Value); got != `["get","pods","--all","--x","a'b\"c\\","--x","","--x","*","--x","😀 %PATH%"]` {
		t.Errorf("%s %+v", got, e.Error)
	}
}

// TestRefused checks which values cannot be words, and which argument the error names.
func TestRefused(t *testing.T) {
	for name, tt := range map[string]struct {
		params, args, at string
		kind             executor.ErrorKind
	}{
		"an option":                      {"x:string", `{"x": "-rf"}`, "x: ", executor.KindArguments},
		"a dash":                         {"x:string", `{"x": "-"}`, "x: ", executor.KindArguments},
		"two dashes":                     {"x:string", `{"x": "--"}`, "x: ", executor.KindArguments},
		"two dashes within a command":    {"command:string", `{"command": "get -- pods"}`, "command: ", executor.KindArguments},
		"a long option":                  {"x:string", `{"x": "--exec=sh"}`, "x: ", executor.KindArguments},
		"a negative number":              {"x:number", `{"x": -1}`, "x: ", executor.KindArguments},
		"an option in a list":            {"x:string[]", `{"x": ["a", "-b"]}`, "x[1]: ", executor.KindArguments},
		"an object":                      {"x:object", `{"x": {"a": 1}}`, "x: ", executor.KindArguments},
		"a list in a list":               {"x:array", `{"x": [[1]]}`, "x[0]: ", executor.KindArguments},
		"a long option within a command": {"command:string", `{"command": "get --all"}`, "command: ", executor.KindArguments},
		"two commands":                   {"command:string", `{"command": "get pods; rm"}`, "command: ", executor.KindArguments},
		"a command that is a list":       {"command:string[]", `{"command": ["get"]}`, "command: ", executor.KindArguments},
		"an equals sign in a name":       {"x=y:string", `{"x=y": "1"}`, "x=y", executor.KindDefinition},
		"a name like an option":          {"-x:string", `{"-x": "1"}`, "-x", executor.KindDefinition},
		"names that become one":          {"a-b:string a_b:string", `{"a-b": "1", "a_b": "2"}`, "a-b and a_b", executor.KindDefinition},
		"too long":                       {"x:string", `{"x": "` + strings.Repeat("a", 100_001) + `"}`, "the command line", executor.KindLimit},
	} {
		t.Run(name, func(t *testing.T) {
			tl, _ := program(t, "words", strings.Fields(tt.params)...)
			wants(t, run(t, tl, tt.args), tt.kind, tt.at)
		})
	}
	for _, c := range ";|`$(){}&<>\n\r\x00\x1b\x7f\u0085\u009b\u2028\u2029" {
		t.Run(fmt.Sprintf("%U", c), func(t *testing.T) {
			raw, err := json.Marshal(map[string]string{"branch": "main" + string(c)})
			if err != nil {
				t.Fatal(err)
			}
			tl, s := program(t, "words", "branch:string")
			wants(t, run(t, tl, string(raw)), executor.KindArguments, "branch: "+strconv.QuoteRune(c))
			s.Env["BRANCH"] = "{{branch}}"
			wants(t, run(t, tl, string(raw)), executor.KindArguments, "branch: "+strconv.QuoteRune(c))
		})
	}
}

func wants(t *testing.T, e executor.Envelope, kind executor.ErrorKind, part string) {
	t.Helper()
	if e.OK || e.Error.Kind != kind || !strings.Contains(e.Error.Message, part) {
		t.Errorf("%+v; want %s: …%s…", e.Error, kind, part)
	}
}

func TestAllowedCommands(t *testing.T) {
	tl, s := program(t, "words", "command:string?", "all:boolean?")
	s.AllowedCommands = []string{"get", "describe"}
	if e := run(t, tl, `{"command": "describe pod a"}`); string(e.Value) != `["describe","pod","a"]` {
		t.Errorf("%s %+v", e.Value, e.Error)
	}
	for name, args := range map[string]string{
		"another command":  `{"command": "delete pod a"}`,
		"in capitals":      `{"command": "GET"}`,
		"a longer word":    `{"command": "getx"}`,
		"a blank":          `{"command": " "}`,
		"a path":           `{"command": "./get"}`,
		"no command":       `{}`,
		"another argument": `{"all": true}`,
	} {
		t.Run(name, func(t *testing.T) {
			wants(t, run(t, tl, args), executor.KindArguments, "command: must begin with one of get, describe")
		})
	}
	tl, s = program(t, "words", "all:boolean")
	s.AllowedCommands = []string{"get"}
	wants(t, run(t, tl, `{"all": true}`), executor.KindDefinition, "allowed_commands")
}

func TestOutput(t *testing.T) {
	tl, _ := program(t, "print", "n:number")
	tl.Returns = &tool.Type{Name: "string"}
	e := run(t, tl, `{"n": 4000}`)
	if e.Truncated != nil || len(e.Warnings) > 0 || e.Text != strings.Repeat("ü", 4000) {
		t.Errorf("%+v %q", e.Truncated, e.Warnings)
	}
	e = run(t, tl, `{"n": 4001}`)
	if !e.OK || e.Truncated == nil || e.Truncated.Kept != 4000 || *e.Truncated.Total != 4001 || e.Text != strings.Repeat("ü", 4000) {
		t.Errorf("%+v %d characters", e.Truncated, len(e.Text)/2)
	}
	if want := []string{"the output was cut: 4000 of its 4001 characters are kept"}; !slices.Equal(e.Warnings, want) {
		t.Errorf("%q", e.Warnings)
	}

	tl, _ = program(t, "rows")
	e = run(t, tl, ``)
	if e.Render == nil || e.Render.Kind != "table" || !strings.Contains(string(e.Value), "12345678901234567890") || e.ContentType != "application/json" {
		t.Errorf("%+v %s %s", e.Render, e.Value, e.ContentType)
	}
	tl.Returns = &tool.Type{Name: "string"}
	if e = run(t, tl, ``); e.Render != nil || e.Text == "" || e.ContentType != "text/plain" {
		t.Errorf("%+v %s %q", e.Render, e.Value, e.ContentType)
	}

	tl, _ = program(t, "nothing")
	for _, name := range []string{"string", "any", "object"} {
		t.Run(name, func(t *testing.T) {
			tl.Returns = &tool.Type{Name: name, Nullable: true}
			want := map[bool]string{true: "", false: `""`}[name == "object"]
			if e = run(t, tl, ``); !e.OK || string(e.Value) != want || e.ContentType != "text/plain" {
				t.Errorf("%s: %+v %s %q", name, e.Error, e.Value, e.ContentType)
			}
		})
	}

	tl, _ = program(t, "bytes")
	if e = run(t, tl, ``); e.Text != "a\ufffdb" || e.Console != "a note" || len(e.Warnings) != 1 {
		t.Errorf("%q %q %q", e.Text, e.Console, e.Warnings)
	}
}

// TestCutJSON checks that a JSON value that was cut is an error.
func TestCutJSON(t *testing.T) {
	tl, _ := program(t, "leak")
	tl.Returns = &tool.Type{Name: "object"}
	if e := run(t, tl, ``); !e.OK {
		t.Fatalf("%+v", e.Error)
	}
	tl, _ = program(t, "words", "a:string")
	tl.Returns = &tool.Type{Name: "array"}
	args := `{"a": "` + strings.Repeat("x", 5000) + `"}`
	wants(t, run(t, tl, args), executor.KindLimit, "no whole value")
	tl.Returns = &tool.Type{Name: "string"}
	if e := run(t, tl, args); !e.OK || e.Truncated == nil {
		t.Errorf("%+v", e.Error)
	}
}

func TestExit(t *testing.T) {
	tl, _ := program(t, "refuse")
	e := run(t, tl, ``)
	wants(t, e, executor.KindRemote, "exit status 3")
	stderr, _ := e.Error.Details["stderr"].(string)
	if e.Error.Code != "exit" || e.Error.Details["exit_code"] != 3 || stderr != strings.Repeat("e", 2000) {
		t.Errorf("%s %v, %d characters of stderr", e.Error.Code, e.Error.Details["exit_code"], len(stderr))
	}
	if e.Text != strings.Repeat("o", 2000) || e.Truncated == nil || e.Truncated.Kept != 2000 || *e.Truncated.Total != 3000 {
		t.Errorf("%d characters, %+v", len(e.Text), e.Truncated)
	}
	if !strings.HasSuffix(e.Console, "no such pod\n") {
		t.Errorf("console %q", e.Console)
	}
}

func TestProgram(t *testing.T) {
	folder := t.TempDir()
	name := "own"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if err := os.MkdirAll(filepath.Join(folder, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	copied, err := os.ReadFile(self(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "sub", name), copied, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "hand.cmd"), []byte("#!/bin/sh\necho no\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	tl, s := program(t, "folder")
	tl.Origin.File = filepath.Join(folder, "x.tools.abl")
	try := func(binary string) executor.Envelope {
		s.Binary = binary
		r := request(tl, "")
		r.Session = json.RawMessage(`{"x": "own"}`)
		r.Environment.Root = filepath.Join(folder, "sub")
		r.Environment.Variables = map[string]string{"DIR": "sub"}
		return newExecutor().Run(t.Context(), r)
	}
	for _, binary := range []string{"./sub/" + name, "sub/" + name, "{{env.DIR}}/" + name, filepath.Join(folder, "sub", name)} {
		t.Run(binary, func(t *testing.T) {
			e := try(binary)
			if got, err := filepath.EvalSymlinks(e.Text); err != nil || filepath.Base(got) != "sub" {
				t.Errorf("%s starts in %q: %+v", binary, e.Text, e.Error)
			}
		})
	}
	t.Setenv("PATH", folder+string(filepath.ListSeparator)+filepath.Join(folder, "sub"))
	if e := try(name); !e.OK {
		t.Errorf("%+v", e.Error)
	}
	for name, tt := range map[string]struct{ binary, part string }{
		"not in PATH":                {"no-such-program", "there is no such program in PATH"},
		"no such file":               {"./own2", "there is no such file"},
		"a batch file in PATH":       {"hand.cmd", "a batch file"},
		"a batch file in the folder": {"./hand.cmd", "a batch file"},
		"nothing":                    {"", "binary is missing"},
		"a blank":                    {" ", "binary is missing"},
		"an option":                  {"-x", "begins with -"},
		"a zero byte":                {"a\x00b", "no name of a program"},
		"an argument":                {"{{input}}", "cannot stand here"},
		"the session":                {"{{session.x}}", "cannot stand here"},
		"an unknown variable":        {"{{env.NONE}}", "no variable"},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.binary == "hand.cmd" && runtime.GOOS == "windows" {
				tt.part = "batch"
			}
			wants(t, try(tt.binary), executor.KindDefinition, tt.part)
		})
	}
}

func TestEnvironment(t *testing.T) {
	t.Setenv("ABL_NOT_HANDED_ON", "1")
	tl, s := program(t, "environment", "who:string", "n:number?")
	s.Env["WHO"], s.Env["TOKEN"], s.Env["TENANT"] = "<{{who}}>", "{{secrets.T}}", "{{env.TENANT}}"
	r := request(tl, `{"who": "-a b"}`)
	r.Secrets = map[string]string{"T": "s3cret-value"}
	r.Environment.Variables = map[string]string{"TENANT": "demo"}
	e := newExecutor().Run(t.Context(), r)
	var got []string
	if err := json.Unmarshal(e.Value, &got); err != nil {
		t.Fatalf("%+v %s", e.Error, e.Text)
	}
	for _, want := range []string{"WHO=<-a b>", "TOKEN=••••(T)", "TENANT=demo"} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is missing in %q", want, got)
		}
	}
	for _, line := range got {
		if strings.HasPrefix(line, "ABL_NOT_HANDED_ON=") {
			t.Error("a variable of this process was handed on")
		}
	}
	e = newExecutor().Preview(t.Context(), r)
	if got := string(e.Value); !strings.Contains(got, `"TOKEN":"••••(T)"`) || strings.Contains(got, "--who") {
		t.Error(got)
	}
}

// TestCancelEndsFamily checks that a cancelled run ends everything that the program has started.
func TestCancelEndsFamily(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("signal 0 asks nothing there; executor/process has the test for its groups")
	}
	pidFile := filepath.Join(t.TempDir(), "child")
	tl, s := program(t, "family")
	s.Env["ABL_CLI_CHILD"] = pidFile
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan executor.Envelope, 1)
	go func() { done <- newExecutor().Run(ctx, request(tl, "")) }()
	var child int
	for began := time.Now(); child == 0 && time.Since(began) < 20*time.Second; time.Sleep(5 * time.Millisecond) {
		child = childPID(pidFile)
	}
	cancel()
	if e := <-done; e.OK || e.Error.Code != "cancelled" {
		t.Errorf("%+v", e.Error)
	}
	ends(t, child)
}

// TestTimeoutEndsFamily checks the same for a timeout. How long the program takes to start
// something depends on the machine.
func TestTimeoutEndsFamily(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("signal 0 asks nothing there; executor/process has the test for its groups")
	}
	pidFile := filepath.Join(t.TempDir(), "child")
	tl, s := program(t, "family")
	s.Env["ABL_CLI_CHILD"] = pidFile
	for ms := 250; childPID(pidFile) == 0 && ms < 60_000; ms *= 2 {
		s.Timeout = tool.Number(strconv.Itoa(ms))
		wants(t, run(t, tl, ""), executor.KindTimeout, "(timeout)")
	}
	ends(t, childPID(pidFile))
}

// childPID returns the number of the child that a program has written to file, 0 before that.
func childPID(file string) int {
	text, _ := os.ReadFile(file)
	child, _ := strconv.Atoi(string(text))
	return child
}

func ends(t *testing.T, child int) {
	t.Helper()
	p, err := os.FindProcess(child)
	if child == 0 || err != nil {
		t.Fatal("no child")
	}
	for began := time.Now(); p.Signal(syscall.Signal(0)) == nil; time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > 20*time.Second {
			t.Fatal("the child lives on")
		}
	}
}

func TestTimeout(t *testing.T) {
	tl, s := program(t, "hang")
	s.Timeout = "100"
	e := run(t, tl, "")
	wants(t, e, executor.KindTimeout, "100ms (timeout)")
	if e.Error.Retryable {
		t.Error("it may have changed something, and is retryable")
	}
}

// TestGate checks that a program counts as a change unless the tool says otherwise.
func TestGate(t *testing.T) {
	for _, tt := range []struct {
		change func(*tool.Tool)
		yes    bool
		code   string // "": it runs
	}{
		{func(*tool.Tool) {}, false, "confirmation"},
		{func(*tool.Tool) {}, true, ""},
		{func(tl *tool.Tool) { tl.RiskLevel = "safe" }, false, ""},
		{func(tl *tool.Tool) { tl.RiskLevel = "confirm"; tl.Hints.SideEffects = "false" }, false, "confirmation"},
		{func(tl *tool.Tool) { tl.RiskLevel = "blocked" }, true, "blocked"},
		{func(tl *tool.Tool) { tl.Enabled = "false" }, true, "blocked"},
		{func(tl *tool.Tool) { tl.Hints.SideEffects = "false" }, false, ""},
	} {
		t.Run(tt.code, func(t *testing.T) {
			tl, _ := program(t, "words")
			tt.change(&tl)
			r := request(tl, "")
			r.Yes = tt.yes
			e := newExecutor().Run(t.Context(), r)
			if e.OK != (tt.code == "") || !e.OK && e.Error.Code != tt.code {
				t.Errorf("%+v: %v %+v", tl.Common, e.OK, e.Error)
			}
		})
	}
}

// TestConfirmationCoversTheProgram checks that a changed script must be confirmed again.
func TestConfirmationCoversTheProgram(t *testing.T) {
	folder := t.TempDir()
	tl := tool.Tool{Name: "deploy", Kind: tool.KindCLI, Spec: &tool.CLI{Binary: "./deploy"}}
	tl.Origin.File = filepath.Join(folder, "x.tools.abl")
	written := time.Unix(1, 0)
	ask := func(content string) *executor.Confirmation {
		path := filepath.Join(folder, "deploy")
		if err := os.WriteFile(path, []byte(content), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, written, written); err != nil {
			t.Fatal(err)
		}
		r := request(tl, "")
		r.Yes = false
		return newExecutor().Run(t.Context(), r).Needs.Confirmation
	}
	first := ask("#!/bin/sh\n: one")
	if first.Digest != ask("#!/bin/sh\n: one").Digest || first.Digest == ask("#!/bin/sh\n: two").Digest {
		t.Error("the digest is not that of the program")
	}
	if !strings.Contains(first.Summary, "does not cover what deploy loads") {
		t.Error(first.Summary)
	}
	tl.Spec = &tool.CLI{Binary: "sh"}
	if c := ask(""); !strings.Contains(c.Summary, "does not cover sh (found on PATH)") {
		t.Error(c.Summary)
	}
}

func TestDenied(t *testing.T) {
	program1, s := program(t, "words")
	for name, resource := range map[string]string{
		"its name":      filepath.Base(s.Binary),
		"its path":      s.Binary,
		"every program": "*",
	} {
		t.Run(name, func(t *testing.T) {
			r := request(program1, "")
			r.Environment.Permissions.Deny = []tool.Permission{{Kind: "process", Op: "start", Resource: resource}}
			wants(t, newExecutor().Run(t.Context(), r), executor.KindDenied, "deny process:start:")
		})
	}
}

// FuzzWords checks that no argument adds an option, or a word that is not its own.
func FuzzWords(f *testing.F) {
	for _, s := range []string{"", "a b", "-x", "--", ";rm", "get pods", "\x00", "$(id)", "ü 😀"} {
		f.Add(s, s)
	}
	x := newExecutor()
	f.Fuzz(func(t *testing.T, command, value string) {
		tl, s := program(t, "words", "command:string?", "value:string")
		s.AllowedCommands = []string{"get"}
		args, err := json.Marshal(map[string]string{"command": "get " + command, "value": value})
		if err != nil {
			t.Fatal(err)
		}
		e := x.Preview(t.Context(), request(tl, string(args)))
		if !e.OK {
			if e.Error.Kind != executor.KindArguments && e.Error.Kind != executor.KindLimit {
				t.Fatalf("%+v", e.Error)
			}
			return
		}
		var shown struct{ Argv []string }
		if err := json.Unmarshal(e.Value, &shown); err != nil {
			t.Fatal(err)
		}
		words := shown.Argv
		options := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !strings.HasPrefix(w, "-") })
		if words[1] != "get" || !slices.Equal(options, []string{"--value"}) || words[len(words)-2] != "--value" {
			t.Fatalf("%q", words)
		}
		if joined := strings.Join(words[1:], ""); strings.ContainsAny(joined, ";|`$(){}&<>\n\r\x00") {
			t.Fatalf("%q", words)
		}
	})
}

func BenchmarkWords(b *testing.B) {
	tl, s := program(b, "words", "command:string", "namespace:string", "all:boolean")
	s.AllowedCommands = []string{"get"}
	x, r := newExecutor(), request(tl, `{"command": "get pods", "namespace": "default", "all": true}`)
	for b.Loop() {
		if e := x.Preview(b.Context(), r); !e.OK {
			b.Fatal(e.Error)
		}
	}
}

func BenchmarkRun(b *testing.B) {
	tl, s := program(b, "words", "command:string")
	s.AllowedCommands = []string{"get"}
	x, r := newExecutor(), request(tl, `{"command": "get pods"}`)
	for b.Loop() {
		if e := x.Run(b.Context(), r); !e.OK {
			b.Fatal(e.Error)
		}
	}
}
