package model

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// Variable is a name that a file gives a value, so that its expressions and placeholders may use
// it. ABL has no declarations of variables: any other name may have a value as well.
type Variable struct {
	Span text.Span // of the name, at the place that gives it a value
	Name string    // may be dotted
	Kind VariableKind
	Type string // as written; "" if none is
	Doc  string // what the file says of it
	Tool string // of a ResultVariable: the called tool
	From string // of a SetVariable: the path of the assigned value, "" for any other value
	Path string // of the file, if that is another one than the file that was asked about
}

// VariableKind is the way in which a variable gets its value.
type VariableKind int

// The kinds of variables, the most informative first.
const (
	SessionVariable    VariableKind = iota // listed under MEMORY's session
	PersistentVariable                     // likewise, under persistent
	FieldVariable                          // collected by GATHER
	ResultVariable                         // the result of a CALL, by AS
	SetVariable                            // by SET
	ReturnedVariable                       // by MAP or RETURNS: another agent gives it back
)

// String returns the kind for readers.
func (k VariableKind) String() string {
	return [...]string{
		SessionVariable: "session variable", PersistentVariable: "persistent variable", FieldVariable: "field to collect",
		ResultVariable: "result of a call", SetVariable: "variable that is set", ReturnedVariable: "what another agent gives back",
	}[k]
}

// Variables returns the variables of the file, each once: the most informative of those with one
// name.
func (f *File) Variables() []Variable {
	all := f.AllVariables()
	slices.SortStableFunc(all, func(a, b Variable) int { return int(a.Kind) - int(b.Kind) })
	seen := make(map[string]bool, len(all))
	return slices.DeleteFunc(all, func(v Variable) bool {
		known := seen[v.Name]
		seen[v.Name] = true
		return known
	})
}

// AllVariables returns all places that give a variable a value, in the order of the text.
func (f *File) AllVariables() []Variable {
	var all []Variable
	for _, s := range f.summaries {
		for _, v := range s.names().variables {
			v.Span = v.Span.Shift(s.offset)
			all = append(all, v)
		}
	}
	return all
}

// SharedVariables returns the variables of other files that the one at path can read: in a library
// or a profile those of the agents that use it, in an agent those that the tools of its libraries
// set.
func SharedVariables(w Workspace, f *File) []Variable {
	var out []Variable
	seen := map[string]bool{f.Path: true}
	add := func(other *File, only ...VariableKind) {
		if other == nil || other.Doc == nil || seen[other.Path] {
			return
		}
		seen[other.Path] = true
		for _, v := range other.Variables() {
			if v.Path = other.Path; len(only) == 0 || slices.Contains(only, v.Kind) {
				out = append(out, v)
			}
		}
	}
	if f.Kind == Library || f.Kind == Profile {
		for _, path := range w.Importers(f.Path) {
			add(w.File(path))
		}
		return out
	}
	for _, t := range w.Callable(f.Path).Tools {
		add(t.File, SetVariable)
	}
	return out
}

// Variable returns the variable called name or, if there is none, the one called as the first part
// of name, which is dotted. ok is false if there is neither.
func (f *File) Variable(name string) (v Variable, ok bool) {
	head := placeholder.RootName(name)
	for _, one := range f.Variables() {
		if one.Name == name {
			return one, true
		}
		if one.Name == head && !ok {
			v, ok = one, true
		}
	}
	return v, ok
}

// variableReader reads the variables to which an entry gives a value.
type variableReader struct{ *nameReader }

// addGiven adds a variable and returns it; nil if the word is no name of a variable.
func (r variableReader) addGiven(kind VariableKind, w Word) *Variable {
	if w.Text == "" || strings.Trim(w.Text, NameBytes) != "" {
		return nil
	}
	access := Declares
	if kind >= ResultVariable {
		access = Writes
	}
	r.addVariable(w, access)
	r.variables = append(r.variables, Variable{Name: w.Text, Span: w.Span, Kind: kind})
	return &r.variables[len(r.variables)-1]
}

// readMemory reads the lists of MEMORY.
func (r variableReader) readMemory(root syntax.Node) {
	kind := SessionVariable
	switch strings.ToLower(root.Key()) {
	case "session":
	case "persistent":
		kind = PersistentVariable
	default:
		r.readMemoryKey(root)
		return
	}
	for _, p := range SectionProperties(Agent, "MEMORY", root) {
		for _, item := range p.Items() {
			props := item.Properties()
			r.addDescribed(kind, nameInMemory(item, props), props)
		}
		for _, one := range p.Properties() {
			if one.IsAuthorName {
				r.addDescribed(kind, one.Key, one.Properties())
			}
		}
	}
}

// nameInMemory returns the name in an item of MEMORY: its first word, or the value of NAME or PATH.
func nameInMemory(item Item, props []Property) syntax.Node {
	if len(props) > 0 && !props[0].Value.IsZero() && (strings.EqualFold(props[0].WrittenName(), "NAME") || strings.EqualFold(props[0].WrittenName(), "PATH")) {
		return props[0].Value
	}
	return item.NameNode()
}

// readMemoryKey reads a variable that is written as a key of MEMORY.
func (r variableReader) readMemoryKey(root syntax.Node) {
	for _, p := range SectionProperties(Agent, "MEMORY", root) {
		if p.IsAuthorName && p.ValueField != nil {
			r.addDescribed(SessionVariable, p.Key, p.Properties())
		}
	}
}

// readGather reads an entry of GATHER: a field, an item of a list of fields, or
// that list below FIELDS.
func (r variableReader) readGather(root syntax.Node) {
	props := SectionProperties(Agent, "GATHER", root)
	if root.Kind() == syntax.ListItem {
		r.addDescribed(FieldVariable, Item{Node: root}.NameNode(), props)
		return
	}
	r.readFields(props)
	for _, p := range props {
		for _, item := range p.Items() {
			if p.Name() == "FIELDS" {
				r.addDescribed(FieldVariable, item.NameNode(), item.Properties())
			}
		}
	}
}

// readFields reads the fields that GATHER collects.
func (r variableReader) readFields(props []Property) {
	for _, p := range props {
		switch {
		case strings.EqualFold(p.WrittenName(), "FIELD_OVERRIDES"): // in a behaviour profile
			r.readFields(p.Properties())
		case p.IsAuthorName:
			r.addDescribed(FieldVariable, p.Key, p.Properties())
		}
	}
}

// addDescribed adds a variable with the keys that say something of it.
func (r variableReader) addDescribed(kind VariableKind, name syntax.Node, props []Property) {
	added := r.addGiven(kind, UnquotedWord(name))
	if added == nil {
		return
	}
	for _, p := range props {
		switch strings.ToLower(p.Name()) {
		case "type":
			added.Type = p.Text()
		case "description", "prompt":
			if added.Doc == "" {
				added.Doc = p.Text()
			}
		}
	}
}

// readGivingKey reads a key that gives names a value.
func (r variableReader) readGivingKey(key string, n syntax.Node) {
	switch key {
	case "SET":
		if a := n.Value(); a.Kind() == syntax.Assignment {
			r.readSet(a)
		}
		for line := range KeyedNodes(n, false) {
			r.readSet(line)
		}
	case "AS":
		r.readResult(n)
	case "INTO":
		r.addGiven(SetVariable, UnquotedWord(n.Value()))
	case "MAP":
		if strings.EqualFold(keyedParent(n).Key(), "ON_RETURN") {
			r.readReturned(n)
		}
	case "RETURNS":
		if r.section != "TOOLS" {
			r.readReturned(n)
		}
	case "GATHER", "FIELDS":
		if !IsFlow(r.section) {
			return
		}
		for item := range n.BlockChildren() {
			r.addGiven(FieldVariable, UnquotedWord(Item{Node: item}.NameNode()))
		}
	}
}

// readReturned reads the variables that get what another agent gives back: the keys of a map, or
// the words of a list.
func (r variableReader) readReturned(n syntax.Node) {
	isMap := false
	for line := range KeyedNodes(n, false) {
		isMap = true
		if added := r.addGiven(ReturnedVariable, UnquotedWord(KeyOf(line))); added != nil && strings.EqualFold(n.Key(), "RETURNS") {
			added.Type = UnquotedWord(line.Value()).Text
		}
	}
	if isMap {
		return
	}
	for _, w := range ListWords(n) {
		r.addGiven(ReturnedVariable, w)
	}
}

// keyedParent returns the nearest node around n that has a key; the zero Node if there is none.
func keyedParent(n syntax.Node) syntax.Node {
	for n = n.Parent(); !n.IsZero() && n.Key() == ""; n = n.Parent() {
	}
	return n
}

// readSet reads `name = expression`.
func (r variableReader) readSet(line syntax.Node) {
	added := r.addGiven(SetVariable, UnquotedWord(KeyOf(line)))
	value := line.Value()
	if value.Kind() == syntax.Expression {
		value = expressionContent(value)
	}
	if added != nil && wholePath.MatchString(value.Text()) {
		added.From = value.Text()
	}
}

// wholePath matches a text that is a path and nothing else.
var wholePath = lazyregexp.New(`^(?:` + PathPattern.String() + `)$`)

// readResult reads an AS, below or next to the WITH of a CALL.
func (r variableReader) readResult(as syntax.Node) {
	for n := as.Parent(); !n.IsZero(); n = n.Parent() {
		if !strings.EqualFold(n.Key(), "CALL") {
			continue
		}
		if added := r.addGiven(ResultVariable, UnquotedWord(as.Value())); added != nil {
			added.Tool = NewCall(n).Tool
		}
		return
	}
}
