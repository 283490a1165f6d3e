package projectfile

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Paths are the values that may be paths of files, from the folder of this one,
// with their places, quotes included: those that begin as one, those of `module`,
// and the `database` of a SQLite source. Only what leads to a file is sure to be
// one.
func Paths(source string) (paths []Entry) {
	defer func() {
		if recover() != nil { // the parser of YAML is not ours
			paths = nil
		}
	}()
	if len(source) > MaxBytes {
		return nil
	}
	file, err := parser.ParseBytes([]byte(plain(source)), 0)
	if err != nil {
		return nil
	}
	r := pathReader{reader: reader{source: source, lines: text.NewLines(source)}}
	for _, d := range file.Docs {
		r.value(d.Body, false)
	}
	return r.found
}

type pathReader struct {
	reader
	found []Entry
}

// value takes in a value, and those in it. path says that it is a path whatever
// it begins with.
func (r *pathReader) value(n ast.Node, path bool) {
	switch v := bare(n).(type) {
	case *ast.SequenceNode:
		for _, item := range v.Values {
			r.value(item, false)
		}
	case *ast.StringNode:
		r.text(v, path)
	case *ast.MappingNode, *ast.MappingValueNode:
		members, _ := membersOf(v)
		isFile := slices.ContainsFunc(members, func(m *ast.MappingValueNode) bool {
			kind, _ := plainText(m.Value)
			return keyOf(m) == "kind" && kind == "sqlite"
		})
		for _, m := range members {
			key := keyOf(m)
			r.value(m.Value, key == "module" || key == "database" && isFile)
		}
	}
}

// text takes in a text that is written as it is read.
func (r *pathReader) text(n *ast.StringNode, path bool) {
	if !path && !strings.HasPrefix(n.Value, "./") && !strings.HasPrefix(n.Value, "../") || n.Value == "" {
		return
	}
	span := r.spanOf(n.GetToken())
	if raw := r.source[span.Start:span.End]; raw == n.Value || len(raw) > 2 && raw[1:len(raw)-1] == n.Value {
		r.found = append(r.found, Entry{n.Value, span})
	}
}

// Quoted is a text as it can stand where one did that began with a character.
func Quoted(first byte, s string) string {
	switch {
	case first == '\'':
		return `'` + strings.ReplaceAll(s, `'`, `''`) + `'`
	case first != '"' && !strings.ContainsAny(s, ":#,[]{}&*!|>'\"%@`\\") && strings.TrimSpace(s) == s:
		return s
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
