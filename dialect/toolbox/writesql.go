package toolbox

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
	"github.com/abl-lsp/abl-lsp/tool/sqltext"
)

func (w *writer) writeSQL(t tool.Tool, s *tool.SQL) (entry tool.Object, why string) {
	kind := w.sourceKinds[s.Source]
	if kind == "" {
		return nil, "nothing declares its source " + s.Source + ", whose kind is not known"
	}
	if short := toolKinds[kind]; short != "" {
		kind = short
	}
	if c := catalogOf(kind, t, s); c != nil {
		return w.newEntry(t, c.kind, s.Source), ""
	}
	templates, why := w.writeTemplateParams(t, s)
	if why != "" {
		return nil, why
	}
	statement, bound, never, why := bindStatement(kind, s, t.Params)
	if why != "" {
		return nil, why
	}
	for _, name := range never {
		w.Note(t.QualifiedName(), "Toolbox binds %s too, which its statement never takes: a database may refuse that", name)
	}
	params, why := w.writeParams(t, bound)
	if why != "" {
		return nil, why
	}
	usual := tool.Object{{Name: "name", Value: "sql"}, {Name: "type", Value: "string"}, {Name: "description", Value: anyDescription}}
	if s.Statement == anyStatement && len(params) == 0 && len(templates) == 1 && reflect.DeepEqual(templates[0], usual) {
		return w.newEntry(t, kind+"-execute-sql", s.Source), ""
	}
	entry = append(w.newEntry(t, kind+"-sql", s.Source), tool.Member{Name: "statement", Value: statement})
	return addList(addList(entry, "parameters", params), "templateParameters", templates), ""
}

// numberPrefixes maps the kind of a source to what precedes a parameter's number.
var numberPrefixes = map[string]string{"postgres": "$", "sqlite": "?"}

// pieces matches the parts of a statement that matter here: quoted names and comments, in which
// nothing is bound, and placeholders.
const pieces = `"[^"]*"|` + "`[^`]*`" + `|--[^\n]*|(?s:/\*.*?\*/)|::|` + placeholder.Any + `|\?\d*|[$:@]\w+`

var (
	plainPieces   = lazyregexp.New(`'[^']*'|` + pieces)
	escapedPieces = lazyregexp.New(`(?s:'(?:\\.|[^'\\])*')|` + pieces) // of MySQL
)

// binder replaces the placeholders of a statement by Toolbox's.
type binder struct {
	kind              string // of the source
	params            []tool.Param
	hasABLPlaceholder bool  // there are placeholders that only ABL has
	uses              []int // of the parameters, in order
	marks             int   // how many ? there were
	problem           string
}

// bindStatement writes a statement with numbered parameters, as Toolbox has it. ordered are the
// parameters in the order of their numbers; unbound are the names of parameters that the statement
// never uses. A statement that already has numbers stays as it is. why says why the statement
// cannot be written.
func bindStatement(kind string, s *tool.SQL, params []tool.Param) (statement string, ordered []tool.Param, unbound []string, why string) {
	statement = s.Statement
	for _, t := range s.Templates() {
		statement = strings.NewReplacer("{{"+t.Name+"}}", "{{."+t.Name+"}}").Replace(statement)
	}
	b := binder{kind: kind, params: params}
	find := plainPieces
	if kind == "mysql" {
		find = escapedPieces
	}
	out := find.ReplaceAllStringFunc(statement, b.writePiece)
	switch {
	case b.problem != "":
		return statement, params, nil, b.problem
	case !b.hasABLPlaceholder:
		return statement, params, b.neverBound(), ""
	case numberPrefixes[kind] != "":
		return out, params, b.neverBound(), ""
	case kind != "mysql":
		return "", nil, nil, "nobody knows how its source writes what is bound"
	}
	for _, i := range b.uses { // MySQL does not count, but takes one after the other
		ordered = append(ordered, params[i])
	}
	if once := slices.Compact(slices.Sorted(slices.Values(b.uses))); len(once) != len(b.uses) || len(once) != len(params) {
		return "", nil, nil, "Toolbox binds each parameter once on MySQL, and its statement does not"
	}
	return out, ordered, nil, ""
}

// neverBound returns the parameters that the statement does not use, if the placeholders of the
// source's kind are known.
func (b *binder) neverBound() (names []string) {
	if b.kind != "mysql" && numberPrefixes[b.kind] == "" {
		return nil
	}
	for i, p := range b.params {
		if !slices.Contains(b.uses, i) {
			names = append(names, p.Name)
		}
	}
	return names
}

// writePiece writes one piece of a statement.
func (b *binder) writePiece(text string) string {
	number, err := strconv.Atoi(text[1:])
	switch {
	case goTemplate.MatchString(text), sqltext.IsAction(text):
	case strings.HasPrefix(text, "{{"):
		return b.namedPlaceholder(text, strings.TrimPrefix(strings.Trim(text, "{} \t\n"), "input."))
	case text == "?" && b.kind != "postgres":
		b.marks++
		return b.numberedPlaceholder(text, b.marks)
	case err == nil && strings.HasPrefix(text, numberPrefixes[b.kind]) || err == nil && text[0] == '$':
		return b.numberedPlaceholder(text, number)
	case b.kind == "sqlite" && strings.ContainsAny(text[:1], "$:@") && b.paramIndex(text[1:]) >= 0:
		return b.namedPlaceholder(text, text[1:])
	}
	return text
}

// goTemplate matches a placeholder that Toolbox itself pastes.
var goTemplate = lazyregexp.New(`^` + placeholder.Open + `(array\s+)?\.`)

func (b *binder) paramIndex(name string) int {
	return slices.IndexFunc(b.params, func(p tool.Param) bool { return p.Name == name })
}

// namedPlaceholder writes the placeholder of a parameter, given its name. Only ABL has such
// placeholders.
func (b *binder) namedPlaceholder(text, name string) string {
	b.hasABLPlaceholder = true
	i := b.paramIndex(name)
	if i < 0 {
		b.problem = "its statement takes " + text
	}
	return b.numberedPlaceholder(text, i+1)
}

// numberedPlaceholder writes the placeholder of a parameter, given its number.
func (b *binder) numberedPlaceholder(text string, number int) string {
	if number < 1 || number > len(b.params) {
		return text
	}
	b.uses = append(b.uses, number-1)
	if before := numberPrefixes[b.kind]; before != "" {
		return before + strconv.Itoa(number)
	}
	return "?"
}
