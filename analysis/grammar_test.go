package analysis_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/expression"
)

// TestScannerKnowsSections compares the scanner's names of sections, which end a FLOW whose steps
// are at column 0, with the table of the sections.
func TestScannerKnowsSections(t *testing.T) {
	var want []string
	for _, s := range model.Sections() {
		for _, name := range append([]string{s.Name}, s.Aliases...) {
			if !strings.Contains(name, " ") { // no step has such a name
				want = append(want, name)
			}
		}
	}
	compareNames(t, want, namesInGrammar(t, "src/words.h", `(?s)section_names\[\] = \{(.*?)\};`))
}

// TestHighlightedFunctions compares the functions that editors highlight with the table of the
// functions.
func TestHighlightedFunctions(t *testing.T) {
	want := []string{"size", "has"} // of CEL
	for _, f := range expression.Functions() {
		want = append(want, f.Name)
	}
	compareNames(t, want, namesInGrammar(t, "queries/highlights.scm", `(?s)#any-of\? @function\.builtin(.*?)\)`))
}

// compareNames compares two lists whose order does not count.
func compareNames(t *testing.T, want, got []string) {
	t.Helper()
	for _, name := range want {
		if !slices.Contains(got, name) {
			t.Errorf("the grammar lacks %s", name)
		}
	}
	for _, name := range got {
		if !slices.Contains(want, name) {
			t.Errorf("the grammar alone has %s", name)
		}
	}
}

// namesInGrammar returns the quoted names in a list, found by a pattern, of a file of the grammar.
func namesInGrammar(t *testing.T, file, list string) []string {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("..", "syntax", "grammar", filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(list).FindSubmatch(source)
	if found == nil {
		t.Fatalf("%s has no such list", file)
	}
	var names []string
	for _, quoted := range regexp.MustCompile(`"(\w+)"`).FindAllSubmatch(found[1], -1) {
		names = append(names, string(quoted[1]))
	}
	return names
}
