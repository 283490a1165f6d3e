package literal

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// program holds the declarations of a source that are outside strings, comments and brackets.
type program struct {
	constants map[string]int    // where the values begin, of constants alone
	variables map[string]int    // and of all others
	imported  map[string]string // from which module a name comes

	known    map[string]constant // those that were read
	repeated int                 // the values from repeated uses of constants
}

// constant is the value of a constant, with the number of values in it and their depth.
type constant struct {
	node           foreign.Node
	weight, height int // the number of its values, and their depth
}

// maxRepeated limits the number of values that come from repeated use of constants.
const maxRepeated = 20_000

// maxHead limits the length of a declaration before its value, in bytes.
const maxHead = 1 << 10

// Default is the name of a source's default export.
const Default = "default"

var (
	wholeExport    = lazyregexp.New(`^(?:export\s+default\b|(?:module\s*\.\s*)?exports\s*=)`)
	declaration    = lazyregexp.New(`^(?:(const|let|var)\s+|(?:module\s*\.\s*)?exports\s*\.\s*)([\w$]+)\s*`)
	identifierForm = lazyregexp.New(`[\w$]+`)
)

// declarations reads the declarations of a source.
func declarations(source string) *program {
	p := &program{constants: map[string]int{}, variables: map[string]int{}, imported: map[string]string{}, known: map[string]constant{}}
	r := reader{source: source}
	depth := 0
	for fresh := true; r.at < len(source); {
		switch c := source[r.at]; {
		case c == '"' || c == '\'' || c == '`':
			r.readText()
			fresh = false
			continue
		case strings.HasPrefix(r.rest(), "//"), strings.HasPrefix(r.rest(), "/*"):
			r.at += commentLength(r.rest())
			continue
		case isWordByte(c):
			if fresh && depth == 0 {
				p.addDeclaration(source, r.at)
			}
			name := r.readIdentifier()
			fresh = name == "export" || name == "default"
			continue
		case c == '{' || c == '(' || c == '[':
			depth++
		case c == '}' || c == ')' || c == ']':
			depth = max(depth-1, 0)
		}
		fresh = fresh && strings.IndexByte(" \t", source[r.at]) >= 0 || strings.IndexByte(";\n\r}", source[r.at]) >= 0
		r.at++
	}
	return p
}

// addDeclaration adds what a statement declares. Of two declarations of a name, the first is kept.
func (p *program) addDeclaration(source string, at int) {
	head := source[at:min(at+maxHead, len(source))]
	if clause, ok := strings.CutPrefix(head, "import"); ok {
		p.addImports(clause)
		return
	}
	if m := wholeExport.FindString(head); m != "" && !strings.HasPrefix(head[len(m):], "=") {
		p.variables[Default] = at + len(m)
		return
	}
	m := declaration.FindStringSubmatch(head)
	if m == nil {
		return
	}
	value, ok := valueAfterEquals(head[len(m[0]):])
	if !ok {
		return
	}
	into := p.variables
	if m[1] == "const" {
		into = p.constants
	}
	if _, before := into[m[2]]; !before {
		into[m[2]] = at + len(m[0]) + value
	}
}

// valueAfterEquals returns the offset of the value after the name in a declaration. A type, perhaps
// with arrows in it, may be between the two.
func valueAfterEquals(s string) (at int, ok bool) {
	if !strings.HasPrefix(s, ":") && !strings.HasPrefix(s, "=") {
		return 0, false
	}
	for open := 0; at < len(s); at++ {
		switch {
		case strings.HasPrefix(s[at:], "=>"):
			at++
		case s[at] == '=':
			return at + 1, true
		case s[at] == ';' && open == 0:
			return 0, false
		case s[at] == '{':
			open++
		case s[at] == '}':
			open--
		}
	}
	return 0, false
}

// addImports adds the names of an import clause, which ends with a quoted text.
func (p *program) addImports(clause string) {
	end := strings.IndexAny(clause, "\"';")
	if end < 0 || clause[end] == ';' {
		return
	}
	names, from := strings.CutSuffix(strings.TrimSpace(clause[:end]), "from")
	module, _, closed := strings.Cut(clause[end+1:], clause[end:end+1])
	if !from || !closed {
		return
	}
	for _, name := range identifierForm.FindAllString(names, -1) {
		p.imported[name] = module
	}
}

// valueStart returns the offset of the value of a name, which need not be a constant.
func (p *program) valueStart(name string) (at int, ok bool) {
	if at, ok = p.constants[name]; !ok {
		at, ok = p.variables[name]
	}
	return at, ok
}

// readName reads a word that denotes a value: a constant of this source, else a computed value. The
// text of an imported name is its module.
func (r *reader) readName() foreign.Node {
	start := r.at
	name := r.readIdentifier()
	if c, ok := r.readConstant(name); ok {
		n := c.node
		n.Span.Start, n.Span.End, n.Alias = start, r.at, name
		return n
	}
	r.at = start
	n := r.readComputed()
	if r.program != nil && n.Span.Len() == len(name) {
		n.Text = r.program.imported[name]
	}
	return n
}

// readConstant returns the value of a constant, unless constants are repeated too often or contain
// themselves.
func (r *reader) readConstant(name string) (constant, bool) {
	if r.program == nil || r.constantDepth > maxDepth {
		return constant{}, false
	}
	c, known := r.program.known[name]
	if !known {
		at, ok := r.program.constants[name]
		if !ok {
			return constant{}, false
		}
		r.program.known[name] = c // so that it is not read within itself
		value := reader{source: r.source, at: at, program: r.program, constantDepth: r.constantDepth + 1}
		c.node = value.readValue(0)
		r.problems = append(r.problems, value.problems...)
		c.weight, c.height = measure(c.node)
		r.program.known[name] = c
	}
	if c.weight == 0 || c.node.Kind == foreign.Computed || c.height > maxDepth/2 || r.program.repeated+c.weight > maxRepeated {
		return constant{}, false
	}
	r.program.repeated += c.weight
	return c, true
}

// measure returns the number of values in a value, and its depth.
func measure(n foreign.Node) (weight, height int) {
	if n.Kind == foreign.Missing {
		return 0, 0
	}
	weight = 1
	addPart := func(part foreign.Node) {
		w, h := measure(part)
		weight, height = weight+w, max(height, h)
	}
	for _, item := range n.Items {
		addPart(item)
	}
	for _, m := range n.Members {
		addPart(m.Value)
	}
	return weight, height + 1
}
