package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestSystems: every row of a table of conformance names tests, and these are there,
// so that no row claims what nothing runs.
func TestSystems(t *testing.T) {
	pages, err := filepath.Glob("systems/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages", err)
	}
	for _, page := range pages {
		rows := conformance(t, page)
		if len(rows) == 0 {
			t.Errorf("%s has no table", page)
		}
		for _, row := range rows {
			if len(row.tests) == 0 {
				t.Errorf("%s: nothing runs %q", page, row.feature)
			}
			for _, name := range row.tests {
				if !isTest(t, name) {
					t.Errorf("%s: %q names %q, which is no test", page, row.feature, name)
				}
			}
		}
	}
}

// conformanceRow is what a system can do, and the tests that run it.
type conformanceRow struct {
	feature string
	tests   []string
}

var quoted = regexp.MustCompile("`([^`]+)`")

// conformance are the rows of the tables whose last column names tests.
func conformance(t *testing.T, page string) (rows []conformanceRow) {
	t.Helper()
	raw, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	isRow, last := false, ""
	for line := range strings.SplitSeq(strings.ReplaceAll(string(raw), "\r\n", "\n"), "\n") {
		before := last
		last = line
		switch {
		case !strings.HasPrefix(line, "|"):
			isRow = false
			continue
		case line == "|---|---|---|---|" && strings.HasSuffix(before, "| test |"):
			isRow = true
			continue
		case strings.HasPrefix(line, "|---"):
			t.Errorf("%s: the table %q has no tests", page, before)
		}
		if !isRow {
			continue
		}
		cells := strings.Split(strings.ReplaceAll(line, `\|`, "¦"), "|")
		if len(cells) != 6 {
			t.Errorf("%s: %q has not four cells", page, line)
			continue
		}
		row := conformanceRow{feature: strings.TrimSpace(cells[1])}
		for _, m := range quoted.FindAllStringSubmatch(cells[4], -1) {
			row.tests = append(row.tests, m[1])
		}
		rows = append(rows, row)
	}
	return rows
}

// expects is a line of a script that runs the program, and one that can fail after it.
var expects = regexp.MustCompile(`(?ms)^(! )?(exec|ends \d+) abl-lsp .*^(stdout|! stdout|stderr|cmp|json|exists|grep)\b`)

// isTest reports whether a name is that of a test: `package TestName`, or a script
// of the command line that runs the program and expects something of it.
func isTest(t *testing.T, name string) bool {
	t.Helper()
	folder, test, ok := strings.Cut(name, " ")
	if !ok {
		script, err := os.ReadFile(filepath.Join("..", "cmd", "abl-lsp", "testdata", "script", name))
		return err == nil && strings.HasSuffix(name, ".txtar") && expects.Match(script)
	}
	files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(folder), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	test, _, _ = strings.Cut(test, "/") // behind it stands a part of the test
	return slices.ContainsFunc(files, func(file string) bool {
		source, err := os.ReadFile(file)
		return err == nil && strings.Contains(string(source), "\nfunc "+test+"(")
	})
}
