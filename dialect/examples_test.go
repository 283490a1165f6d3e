package dialect_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/abl-lsp/abl-lsp/dialect"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
)

var yamlExample = regexp.MustCompile("(?s)```yaml\n(.*?)```")

// TestExamples checks that the examples from the documentation of the systems are recognized and
// have no faults.
func TestExamples(t *testing.T) {
	pages, err := filepath.Glob("../docs/systems/*.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range yamlExample.FindAllStringSubmatch(string(text), -1) {
			found++
			f := dialect.Read("example.yaml", m[1])
			if f.System == "" || len(f.Tools) == 0 {
				t.Errorf("%s: no system has such tools:\n%s", page, m[1])
			}
			for _, fault := range f.Faults {
				if fault.Severity != foreign.Information {
					t.Errorf("%s: %s\n%s", page, fault.Message, m[1])
				}
			}
		}
	}
	if found == 0 {
		t.Error("no example was found")
	}
}
