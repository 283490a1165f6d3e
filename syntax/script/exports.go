package script

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/evanw/esbuild/pkg/api"
	sitter "github.com/smacker/go-tree-sitter"
)

// MaxModule is the size up to which modules are looked at.
const MaxModule = 256 << 10

// Exports are the names under which a module of JavaScript, or of TypeScript, may export
// functions: as themselves, in exported objects, and in those of the default one. whole is
// false where it may export others as well: what it takes from another module as a whole,
// what it computes, and what it changes.
func Exports(source string, typescript bool) (names []string, whole bool) {
	if len(source) > MaxModule || !utf8.ValidString(source) {
		return nil, false
	}
	if typescript {
		if source, whole = asJavaScript(source); !whole {
			return nil, false
		}
	}
	parser := newParser(javascript)
	defer parser.Close()
	x := exports{source: source, whole: true, declared: map[string]*sitter.Node{}, mentioned: map[string]int{}, followed: map[string]int{}}
	parseTree(parser, []byte(source), x.read)
	slices.Sort(x.names)
	return slices.Compact(x.names), x.whole
}

// maxBrackets is how deep brackets may stand in each other in what is translated, which
// would take long.
const maxBrackets = 200

func asJavaScript(source string) (string, bool) {
	depth := 0
	for i := range len(source) {
		switch source[i] {
		case '(', '[', '{':
			if depth++; depth > maxBrackets {
				return "", false
			}
		case ')', ']', '}':
			depth = max(depth-1, 0)
		}
	}
	made := api.Transform(source, api.TransformOptions{Loader: api.LoaderTS, Target: api.ESNext, LogLevel: api.LogLevelSilent})
	return string(made.Code), len(made.Errors) == 0
}

// exports reads what a module exports.
type exports struct {
	source string
	names  []string
	whole  bool

	declared  map[string]*sitter.Node // the values of constants, functions and classes
	mentioned map[string]int          // how often a name stands anywhere
	followed  map[string]int          // how often it was read as what is exported
	objects   []string                // names of those whose members count
}

// How deep the objects may stand whose functions are found.
const (
	named     = 1 // what is exported under a name
	asDefault = 2 // and what is in the default one
)

func (x *exports) read(root *sitter.Node) {
	if root.HasError() {
		x.whole = false
		return
	}
	for n := range walk(root, everything) {
		if n.NamedChildCount() == 0 && (n.Type() == "identifier" || n.Type() == "shorthand_property_identifier") {
			x.mentioned[x.text(n)]++
		}
	}
	for _, n := range children(root) {
		if n.Type() != "export_statement" {
			x.declare(n)
		} else if d := n.ChildByFieldName("declaration"); d != nil {
			x.declare(d)
		}
	}
	for _, n := range children(root) {
		switch n.Type() {
		case "export_statement":
			x.export(n)
		case "expression_statement":
			x.assign(n.NamedChild(0))
		}
	}
	for _, name := range append(x.objects, "module", "exports") {
		if x.mentioned[name] != x.followed[name] { // where else it stands it may be changed
			x.whole = false
		}
	}
}

func (x *exports) text(n *sitter.Node) string { return x.source[n.StartByte():n.EndByte()] }

// declare takes in what a statement declares that keeps its value.
func (x *exports) declare(n *sitter.Node) {
	switch {
	case isFunction(n):
		if name := n.ChildByFieldName("name"); name != nil {
			x.declared[x.text(name)] = n
		}
	case n.Type() == "lexical_declaration" && strings.HasPrefix(x.text(n), "const"):
		for _, d := range children(n) {
			if value := d.ChildByFieldName("value"); value != nil {
				name := x.text(d.ChildByFieldName("name"))
				x.declared[name] = value
				x.mentioned[name]--
			}
		}
	}
}

func isFunction(n *sitter.Node) bool {
	switch n.Type() {
	case "function_declaration", "generator_function_declaration", "class_declaration",
		"function", "function_expression", "generator_function", "arrow_function", "class":
		return true
	}
	return false
}

// export reads an export.
func (x *exports) export(n *sitter.Node) {
	declaration, value := n.ChildByFieldName("declaration"), n.ChildByFieldName("value")
	isDefault := strings.HasPrefix(strings.TrimLeft(strings.TrimPrefix(x.text(n), "export"), " \t\r\n"), "default")
	switch {
	case value != nil:
		x.value("", value, asDefault)
	case declaration != nil && (isDefault || isFunction(declaration)):
		if name := declaration.ChildByFieldName("name"); name != nil {
			x.names = append(x.names, x.text(name))
		}
	case declaration != nil:
		for _, d := range children(declaration) {
			if name := d.ChildByFieldName("name"); name != nil && name.Type() == "identifier" {
				x.mentioned[x.text(name)]++ // it is declared and exported at one place
				x.value(x.text(name), name, named)
				continue
			}
			x.whole = false
		}
	default:
		x.clause(n)
	}
}

// clause reads `{a, b as c}`, of this module or of another one.
func (x *exports) clause(n *sitter.Node) {
	list := children(n)
	if len(list) == 0 || list[0].Type() != "export_clause" {
		x.whole = false
		return
	}
	for _, s := range children(list[0]) {
		name, as := s.ChildByFieldName("name"), s.ChildByFieldName("alias")
		if as == nil {
			as = name
		}
		if as != name {
			x.mentioned[x.text(as)]--
		}
		called := x.text(as)
		if as.Type() == "string" {
			called = strings.Trim(called, `"'`)
		}
		depth := named
		if called == "default" {
			depth = asDefault
		}
		if n.ChildByFieldName("source") != nil {
			x.unknown(called, depth)
			continue
		}
		x.value(called, name, depth)
	}
}

// assign reads what CommonJS has for an export.
func (x *exports) assign(n *sitter.Node) {
	if n == nil || n.Type() != "assignment_expression" {
		return
	}
	to, value := x.text(n.ChildByFieldName("left")), n.ChildByFieldName("right")
	rest, whole := strings.CutPrefix(to, "module.exports")
	key, part := strings.CutPrefix(rest, ".")
	if whole {
		x.followed["module"]++
	} else if key, part = strings.CutPrefix(to, "exports."); part {
		x.followed["exports"]++
	}
	switch {
	case whole && rest == "":
		x.value("", value, asDefault)
	case part && key != "default":
		x.value(key, value, named)
	case part:
		x.whole = false
	}
}

// value reads what a name stands for. Objects are looked into so deep.
func (x *exports) value(name string, n *sitter.Node, depth int) {
	switch kind := n.Type(); {
	case isFunction(n):
		if own := n.ChildByFieldName("name"); name == "" && own != nil {
			name = x.text(own)
		}
		x.names = append(x.names, name)
	case isPlain(kind), kind == "binary_expression" && !isChoice(x.text(n.ChildByFieldName("operator"))):
	case kind == "parenthesized_expression" && n.NamedChildCount() == 1:
		x.value(name, n.NamedChild(0), depth)
	case kind == "object":
		if depth > 0 {
			x.members(n, depth-1)
		}
	case kind == "identifier", kind == "shorthand_property_identifier":
		x.follow(name, x.text(n), depth)
	default:
		x.unknown(name, depth)
	}
}

// unknown is a value that may be a function, or an object that has some.
func (x *exports) unknown(name string, depth int) {
	x.names = append(x.names, name)
	x.whole = x.whole && depth == 0
}

// isPlain reports whether an expression is no function, and has none.
func isPlain(kind string) bool {
	switch kind {
	case "string", "template_string", "number", "regex", "true", "false", "null", "undefined", "unary_expression", "array":
		return true
	}
	return false
}

// isChoice reports whether an operator gives one of its sides as it is.
func isChoice(operator string) bool { return operator == "||" || operator == "&&" || operator == "??" }

// maxFollowed is how often a name is followed: one may stand for itself.
const maxFollowed = 10

// follow reads what another name stands for.
func (x *exports) follow(name, of string, depth int) {
	value, known := x.declared[of]
	x.followed[of]++
	switch {
	case !known || x.followed[of] > maxFollowed:
		x.unknown(name, depth)
	case isFunction(value):
		x.names = append(x.names, name)
	default:
		if kind := value.Type(); depth > 0 && (kind == "object" || kind == "parenthesized_expression") {
			x.objects = append(x.objects, of)
		}
		x.value(name, value, depth)
	}
}

// members are those of an object.
func (x *exports) members(object *sitter.Node, depth int) {
	for _, m := range children(object) {
		key := m.ChildByFieldName("key")
		switch {
		case m.Type() == "shorthand_property_identifier":
			x.value(x.text(m), m, depth)
		case m.Type() == "method_definition":
			x.key(m.ChildByFieldName("name"), nil, depth)
		case m.Type() == "pair" && key != nil:
			x.key(key, m.ChildByFieldName("value"), depth)
		default: // what is spread
			x.whole = false
		}
	}
}

// key reads a member; value is nil for a method.
func (x *exports) key(key, value *sitter.Node, depth int) {
	name := x.text(key)
	switch {
	case key.Type() == "string" && !strings.Contains(name, `\`):
		name = name[1 : len(name)-1]
	case key.Type() != "property_identifier" || strings.Contains(name, `\`):
		x.whole = false
		return
	}
	if value == nil {
		x.names = append(x.names, name)
		return
	}
	x.value(name, value, depth)
}
