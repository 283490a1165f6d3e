package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// goExample is a program, and below it what it prints.
var goExample = regexp.MustCompile("(?s)```go\n(package main\n.*?)```\n\n```text\n(.*?)```")

// TestGoExamples: the programs of the pages compile, and print what stands below
// them.
func TestGoExamples(t *testing.T) {
	pages, err := filepath.Glob("systems/*.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range pages {
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range goExample.FindAllStringSubmatch(strings.ReplaceAll(string(page), "\r\n", "\n"), -1) {
			found++
			file := filepath.Join(t.TempDir(), "main.go")
			if err := os.WriteFile(file, []byte(m[1]), 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := exec.CommandContext(t.Context(), "go", "run", file).CombinedOutput()
			if diff := cmp.Diff(m[2], strings.ReplaceAll(string(out), "\r\n", "\n")); err != nil || diff != "" {
				t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
			}
		}
	}
	if found == 0 {
		t.Error("no program was found")
	}
}
