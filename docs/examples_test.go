package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
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
			if err != nil || strings.ReplaceAll(string(out), "\r\n", "\n") != m[2] {
				t.Errorf("%s: %v\n%s\nwant\n%s", name, err, out, m[2])
			}
		}
	}
	if found == 0 {
		t.Error("no program was found")
	}
}
