package script

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/evanw/esbuild/pkg/api"
	sitter "github.com/smacker/go-tree-sitter"
)

// MaxModuleBytes is the size up to which modules are read.
const MaxModuleBytes = 256 << 10

// Exports returns the names of the functions that a module of JavaScript or TypeScript may
// export: functions, members of exported objects, and members of objects in the default
// export. whole is false if it may export others too, for example by `export *`, by a
// computed name, or by a later change.
func Exports(source string, typescript bool) (names []string, whole bool) {
	if len(source) > MaxModuleBytes || !utf8.ValidString(source) {
		return nil, false
	}
	if typescript {
		if source, whole = removeTypes(source); !whole {
			return nil, false
		}
	}
	parser := newParser(javascript)
	defer parser.Close()
	x := exportReader{source: source, complete: true, declarations: map[string]*sitter.Node{}, referenceCount: map[string]int{}, followCount: map[string]int{}}
	parseTree(parser, []byte(source), x.readModule)
	slices.Sort(x.names)
	return slices.Compact(x.names), x.complete
}

// maxBrackets is the depth of brackets up to which TypeScript is translated: the translation of
// deeper code takes too long.
const maxBrackets = 200

func removeTypes(source string) (string, bool) {
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

// exportReader reads what a module exports.
type exportReader struct {
	source   string
	names    []string
	complete bool

	declarations   map[string]*sitter.Node // the values of constants, functions and classes
	referenceCount map[string]int          // how often a name appears anywhere
	followCount    map[string]int          // how often it was read as an exported value
	objects        []string                // the names of objects whose members are exported
}

// The depth of objects up to which their functions are found.
const (
	namedExportDepth   = 1 // in a named export
	defaultExportDepth = 2 // in the default export
)

func (x *exportReader) readModule(root *sitter.Node) {
	if root.HasError() {
		x.complete = false
		return
	}
	for n := range walk(root, enterAll) {
		if n.NamedChildCount() == 0 && (n.Type() == "identifier" || n.Type() == "shorthand_property_identifier") {
			x.referenceCount[x.text(n)]++
		}
	}
	for _, n := range children(root) {
		if n.Type() != "export_statement" {
			x.addDeclaration(n)
		} else if d := n.ChildByFieldName("declaration"); d != nil {
			x.addDeclaration(d)
		}
	}
	for _, n := range children(root) {
		switch n.Type() {
		case "export_statement":
			x.readExport(n)
		case "expression_statement":
			x.readCommonJSExport(n.NamedChild(0))
		}
	}
	for _, name := range append(x.objects, "module", "exports") {
		if x.referenceCount[name] != x.followCount[name] { // where else it stands it may be changed
			x.complete = false
		}
	}
}

func (x *exportReader) text(n *sitter.Node) string { return x.source[n.StartByte():n.EndByte()] }

// addDeclaration records the declarations of a statement whose values do not change.
func (x *exportReader) addDeclaration(n *sitter.Node) {
	switch {
	case isFunction(n):
		if name := n.ChildByFieldName("name"); name != nil {
			x.declarations[x.text(name)] = n
		}
	case n.Type() == "lexical_declaration" && strings.HasPrefix(x.text(n), "const"):
		for _, d := range children(n) {
			if value := d.ChildByFieldName("value"); value != nil {
				name := x.text(d.ChildByFieldName("name"))
				x.declarations[name] = value
				x.referenceCount[name]--
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

// readExport reads an export.
func (x *exportReader) readExport(n *sitter.Node) {
	declaration, value := n.ChildByFieldName("declaration"), n.ChildByFieldName("value")
	isDefault := strings.HasPrefix(strings.TrimLeft(strings.TrimPrefix(x.text(n), "export"), " \t\r\n"), "default")
	switch {
	case value != nil:
		x.readValue("", value, defaultExportDepth)
	case declaration != nil && (isDefault || isFunction(declaration)):
		if name := declaration.ChildByFieldName("name"); name != nil {
			x.names = append(x.names, x.text(name))
		}
	case declaration != nil:
		for _, d := range children(declaration) {
			if name := d.ChildByFieldName("name"); name != nil && name.Type() == "identifier" {
				x.referenceCount[x.text(name)]++ // it is declared and exported at one place
				x.readValue(x.text(name), name, namedExportDepth)
				continue
			}
			x.complete = false
		}
	default:
		x.readExportClause(n)
	}
}

// readExportClause reads `{a, b as c}`, of this module or of another one.
func (x *exportReader) readExportClause(n *sitter.Node) {
	list := children(n)
	if len(list) == 0 || list[0].Type() != "export_clause" {
		x.complete = false
		return
	}
	for _, s := range children(list[0]) {
		name, as := s.ChildByFieldName("name"), s.ChildByFieldName("alias")
		if as == nil {
			as = name
		}
		if as != name {
			x.referenceCount[x.text(as)]--
		}
		called := x.text(as)
		if as.Type() == "string" {
			called = strings.Trim(called, `"'`)
		}
		depth := namedExportDepth
		if called == "default" {
			depth = defaultExportDepth
		}
		if n.ChildByFieldName("source") != nil {
			x.addUnknown(called, depth)
			continue
		}
		x.readValue(called, name, depth)
	}
}

// readCommonJSExport reads an export in the form of CommonJS.
func (x *exportReader) readCommonJSExport(n *sitter.Node) {
	if n == nil || n.Type() != "assignment_expression" {
		return
	}
	to, value := x.text(n.ChildByFieldName("left")), n.ChildByFieldName("right")
	rest, whole := strings.CutPrefix(to, "module.exports")
	key, part := strings.CutPrefix(rest, ".")
	if whole {
		x.followCount["module"]++
	} else if key, part = strings.CutPrefix(to, "exports."); part {
		x.followCount["exports"]++
	}
	switch {
	case whole && rest == "":
		x.readValue("", value, defaultExportDepth)
	case part && key != "default":
		x.readValue(key, value, namedExportDepth)
	case part:
		x.complete = false
	}
}

// readValue reads n, the value that is exported as name. It reads the members of objects up to the
// given depth.
func (x *exportReader) readValue(name string, n *sitter.Node, depth int) {
	switch kind := n.Type(); {
	case isFunction(n):
		if own := n.ChildByFieldName("name"); name == "" && own != nil {
			name = x.text(own)
		}
		x.names = append(x.names, name)
	case hasNoFunction(kind), kind == "binary_expression" && !isLogicalOperator(x.text(n.ChildByFieldName("operator"))):
	case kind == "parenthesized_expression" && n.NamedChildCount() == 1:
		x.readValue(name, n.NamedChild(0), depth)
	case kind == "object":
		if depth > 0 {
			x.readMembers(n, depth-1)
		}
	case kind == "identifier", kind == "shorthand_property_identifier":
		x.followName(name, x.text(n), depth)
	default:
		x.addUnknown(name, depth)
	}
}

// addUnknown adds the name of a value that may be a function, or an object with functions.
func (x *exportReader) addUnknown(name string, depth int) {
	x.names = append(x.names, name)
	x.complete = x.complete && depth == 0
}

// hasNoFunction reports whether an expression of a kind is certainly neither a function nor an
// object with one.
func hasNoFunction(kind string) bool {
	switch kind {
	case "string", "template_string", "number", "regex", "true", "false", "null", "undefined", "unary_expression", "array":
		return true
	}
	return false
}

// isLogicalOperator reports whether the value of an operator is one of its operands.
func isLogicalOperator(operator string) bool {
	return operator == "||" || operator == "&&" || operator == "??"
}

// maxFollowed is how often a name is followed: a name may lead to itself.
const maxFollowed = 10

// followName reads the value of the name of, which is exported as name.
func (x *exportReader) followName(name, of string, depth int) {
	value, known := x.declarations[of]
	x.followCount[of]++
	switch {
	case !known || x.followCount[of] > maxFollowed:
		x.addUnknown(name, depth)
	case isFunction(value):
		x.names = append(x.names, name)
	default:
		if kind := value.Type(); depth > 0 && (kind == "object" || kind == "parenthesized_expression") {
			x.objects = append(x.objects, of)
		}
		x.readValue(name, value, depth)
	}
}

// readMembers reads the members of an object.
func (x *exportReader) readMembers(object *sitter.Node, depth int) {
	for _, m := range children(object) {
		key := m.ChildByFieldName("key")
		switch {
		case m.Type() == "shorthand_property_identifier":
			x.readValue(x.text(m), m, depth)
		case m.Type() == "method_definition":
			x.readMember(m.ChildByFieldName("name"), nil, depth)
		case m.Type() == "pair" && key != nil:
			x.readMember(key, m.ChildByFieldName("value"), depth)
		default: // what is spread
			x.complete = false
		}
	}
}

// readMember reads a member of an exported object; value is nil for a method.
func (x *exportReader) readMember(key, value *sitter.Node, depth int) {
	name := x.text(key)
	switch {
	case key.Type() == "string" && !strings.Contains(name, `\`):
		name = name[1 : len(name)-1]
	case key.Type() != "property_identifier" || strings.Contains(name, `\`):
		x.complete = false
		return
	}
	if value == nil {
		x.names = append(x.names, name)
		return
	}
	x.readValue(name, value, depth)
}
