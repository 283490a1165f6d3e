package toolpages

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const page = `# Waiting tools

Prose.

<!-- needs: node, go.mod/none -->
<!-- file: a.tools.abl -->
` + "```abl" + `
TOOLS:
` + "```" + `

` + "```yaml" + `
no: file
` + "```" + `

` + "```console" + `
$ node api.mjs &
listening
$ abl-lsp run a.tools.abl a --arg "text=two words" --args '{"n": 1}' # exit 3
` + "```" + `

<!-- in short: a wait -->
`

func TestPage(t *testing.T) {
	got := newPage("wait", page)
	want := Page{
		Kind:     "wait",
		InShort:  "a wait",
		Files:    []File{{"a.tools.abl", "TOOLS:\n"}},
		Commands: []Command{{"node api.mjs &", "listening\n"}, {`abl-lsp run a.tools.abl a --arg "text=two words" --args '{"n": 1}' # exit 3`, ""}},
		Needs:    []string{"node", "go.mod/none"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	words := []string{"abl-lsp", "run", "a.tools.abl", "a", "--arg", "text=two words", "--args", `{"n": 1}`}
	if diff := cmp.Diff(words, got.Commands[1].Words()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for i, want := range []int{0, 3} {
		if code := got.Commands[i].ExitCode(); code != want {
			t.Errorf("%s: exit code %d, want %d", got.Commands[i].Line, code, want)
		}
	}
}

// TestFilesAreNamed holds that each block of ABL on the pages has the name of its file above it, so
// that the corpus has it.
func TestFilesAreNamed(t *testing.T) {
	pages, err := Read("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		text, err := os.ReadFile(filepath.Join("../..", Folder, p.Kind+".md"))
		if err != nil {
			t.Fatal(err)
		}
		named := 0
		for _, f := range p.Files {
			if filepath.Ext(f.Name) == ".abl" {
				named++
			}
		}
		if all := strings.Count(string(text), "\n```abl"); named != all {
			t.Errorf("%s.md has %d blocks of ABL, and %d of them have a name: `<!-- file: NAME.tools.abl -->`", p.Kind, all, named)
		}
	}
}

func TestPrints(t *testing.T) {
	for _, tt := range []struct {
		name, output, got string
		want              bool
	}{
		{"the same", "a\n", "a\n", true},
		{"nothing", "", "", true},
		{"more", "a\n", "a\nb\n", false},
		{"less", "a\nb\n", "a\n", false},
		{"left out at the end", "a\n…\n", "a\nb\nc\n", true},
		{"left out at the beginning", "…\nc\n", "a\nb\nc\n", true},
		{"left out in between", "a\n…\nc\n…\ne\n", "a\nb\nc\nd\ne\n", true},
		{"left out of a line", "a …\n", "a long line\n", true},
		{"another order", "…c…a\n", "a c\n", false},
		{"another end", "a\n…\nc\n", "a\nb\n", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := (Command{Output: tt.output}).Prints(tt.got); got != tt.want {
				t.Errorf("%t", got)
			}
		})
	}
}

func TestFreePorts(t *testing.T) {
	p, err := withFreePorts(Page{
		Files:    []File{{"abl.yaml", "base_url: http://127.0.0.1:8080"}},
		Commands: []Command{{"PORT=8080 serve &", "at localhost:8080, not 8081\n"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	port := p.Files[0].Text[len("base_url: http://127.0.0.1:"):]
	want := Command{"PORT=" + port + " serve &", "at localhost:" + port + ", not 8081\n"}
	if diff := cmp.Diff(want, p.Commands[0]); diff != "" || port == "8080" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
