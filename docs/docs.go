// Package docs carries the pages of the diagnostic codes inside the program. It
// relies on how they are written: a title, a paragraph that says what is
// reported, then the severity in bold type; the last line is a comment with the words for
// the list of all codes.
package docs

import (
	"embed"
	"io/fs"
	"path"
	"slices"
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

	// InShort says what is reported in the few words that the list of all codes has room
	// for: Markdown, in lower case, without a full stop.
	InShort string
}

// Pages are all pages, by code.
func Pages() []Page {
	names, _ := fs.Glob(files, "diagnostics/*.md") // the pattern is well formed
	pages := make([]Page, 0, len(names))
	for _, name := range names {
		text, _ := files.ReadFile(name) // embedded files can be read
		pages = append(pages, newPage(strings.TrimSuffix(path.Base(name), ".md"), string(text)))
	}
	return pages
}

// newPage takes the comment at the end out of the text, since readers of the page have no
// use for it.
func newPage(code, text string) Page {
	p := Page{Code: code}
	p.Text, p.InShort = CutInShort(text)
	return p
}

var inShort = lazyregexp.New(`\s*<!-- in short: (.*) -->\s*$`)

// CutInShort takes the comment `<!-- in short: … -->` off the end of a page, and returns the words
// in it: "" for a page without one.
func CutInShort(page string) (rest, words string) {
	m := inShort.FindStringSubmatch(page)
	if m == nil {
		return page, ""
	}
	return strings.TrimSuffix(page, m[0]) + "\n", m[1]
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

var bold = lazyregexp.New(`(?i)\*\*(error|warning|information|hint)\b`)

// Severities are those that the page names above its examples, in lower case and in its
// order.
func (p Page) Severities() []string {
	var all []string
	for _, m := range bold.FindAllStringSubmatch(p.Intro(), -1) {
		if s := strings.ToLower(m[1]); !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// Severity is the first one that the page names, in lower case: the one that a
// finding mostly has. It is "" where the page names none.
func (p Page) Severity() string {
	all := p.Severities()
	if len(all) == 0 {
		return ""
	}
	return all[0]
}
