package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// chdirToFiles creates a folder with files, and changes to it.
func chdirToFiles(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, content := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// stoppingRunner is a kind whose calls end when the others have been stopped.
type stoppingRunner struct{ stop func() }

func (s stoppingRunner) Run(_ context.Context, call executor.Call) (executor.Result, error) {
	s.stop()
	if call.Scope.Args["ok"] == true {
		return executor.Result{Value: []byte(`1`)}, nil
	}
	return executor.Result{}, executor.Errorf(executor.KindRemote, "no", "the other side says no")
}

// TestStoppedTooLate checks that a case that has ended although the others were stopped
// has its own result, and is not skipped.
func TestStoppedTooLate(t *testing.T) {
	chdirToFiles(t, map[string]string{
		"a.tools.abl":  "TOOLS:\n  ask(ok: boolean) -> number\n    type: http\n    endpoint: \"http://127.0.0.1:1/\"\n    method: GET\n",
		"a.cases.yaml": "ask:\n  - {name: 🛫, args: {ok: true}, expect: {value: value == 1}}\n  - {name: differs, args: {ok: true}, expect: {value: value == 2}}\n  - {name: fails, args: {ok: false}}\n",
	})
	sources, err := caseFiles([]string{"."})
	if err != nil {
		t.Fatal(err)
	}
	w, err := loadAll(t.Context(), sources)
	if err != nil {
		t.Fatal(err)
	}
	for i, tt := range []struct {
		name string
		want testStatus
	}{
		{"passes", statusPass}, {"differs", statusFail}, {"fails", statusFail},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			ex := executor.New(executor.Options{Runners: map[tool.Kind]executor.Runner{tool.KindHTTP: stoppingRunner{stop}}})
			defer ex.Close()
			answer, _ := answerFlags{yes: true}.parse()
			r := testRun{workspace: w, flags: testFlags{repeat: 1, jobs: 1}, answer: answer, executor: ex}
			tests := allTests(w, sources)[i : i+1]
			r.tools = r.findTools(ctx, tests)
			if got := r.runRepeatedly(ctx, tests[0]); got.status != tt.want {
				t.Errorf("%s is %s, %s", got.name(), got.status, got.message)
			}
		})
	}
}

// TestJUnitOfCases checks that, whatever the results of cases are, the report matches the
// schema and its counts are those of its cases.
func TestJUnitOfCases(t *testing.T) {
	chdirToFiles(t, map[string]string{
		"a.tools.abl": "TOOLS:\n  say(text: string) -> string\n    type: sandbox\n    runtime: javascript\n    code: |\n      return text\n" +
			"  fail(text: string) -> string\n    type: sandbox\n    runtime: javascript\n    code: |\n      throw new Error(text)\n" +
			"  ask() -> string\n    type: http\n    endpoint: \"https://example.com/\"\n    method: POST\n",
		"a.cases.yaml": `say:
  - {name: "passes \u0001 <&\"'>", args: {text: "\u0000\u001b[2J ]]> 🛫 \uD83D\uFFFE"}}
  - {name: "differs \u0007", args: {text: "\u0000\u001b[2J ]]> 🛫 \uFFFE"}, expect: {value: 'value == "\u0001"'}}
  - {name: later, args: {text: a}, skip: "\u0002 not now"}
  - {name: misspelt, arg: {text: a}}
fail:
  - {name: throws, args: {text: "\u0000\u001b[2J ]]> 🛫"}}
ask:
  - {name: is not confirmed}
gone:
  - {name: of no tool}
`,
		"b.tools.abl":  "TOOLS:\n",
		"b.cases.yaml": "x:\n  - name: a\n  half\n",
	})
	var out, errs bytes.Buffer
	run(t.Context(), []string{"test", ".", "--format", "junit"}, strings.NewReader(""), &out, &errs)
	if said, err := xmllint(t, out.Bytes()); err != nil {
		t.Errorf("%v\n%s\n%s", err, said, out.Bytes())
	}
	var report junitReport
	if err := xml.Unmarshal(out.Bytes(), &report); err != nil || len(report.Suites) == 0 {
		t.Fatalf("%v, %s", err, &errs)
	}
	if s := report.Suites[0]; s.Tests != 7 || s.Failures != 5 || s.Skipped != 1 || s.Errors != 0 {
		t.Errorf("%d tests, %d failures, %d skipped, %d errors", s.Tests, s.Failures, s.Skipped, s.Errors)
	}
}
