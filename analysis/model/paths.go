package model

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// PathUse is a path of another file that a file names.
type PathUse struct {
	Path   string
	Span   text.Span // as written, quotes included
	Quoted func(path string) string
	Sure   bool // it is a path even if no file is there
}

// pathKeys are the properties, in lower case, whose value is the path of a file, or may be one.
var pathKeys = []string{"ref", "examples_file", "config_file", "module", "input_schema", "output_schema"}

// PathUses returns the paths that the file names.
func PathUses(f *File) []PathUse {
	switch {
	case f.Project != nil:
		return yamlPaths(f, projectfile.Paths(f.YAML))
	case f.Foreign != nil && slices.Contains(pathSystems, f.Foreign.System):
		return yamlPaths(f, projectfile.ForeignPaths(f.YAMLTree()))
	case f.Kind == YAML:
		return nil
	}
	var out []PathUse
	for i := range f.Imports {
		if p := f.Imports[i].PathNode(); f.Imports[i].Path != "" {
			use := pathOf(p)
			use.Sure = true
			out = append(out, use)
		}
	}
	for _, s := range f.Doc.Sections() {
		for e := range s.HeadAndEntries() {
			for n := range e.Root().Preorder() {
				if hasPathKey(n) {
					out = append(out, pathOf(PositionNode(n.Value(), e.Offset)))
				}
			}
		}
	}
	return out
}

// hasPathKey reports whether n is a line with a key of pathKeys and a single value.
func hasPathKey(n syntax.Node) bool {
	if n.Kind() != syntax.Pair && n.Kind() != syntax.MapPair || !slices.Contains(pathKeys, strings.ToLower(n.Key())) {
		return false
	}
	switch v := n.Value(); v.Kind() {
	case syntax.Other, syntax.List, syntax.Map, syntax.PipeBlock:
		return false
	default:
		path := UnquotedWord(v).Text
		return path != "" && (!strings.EqualFold(n.Key(), "REF") || IsABL(path)) // else it is an agent's name
	}
}

// pathOf returns the path in a value.
func pathOf(p PositionedNode) PathUse {
	w, raw := UnquotedWord(p.Node), p.Text()
	if p.Kind() != syntax.String {
		return PathUse{Path: w.Text, Span: w.Span.Shift(p.Offset), Quoted: quoteIfNeeded}
	}
	quote := raw[:1]
	return PathUse{Path: syntax.Unquote(raw), Span: p.Span(), Quoted: func(path string) string { return quoteWith(quote, path) }}
}

// quoteWith returns a path as a string of the language with the given quote.
func quoteWith(quote, s string) string {
	return quote + strings.NewReplacer(`\`, `\\`, quote, `\`+quote).Replace(s) + quote
}

// quoteIfNeeded returns a path without quotes if it is one word, else with quotes.
func quoteIfNeeded(path string) string {
	if strings.ContainsAny(path, " \t\"'#[]{},") {
		return quoteWith(`"`, path)
	}
	return path
}

// pathSystems are the other systems whose files name files that a run reads.
var pathSystems = []string{"toolbox", "nao"}

// yamlPaths returns the paths in abl.yaml, or in a foreign file.
func yamlPaths(f *File, entries []projectfile.Entry) []PathUse {
	var out []PathUse
	source := f.Doc.Text()
	for _, e := range entries {
		quote := source[e.Span.Start]
		out = append(out, PathUse{Path: e.Name, Span: e.Span, Quoted: func(path string) string { return projectfile.QuoteLike(quote, path) }})
	}
	return out
}
