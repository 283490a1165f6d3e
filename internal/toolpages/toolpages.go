// Package toolpages reads the pages of docs/tools, one for each kind of tool, and runs the
// example that each of them has.
//
// An example is in the page's own fenced blocks: files, each with its name in a comment above
// it, and commands with what they print in blocks of `console`. What it needs of the machine is in
// a comment `<!-- needs: node, go.mod -->`, and the last line of a page is the comment
// `<!-- in short: … -->`.
package toolpages

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/docs"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// Page is what the page of one kind says to programs.
type Page struct {
	Kind     string
	InShort  string // what the kind runs, for the table of all kinds: Markdown; "" where the page does not say it
	Files    []File
	Commands []Command
	Needs    []string // programs on PATH, and files of the repository: these have a slash
}

// File is a file of an example. Its name has slashes.
type File struct{ Name, Text string }

// Command is a line that a reader types, and what it prints. A `…` in the output stands for
// anything. A command that does not end with exit code 0 has a comment at its end: `# exit 3`.
type Command struct{ Line, Output string }

// Folder is where the pages are in the repository.
const Folder = "docs/tools"

// Read reads the pages of the repository in the folder root, in the order of their names.
func Read(root string) ([]Page, error) {
	names, err := filepath.Glob(filepath.Join(root, Folder, "*.md"))
	if err != nil {
		return nil, err
	}
	var pages []Page
	for _, name := range names {
		kind := strings.TrimSuffix(filepath.Base(name), ".md")
		if kind == "README" {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read the page of a kind: %w", err)
		}
		pages = append(pages, newPage(kind, strings.ReplaceAll(string(text), "\r\n", "\n")))
	}
	return pages, nil
}

var (
	fileBlock    = lazyregexp.New("(?ms)^<!-- file: (\\S+) -->\n```\\w+\n(.*?)^```$")
	consoleBlock = lazyregexp.New("(?ms)^```console\n(.*?)^```$")
	needsComment = lazyregexp.New(`(?m)^<!-- needs: (.*) -->$`)
)

func newPage(kind, text string) Page {
	p := Page{Kind: kind}
	_, p.InShort = docs.CutInShort(text)
	for _, m := range fileBlock.FindAllStringSubmatch(text, -1) {
		p.Files = append(p.Files, File{m[1], m[2]})
	}
	p.Commands = Commands(text)
	if m := needsComment.FindStringSubmatch(text); m != nil {
		p.Needs = strings.Split(m[1], ", ")
	}
	return p
}

// Write writes the files of the example into a folder.
func (p Page) Write(folder string) error {
	for _, f := range p.Files {
		name := filepath.Join(folder, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(f.Text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// Commands returns the commands in the blocks of `console` of a page. A line that begins
// with `$ ` is a command; the lines after it are its output.
func Commands(page string) []Command {
	var all []Command
	for _, m := range consoleBlock.FindAllStringSubmatch(page, -1) {
		for line := range strings.Lines(m[1]) {
			if typed, ok := strings.CutPrefix(line, "$ "); ok {
				all = append(all, Command{Line: strings.TrimSuffix(typed, "\n")})
			} else if len(all) > 0 {
				all[len(all)-1].Output += line
			}
		}
	}
	return all
}

var word = lazyregexp.New(`'([^']*)'|"([^"]*)"|(\S+)`)

// exitComment is the comment at the end of a command that names its exit code.
var exitComment = lazyregexp.New(` +# exit (\d+)$`)

// ExitCode returns the exit code with which the command must end.
func (c Command) ExitCode() int {
	m := exitComment.FindStringSubmatch(c.Line)
	if m == nil {
		return 0
	}
	code, _ := strconv.Atoi(m[1])
	return code
}

// Words returns the words of a command line without its comment. A part in quotes is one word.
func (c Command) Words() []string {
	var words []string
	for _, m := range word.FindAllStringSubmatch(exitComment.ReplaceAllString(c.Line, ""), -1) {
		words = append(words, m[1]+m[2]+m[3])
	}
	return words
}

// Prints reports whether output is that of the command on the page, in which a `…` stands
// for any text.
func (c Command) Prints(output string) bool {
	parts := strings.Split(c.Output, "…")
	rest, ok := strings.CutPrefix(output, parts[0])
	if !ok {
		return false
	}
	last := len(parts) - 1
	if last == 0 {
		return rest == ""
	}
	for _, part := range parts[1:last] {
		if _, rest, ok = strings.Cut(rest, part); !ok {
			return false
		}
	}
	return strings.HasSuffix(rest, parts[last])
}
