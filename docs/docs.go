// Package docs carries the pages of the diagnostic codes inside the program. It
// relies on how they are written: a title, a paragraph that says what is
// reported, then the severity in bold type.
package docs

import (
	"embed"
	"io/fs"
	"path"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// Home is where the project is found.
const Home = "https://github.com/abl-lsp/abl-lsp"

//go:embed diagnostics/*.md
var files embed.FS

// Page is the page of one diagnostic code.
type Page struct {
	Code string
	Text string // Markdown
}

// Pages are all pages, by code.
func Pages() []Page {
	names, _ := fs.Glob(files, "diagnostics/*.md") // the pattern is well formed
	pages := make([]Page, 0, len(names))
	for _, name := range names {
		text, _ := files.ReadFile(name) // embedded files can be read
		pages = append(pages, Page{strings.TrimSuffix(path.Base(name), ".md"), string(text)})
	}
	return pages
}

// Find is the page of a code, if there is one.
func Find(code string) (Page, bool) {
	for _, p := range Pages() {
		if p.Code == code {
			return p, true
		}
	}
	return Page{}, false
}

// URL is where the page of a code is found in a browser.
func URL(code string) string {
	return Home + "/blob/main/docs/diagnostics/" + code + ".md"
}

// Intro is what stands between the title and the first example, in Markdown.
func (p Page) Intro() string {
	_, rest, _ := strings.Cut(p.Text, "\n")
	intro, _, _ := strings.Cut(rest, "\n## ")
	return strings.TrimSpace(intro)
}

// Summary says in one line what is reported.
func (p Page) Summary() string {
	first, _, _ := strings.Cut(p.Intro(), "\n\n")
	return strings.Join(strings.Fields(first), " ")
}

var bold = lazyregexp.New(`\*\*(Error|Warning|Information|Hint)\b`)

// Severity is the first one that the page names, in lower case: the one that a
// finding mostly has.
func (p Page) Severity() string {
	m := bold.FindStringSubmatch(p.Intro())
	if m == nil {
		return ""
	}
	return strings.ToLower(m[1])
}
