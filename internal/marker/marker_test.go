package marker

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/analysis/model"
)

const archive = `Shows the harness.
-- a.tools.abl --
TOOLS:
  é metod metod
#@ diag "metod"#2 warning unknown-property "did you mean"
#@ length "me|tod" "5"
-- expect --
a.tools.abl:1: length "TOOLS" @golden
-- @golden --
5
`

// answers report the second "metod" of a file, and the length of a literal.
func answers(_ *testing.T, f *Fixture) Answers {
	return Answers{
		Diagnostics: func(path string) []model.Diagnostic { return second(f, path) },
		Kinds: map[string]func(Note) string{
			"length": func(n Note) string { return string(rune('0' + n.Span.Len())) },
		},
	}
}

func second(f *Fixture, path string) []model.Diagnostic {
	source := f.Workspace.File(path).Text()
	at := strings.Index(source, "metod") + len("metod ")
	d := model.Diagnostic{Severity: model.Warning, Code: "unknown-property", Message: "no; did you mean it?"}
	d.Span.Start, d.Span.End = at, at+len("metod")
	return []model.Diagnostic{d}
}

func write(t *testing.T, content string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x.txtar"), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestRun(t *testing.T) {
	Run(t, write(t, archive), answers)
}

func TestUpdateRestores(t *testing.T) {
	stale := strings.NewReplacer(
		"#@ diag \"metod\"#2 warning unknown-property \"did you mean\"\n", "",
		`"me|tod" "5"`, `"me|tod" "?"`,
		"@golden --\n5", "@golden --\nold").Replace(archive)
	dir := write(t, stale)
	f := Load(t, dir)[0]
	f.update(t, dir, answers(t, f))
	got, err := os.ReadFile(filepath.Join(dir, "x.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(archive, `"did you mean"`, `"no; did you mean it\\?"`, 1)
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCursorAndSpan(t *testing.T) {
	f, err := Parse("x", []byte(archive))
	if err != nil {
		t.Fatal(err)
	}
	n := f.Notes[1]
	source := f.Workspace.File(n.Path).Text()
	if source[n.Span.Start:n.Span.End] != "metod" || n.Cursor != n.Span.Start+2 {
		t.Errorf("got %v and %d", n.Span, n.Cursor)
	}
}

func TestParseRefuses(t *testing.T) {
	for name, content := range map[string]string{
		"no note":         "-- a.abl --\nx\n#@ diag x\n",
		"no such literal": "-- a.abl --\nx\n#@ diag \"y\" error e \"\"\n",
		"no line above":   "-- a.abl --\n#@ diag \"y\" error e \"\"\n",
		"no such file":    "-- expect --\nb.abl:1: diag \"y\" error e \"\"\n",
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Parse("x", []byte(content)); err == nil {
				t.Errorf("%s: no error", name)
			}
		})
	}
}
