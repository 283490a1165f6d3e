package analysis

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// pathUse is a path of another file that a file names.
type pathUse struct {
	path   string
	span   text.Span // as it is written, quotes included
	quoted func(path string) string
	sure   bool // it is a path, whether or not something is there
}

// pathKeys are the properties, in lower case, that hold the path of a file, or
// may do so.
var pathKeys = []string{"ref", "examples_file", "config_file", "module", "input_schema", "output_schema"}

// pathUses are the paths that the file names.
func pathUses(f *File) []pathUse {
	switch {
	case f.Project != nil:
		return yamlPaths(f, projectfile.Paths(f.YAML))
	case f.Foreign != nil && slices.Contains(pathSystems, f.Foreign.System):
		return yamlPaths(f, projectfile.ForeignPaths(f.Tree()))
	case f.Kind == YAML:
		return nil
	}
	var out []pathUse
	for i := range f.Imports {
		if p := f.Imports[i].PathNode(); f.Imports[i].Path != "" {
			use := pathOf(p)
			use.sure = true
			out = append(out, use)
		}
	}
	for _, s := range f.Doc.Sections() {
		for e := range entriesOf(s) {
			for n := range e.Root().All() {
				if holdsPath(n) {
					out = append(out, pathOf(placed(n.Value(), e.Offset)))
				}
			}
		}
	}
	return out
}

// holdsPath reports whether a line has one of the keys, and a single value.
func holdsPath(n syntax.Node) bool {
	if n.Kind() != syntax.Pair && n.Kind() != syntax.MapPair || !slices.Contains(pathKeys, strings.ToLower(n.Key())) {
		return false
	}
	switch v := n.Value(); v.Kind() {
	case syntax.Other, syntax.List, syntax.Map, syntax.PipeBlock:
		return false
	default:
		path := bare(v).text
		return path != "" && (!strings.EqualFold(n.Key(), "REF") || IsABL(path)) // else it is an agent's name
	}
}

// pathOf is the path in a value.
func pathOf(p PlacedNode) pathUse {
	w, raw := bare(p.Node), p.Text()
	if p.Kind() != syntax.String {
		return pathUse{path: w.text, span: w.span.Shift(p.Offset), quoted: quotedIfNeeded}
	}
	quote := raw[:1]
	return pathUse{path: syntax.Unquote(raw), span: p.Span(), quoted: func(path string) string { return quotedBy(quote, path) }}
}

// quotedBy is a string of the language.
func quotedBy(quote, s string) string {
	return quote + strings.NewReplacer(`\`, `\\`, quote, `\`+quote).Replace(s) + quote
}

// quotedIfNeeded leaves a path bare where it stays one word.
func quotedIfNeeded(path string) string {
	if strings.ContainsAny(path, " \t\"'#[]{},") {
		return quotedBy(`"`, path)
	}
	return path
}

// pathSystems are the other systems whose files name files that a run reads.
var pathSystems = []string{"toolbox", "nao"}

// yamlPaths are those of abl.yaml, and of other systems.
func yamlPaths(f *File, entries []projectfile.Entry) []pathUse {
	var out []pathUse
	source := f.Doc.Text()
	for _, e := range entries {
		quote := source[e.Span.Start]
		out = append(out, pathUse{path: e.Name, span: e.Span, quoted: func(path string) string { return projectfile.Quoted(quote, path) }})
	}
	return out
}
