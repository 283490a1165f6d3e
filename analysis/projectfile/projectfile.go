// Package projectfile reads abl.yaml, the file in which a project lists what its
// tools name: servers, functions, sources and the like, and the cases that are
// saved beside tools.
//
// It never fails. Of a text that is no YAML, or of another shape, it knows
// nothing, and says so, so that nobody complains on its word.
package projectfile

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// FileName is the name that the file has in every project.
const FileName = "abl.yaml"

// MaxBytes is the size up to which a text is read.
const MaxBytes = 1 << 20

// The tables, by their keys.
const (
	Servers      = "servers"
	Functions    = "functions"
	Sources      = "sources"
	AuthServices = "auth_services"
	Environments = "environments"
)

// Project is one version of the file.
type Project struct {
	// Broken says that the text cannot be read. Nothing else is set then.
	Broken bool

	// Secrets says that there is a `secrets`. Providers are those that it names,
	// nil where it names none, or something that is no list of words.
	Secrets   bool
	Providers []string

	tables      map[string]Table
	baseURLs    map[string]Entry // by environment; "" is the top level
	environment string           // the default one
}

// BaseURL is what stands before an endpoint that is a path, with the place of
// its key: that of an environment, by default of the default one, else that of
// the top level.
func (p *Project) BaseURL(environment string) (url Entry, ok bool) {
	if environment == "" {
		environment = p.environment
	}
	if url, ok = p.baseURLs[environment]; !ok {
		url, ok = p.baseURLs[""]
	}
	return url, ok
}

// Table is one of the maps of names.
type Table struct {
	Entries []Entry // of the top level, then those of the environments; a name may come again

	// Open says that names may be missing: some come by a way that is not
	// followed.
	Open bool
}

// Entry is a name with its place in the text.
type Entry struct {
	Name string
	Span text.Span
}

// Table is the table of that key; ok is false where neither the top level nor an
// environment has one.
func (p *Project) Table(key string) (t Table, ok bool) {
	t, ok = p.tables[key]
	return t, ok
}

// Names are the names of a table, each once, in order.
func (t Table) Names() []string {
	var names []string
	for _, e := range t.Entries {
		if !slices.Contains(names, e.Name) {
			names = append(names, e.Name)
		}
	}
	return names
}

// Parse reads a text.
func Parse(source string) (p *Project) {
	defer func() {
		if recover() != nil { // the parser of YAML is not ours
			p = &Project{Broken: true}
		}
	}()
	if len(source) > MaxBytes {
		return &Project{Broken: true}
	}
	file, err := parser.ParseBytes([]byte(plain(source)), 0)
	if err != nil || len(file.Docs) > 1 {
		return &Project{Broken: true}
	}
	r := reader{source: source, lines: text.NewLines(source), p: &Project{tables: map[string]Table{}, baseURLs: map[string]Entry{}}}
	for _, d := range file.Docs {
		r.top(d.Body)
	}
	return r.p
}

// plain is a text as the parser counts its lines right.
func plain(source string) string {
	source = strings.TrimPrefix(source, byteOrderMark)
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(source)
}

const byteOrderMark = "\ufeff"

// reader fills in a project.
type reader struct {
	source string
	lines  *text.Lines
	p      *Project
}

func (r *reader) top(body ast.Node) {
	if isNothing(body) {
		return
	}
	members, open := membersOf(body)
	if open {
		r.p.Broken = true
		return
	}
	r.level(members)
	r.baseURL("", members)
	for _, m := range members {
		switch keyOf(m) {
		case "default_environment":
			r.p.environment, _ = plainText(m.Value)
		case Environments:
			r.environments(m.Value)
		case "secrets":
			r.secrets(m.Value)
		}
	}
}

// level reads the tables of the top level, or of an environment.
func (r *reader) level(members []*ast.MappingValueNode) {
	for _, m := range members {
		switch key := keyOf(m); key {
		case Servers, Functions, Sources, AuthServices, Environments:
			r.table(key, m.Value)
		}
	}
}

func (r *reader) environments(value ast.Node) {
	members, _ := membersOf(value)
	for _, m := range members {
		if isNothing(m.Value) {
			continue
		}
		inner, open := membersOf(m.Value)
		r.level(inner)
		r.baseURL(keyOf(m), inner)
		if !open {
			continue
		}
		for _, key := range []string{Servers, Functions, Sources, AuthServices} {
			t := r.p.tables[key]
			t.Open = true
			r.p.tables[key] = t
		}
	}
}

// table adds the names of a map. One without a value is not there yet.
func (r *reader) table(key string, value ast.Node) {
	if isNothing(value) {
		return
	}
	members, open := membersOf(value)
	t := r.p.tables[key]
	t.Open = t.Open || open
	for _, m := range members {
		t.Entries = append(t.Entries, Entry{keyOf(m), r.span(m.Key)})
	}
	r.p.tables[key] = t
}

func (r *reader) baseURL(environment string, members []*ast.MappingValueNode) {
	for _, m := range members {
		if url, ok := plainText(m.Value); ok && keyOf(m) == "base_url" {
			r.p.baseURLs[environment] = Entry{url, r.span(m.Key)}
		}
	}
}

// plainText is the text of a node that is one.
func plainText(n ast.Node) (string, bool) {
	s, ok := bare(n).(*ast.StringNode)
	if !ok {
		return "", false
	}
	return s.Value, true
}

func (r *reader) secrets(value ast.Node) {
	r.p.Secrets = true
	members, _ := membersOf(value)
	for _, m := range members {
		if keyOf(m) == "providers" {
			r.p.Providers = words(m.Value)
		}
	}
}

// words are the words of a list, nil where it is no list of words.
func words(n ast.Node) []string {
	list, ok := bare(n).(*ast.SequenceNode)
	if !ok {
		return nil
	}
	words := []string{}
	for _, item := range list.Values {
		word, ok := bare(item).(*ast.StringNode)
		if !ok {
			return nil
		}
		words = append(words, word.Value)
	}
	return words
}

// membersOf are the members of a map. open says that it is none, or that others
// are merged into it.
func membersOf(n ast.Node) (members []*ast.MappingValueNode, open bool) {
	switch n := bare(n).(type) {
	case *ast.MappingNode:
		members = n.Values
	case *ast.MappingValueNode:
		members = []*ast.MappingValueNode{n}
	default:
		return nil, true
	}
	merged := func(m *ast.MappingValueNode) bool { return m.Key.IsMergeKey() }
	open = slices.ContainsFunc(members, merged)
	return slices.DeleteFunc(slices.Clone(members), merged), open
}

func isNothing(n ast.Node) bool {
	return n == nil || n.Type() == ast.NullType || n.Type() == ast.CommentType || n.Type() == ast.CommentGroupType
}

// bare is a node without its anchor and tag.
func bare(n ast.Node) ast.Node {
	for {
		switch inner := n.(type) {
		case *ast.AnchorNode:
			n = inner.Value
		case *ast.TagNode:
			n = inner.Value
		default:
			return n
		}
	}
}

func keyOf(m *ast.MappingValueNode) string {
	if s, ok := m.Key.(*ast.StringNode); ok {
		return s.Value
	}
	return m.Key.GetToken().Value
}

// span is where a key stands.
func (r *reader) span(key ast.MapKeyNode) text.Span { return r.spanOf(key.GetToken()) }

// spanOf is where a word stands. The parser counts lines and characters from one.
func (r *reader) spanOf(word *token.Token) text.Span {
	at := word.Position
	pos := text.Position{Line: at.Line - 1, Character: at.Column - 1}
	if pos.Line == 0 && strings.HasPrefix(r.source, byteOrderMark) {
		pos.Character++
	}
	start := r.lines.Offset(pos, text.UTF32)
	size := len(word.Value)
	if start < len(r.source) && (r.source[start] == '"' || r.source[start] == '\'') {
		size += 2
	}
	return text.Span{Start: start, End: min(start+size, len(r.source))}
}
