package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// hostileAnswers returns answers that are deeply nested, or large.
func hostileAnswers() map[string]string {
	nested := func(open, inner, closing string, depth int) string {
		return strings.Repeat(open, depth) + inner + strings.Repeat(closing, depth)
	}
	list := func(item string, n int) string { return "[" + strings.Repeat(item+",", n-1) + item + "]" }
	return map[string]string{
		"lists":     nested("[", "", "]", 9_900),
		"too_deep":  nested("[", "", "]", 50_000), // too deep for a JSON decoder, so it is returned as text
		"objects":   nested(`{"a":`, `"hush-hush"`, "}", 9_000),
		"comb":      nested("[", list("1", 25_000), "]", 9_000),
		"shallow":   nested("[", list("1", 25_000), "]", 90),
		"staircase": nested("[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,", "1", "]", 600),
		"long_keys": nested(`{"`+strings.Repeat("🧭", 100)+`":`, "1", "}", 1_000),
		"numbers":   list("1", 1_500_000),
		"misfits":   list("1", 400_000),
		"rows":      list(nested(`{"a":`, "1", "}", 200), 500),
		"lines":     `{"a":"` + strings.Repeat(`x\n`, 500_000) + `"}`,
	}
}

// hostileTypes are the declared types of some answers, with the lines that follow them.
// For other answers the kind decides.
var hostileTypes = map[string]string{
	"numbers": "number[]", "misfits": "string[]", "rows": "any\n    verify: len(result) > 0",
}

// hostileProject returns a folder with a tool for each answer, and with cases that fail.
func hostileProject(t *testing.T, answers map[string]string) string {
	t.Helper()
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, answers[strings.TrimPrefix(r.URL.Path, "/")])
	}))
	t.Cleanup(api.Close)
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(".env", "KEY=hush-hush\n")
	for name, answer := range answers {
		kind := cmp.Or(hostileTypes[name], map[byte]string{'[': "array", '{': "object"}[answer[0]])
		tools := fmt.Sprintf("TOOLS:\n  get() -> %s\n    type: http\n    endpoint: \"%s/%s\"\n    method: GET\n    headers:\n      X-Key: \"{{secrets.KEY}}\"\n", kind, api.URL, name)
		cases := "get:\n  - {name: fails, expect: {ok: false}}\n"
		if len(answer) < 1<<20 {
			tools += "    output_schema: {\"anyOf\": [{\"type\": \"array\", \"items\": {\"$ref\": \"#\"}}, {\"properties\": {\"a\": {\"$ref\": \"#\"}}}]}\n" +
				"    on_result:\n      set:\n        found = result != null\n"
			cases += "  - {name: is another, expect: {value: \"value == [1]\"}}\n  - {name: is no condition, expect: {value: value}}\n"
		}
		write(name+".tools.abl", tools)
		write(name+".cases.yaml", cases)
	}
	return dir
}

// TestHostileAnswers checks that whatever an answer looks like, the output about it is
// not much larger than the answer, and takes little memory.
func TestHostileAnswers(t *testing.T) {
	answers := hostileAnswers()
	dir, state := hostileProject(t, answers), t.TempDir()
	whole := 0
	for _, answer := range answers {
		whole += len(answer) + 16<<10
	}
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			tools := name + ".tools.abl"
			for _, args := range [][]string{
				{"run", tools, "get", "--allow-host", "127.0.0.1"},
				{"run", tools, "get", "--allow-host", "127.0.0.1", "--format", "json"},
			} {
				out := outputWithin(t, dir, state, 4*len(answer)+64<<10, args...)
				if args[len(args)-1] == "json" && !json.Valid(out) && !isTooDeep(out) {
					t.Errorf("%v prints no JSON: %.200s", args, out)
				}
				if bytes.Contains(out, []byte("hush-hush")) {
					t.Errorf("%v prints the secret", args)
				}
			}
		})
	}
	for _, tt := range []struct {
		name string
		args []string
	}{
		{"tests", []string{"test", ".", "--allow-host", "127.0.0.1"}},
		{"tests as JUnit", []string{"test", ".", "--allow-host", "127.0.0.1", "--format", "junit"}},
		{"tests as JSON", []string{"test", ".", "--allow-host", "127.0.0.1", "--format", "json", "--filter", "fails"}},
		{"history", []string{"history", "--limit", "0"}}, // of the runs above, if they are asked for
		{"history as JSON", []string{"history", "--limit", "0", "--format", "json"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			outputWithin(t, dir, state, 4*whole, tt.args...)
		})
	}
}

// isTooDeep reports whether Go's own decoder refuses a value as too deep. In an envelope
// a value is one level deeper.
func isTooDeep(raw []byte) bool {
	_, invalid := errors.AsType[*json.SyntaxError](json.Unmarshal(raw, new(any)))
	return invalid && bytes.Count(raw, []byte("[")) > 9_000
}

// outputWithin returns what a command prints, which must not be more than so many bytes.
func outputWithin(t *testing.T, dir, state string, most int, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asProgram+"=1", "ABL_STATE_DIR="+state, "GOGC=100")
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	cmd.Stdout, cmd.Stderr = file, file // a buffer in this process would count as memory of the program
	err = cmd.Run()
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed {
		t.Fatal(err)
	}
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > int64(most) {
		t.Errorf("%v prints %d bytes, more than %d", args, info.Size(), most)
	}
	if used := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss; used > 300<<10 {
		t.Errorf("%v takes %d MB", args, used>>10)
	}
	out, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return out
}
