package docs

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPages holds the pages to the form that the package relies on.
func TestPages(t *testing.T) {
	entries, err := os.ReadDir("diagnostics")
	if err != nil {
		t.Fatal(err)
	}
	pages := Pages()
	if len(pages) == 0 || len(pages) != len(entries) {
		t.Fatalf("%d pages of %d files", len(pages), len(entries))
	}
	for _, p := range pages {
		if !strings.HasPrefix(p.Text, "# "+p.Code+"\n\n") {
			t.Errorf("%s has another title", p.Code)
		}
		if s := p.Summary(); s == "" || strings.ContainsAny(s[:1], "#*|`<") {
			t.Errorf("%s does not begin with a paragraph that says what is reported: %q", p.Code, s)
		}
		if p.Severity() == "" {
			t.Errorf("%s names no severity in bold type above its examples", p.Code)
		}
		if p.InShort == "" || strings.Contains(p.InShort, "|") || strings.Contains(p.Text, "in short:") {
			t.Errorf("%s does not end with the comment `<!-- in short: … -->`", p.Code)
		}
	}
}

func TestPage(t *testing.T) {
	p, ok := Find("import-cycle")
	if !ok {
		t.Fatal("no page")
	}
	const summary = "A chain of `file:` lines comes back to the file where it began; in the shortest case a file imports itself."
	if got := p.Summary(); got != summary {
		t.Errorf("summary %q", got)
	}
	if got := p.Severity(); got != "warning" {
		t.Errorf("severity %q", got)
	}
	if got := p.InShort; got != "imports lead back to where they began" {
		t.Errorf("in short %q", got)
	}
	if got := p.Intro(); !strings.HasPrefix(got, "A chain") || strings.Contains(got, "## ") {
		t.Errorf("intro %q", got)
	}
	if got := URL(p.Code); got != "https://github.com/abl-lsp/abl-lsp/blob/main/docs/diagnostics/import-cycle.md" {
		t.Errorf("URL %s", got)
	}
	if _, ok := Find("no-such-code"); ok {
		t.Error("a page of no code")
	}
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]*)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	fence   = regexp.MustCompile("(?ms)^```.*?^```$")
)

// TestLinks: what a page links to is there, and so is the heading.
func TestLinks(t *testing.T) {
	pages := markdown(t)
	for name, page := range pages {
		for _, m := range link.FindAllStringSubmatch(page, -1) {
			to, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(to, ":") {
				continue // another site
			}
			target := name
			if to != "" {
				target = path.Join(path.Dir(name), to)
			}
			if _, err := os.Stat(filepath.Join("..", target)); err != nil {
				t.Errorf("%s links to %s: %v", name, m[1], err)
			} else if anchor != "" && !slices.Contains(anchors(pages[target]), anchor) {
				t.Errorf("%s links to %s, where no heading is called that", name, m[1])
			}
		}
	}
}

// TestIndexes: a folder's index leads to all of its pages.
func TestIndexes(t *testing.T) {
	pages := markdown(t)
	for name := range pages {
		index := path.Join(path.Dir(name), "README.md")
		if name == index || path.Dir(name) == "." {
			continue
		}
		if _, ok := pages[index]; ok && !strings.Contains(pages[index], "]("+path.Base(name)+")") {
			t.Errorf("%s does not lead to %s", index, name)
		}
	}
}

// markdown are the pages of the repository by their names, without what is fenced
// in them.
func markdown(t *testing.T) map[string]string {
	t.Helper()
	pages := map[string]string{}
	read := func(name string) {
		raw, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		pages[name] = fence.ReplaceAllString(strings.ReplaceAll(string(raw), "\r\n", "\n"), "")
	}
	for _, name := range []string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "syntax/grammar/README.md", "editors/vscode/README.md"} {
		read(name)
	}
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && path.Ext(name) == ".md" {
			read(path.Join("docs", name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

// anchors are what the headings of a page are called in links.
func anchors(page string) []string {
	var all []string
	for _, m := range heading.FindAllStringSubmatch(page, -1) {
		words := regexp.MustCompile(`[^\p{L}\p{N}_ -]`).ReplaceAllString(strings.ToLower(m[1]), "")
		all = append(all, strings.ReplaceAll(words, " ", "-"))
	}
	return all
}
