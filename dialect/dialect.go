// Package dialect reads the tool files of other systems: MCP Toolbox, Corail's custom
// resources, ToolDefinition services and Nao. The content decides which format a file
// has; the name only says whether it is YAML, JSON or a program.
//
// Reading never fails and is bounded: faults are in the result, with the tools that
// could be read.
package dialect

import (
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/abl-lsp/abl-lsp/dialect/corail"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/literal"
	"github.com/abl-lsp/abl-lsp/dialect/nao"
	"github.com/abl-lsp/abl-lsp/dialect/service"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// formats are the ways to write a file, by the end of its name.
var formats = map[string]func(lines *text.Lines, before *foreign.File) foreign.File{
	".yaml": readYAML, ".yml": readYAML,
	".json": readJSON,
	".ts":   readProgram, ".mts": readProgram,
	".js": readProgram, ".mjs": readProgram,
}

// Is reports whether the name of a file is one that a file with foreign tools may have.
func Is(name string) bool { return formats[ending(name)] != nil }

// Endings returns the sorted endings of names that a foreign file may have, such as `.yaml`.
func Endings() []string { return slices.Sorted(maps.Keys(formats)) }

// maxBytes is how long a foreign file may be, as long as any other.
const maxBytes = yaml.MaxBytes

// Read reads a foreign file. Its name decides which systems are possible. The result has no System
// if none of them knows the file.
func Read(name, source string) foreign.File { return Reread(nil, name, text.NewLines(source)) }

// Reread is [Read] for the next version of a file. before is the result for the previous version,
// or nil; Reread reuses the parts of it that have not changed.
func Reread(before *foreign.File, name string, lines *text.Lines) foreign.File {
	read := formats[ending(name)]
	if read == nil {
		return foreign.File{}
	}
	if len(lines.Text()) > maxBytes {
		var f foreign.File
		f.Report(foreign.Error, "syntax-error", text.Span{}, "The file is too large to be read: %d MB is the limit. Split it.", maxBytes>>20)
		return f
	}
	f := read(lines, before)
	f.InOrder()
	return f
}

func ending(name string) string { return strings.ToLower(path.Ext(strings.ReplaceAll(name, `\`, "/"))) }

func readJSON(lines *text.Lines, _ *foreign.File) foreign.File {
	root, problems := literal.JSON(lines.Text())
	return withProblems(withTree(known(root), lines, root), root, problems)
}

// readProgram reads the constant TOOLS of a program without running it, or else its default export
// if that has tools.
func readProgram(lines *text.Lines, _ *foreign.File) foreign.File {
	root, problems := literal.Exported(lines.Text(), "TOOLS")
	if root.Kind == foreign.Missing {
		root, problems = literal.Exported(lines.Text(), literal.Default)
		if tools := root.Get("TOOLS"); tools.Kind == foreign.Map || tools.Kind == foreign.List {
			root = tools
		}
		if !service.Matches(root) {
			return foreign.File{}
		}
	}
	return withProblems(withTree(service.Read(root), lines, root), root, problems)
}

// withTree adds the tree of a literal, which is made on first use.
func withTree(f foreign.File, lines *text.Lines, root foreign.Node) foreign.File {
	f.Tree = sync.OnceValue(func() *yaml.Document { return literal.Tree(lines, root) })
	return f
}

// jsonSystems tell by a JSON value which system's file it is. The first that knows it reads it.
var jsonSystems = []struct {
	is   func(root foreign.Node) bool
	read func(root foreign.Node) foreign.File
}{
	{service.Matches, service.Read},
	{nao.Matches, nao.Read},
	{corail.IsList, corail.ReadList},
}

func known(root foreign.Node) foreign.File {
	for _, s := range jsonSystems {
		if s.is(root) {
			return s.read(root)
		}
	}
	return foreign.File{}
}

// withProblems returns f with the problems of reading, and the duplicate keys in root, before its
// other faults.
func withProblems(f foreign.File, root foreign.Node, problems []literal.Problem) foreign.File {
	var bad foreign.File
	for _, p := range problems {
		bad.Report(foreign.Error, "syntax-error", p.Span, "%s", p.Message)
	}
	if f.System != "" {
		repeated(&bad, root)
	}
	f.Faults = append(bad.Faults, f.Faults...)
	return f
}

// repeated reports duplicate keys of maps outside YAML, as duplicates does for YAML.
func repeated(f *foreign.File, n foreign.Node) {
	if n.Alias != "" { // its place is elsewhere
		return
	}
	seen := make(map[string]bool, len(n.Members))
	for _, m := range n.Members {
		if m.Merged || m.Key == "" {
			continue
		}
		if seen[m.Key] {
			f.Report(foreign.Warning, "duplicate-property", m.KeySpan, "`%s` stands twice here; the last one counts.", m.Key)
		}
		seen[m.Key] = true
		repeated(f, m.Value)
	}
	for _, item := range n.Items {
		repeated(f, item)
	}
}
