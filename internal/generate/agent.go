package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/tool"
)

// agentWriter writes the schema of agents in YAML. Keys that the table does not have are allowed,
// because they are ignored.
type agentWriter struct {
	defs tool.Object
	open map[*tool.Field]string // the blocks that are being written, by their first key, and the names of those that contain themselves
}

// agentSchema returns the schema of an agent in YAML and its definitions.
func agentSchema(row *tool.Field) (root, defs tool.Object) {
	w := agentWriter{open: map[*tool.Field]string{}}
	root = append(object("description", row.Doc, "type", []string{"object", "null"}), w.keys(row.Fields, row)...)
	return root, w.defs
}

// texts are the types of a text: a number and a boolean become one.
var texts = []string{"string", "number", "boolean"}

// agentTypes are the types that a value may have besides null. Types of single values with a schema
// of their own are not listed.
func agentTypes(row *tool.Field) []string {
	var types []string
	switch row.Type {
	case tool.Block:
		types = []string{"object"}
		if row.Items != nil {
			types = append(types, "array")
		}
	case tool.MapType:
		types = []string{"object"}
	case tool.ListType, tool.BlockList:
		types = []string{"array"}
	case tool.String, tool.Expr, tool.TypeType:
		if row.OnlyText {
			return []string{"string"}
		}
		return texts
	}
	if row.OneLine && len(row.Values) == 0 {
		types = append(types, texts...)
	}
	return types
}

// value returns the schema of a value.
func (w *agentWriter) value(row *tool.Field) tool.Object {
	s := object("description", row.Doc)
	switch {
	case row.Deprecated != "" && row.Refused:
		s = append(object("description", row.Doc+" Instead, "+row.Deprecated), object("deprecated", true, "type", "null")...)
	case row.Type == tool.AnyType:
	case len(row.Values) > 0 || row.Type == tool.NumberType || row.Type == tool.BooleanType:
		s = append(s, tool.Member{Name: "anyOf", Value: alternatives(row)})
	default:
		s = append(s, tool.Member{Name: "type", Value: append(slices.Clone(agentTypes(row)), "null")})
		if row.Pattern != nil {
			s = append(s, object("pattern", ecmaPattern(row.Pattern.String())+`|\{\{`, "patternErrorMessage", "`"+row.Name+"` is "+row.Form+".")...)
		}
	}
	s = append(s, w.below(row)...)
	if row.Undocumented {
		s = append(s, object("doNotSuggest", true)...)
	}
	if v := defaultOf(row); v != nil {
		s = append(s, tool.Member{Name: "default", Value: v})
	}
	return s
}

// alternatives returns the schemas of the values of a row with a closed set, of a number and of a
// boolean.
func alternatives(row *tool.Field) []any {
	all := valueNames(row)
	for _, word := range row.Values {
		if row.AnyCase {
			all = append(all, object("type", "string", "pattern", "^"+anyCase(word.Name)+"$"))
		}
	}
	if row.Pattern != nil {
		all = append(all, object("type", []string{"string", "integer"}, "pattern", ecmaPattern(row.Pattern.String())))
	}
	if row.Type == tool.NumberType {
		number := numberSchema(row)
		if row.Range == nil && !row.Signed {
			number = append(number, object("minimum", 0)...)
		}
		all = append(all, number)
	}
	if row.Type == tool.BooleanType {
		all = append(all, object("type", "boolean"))
	}
	for _, t := range agentTypes(row) {
		all = append(all, object("type", t))
	}
	return append(all, placeholder, null)
}

// below returns what the schema of a value says of the values in it.
func (w *agentWriter) below(row *tool.Field) tool.Object {
	var s tool.Object
	switch row.Type {
	case tool.Block:
		if len(row.Fields) > 0 {
			s = w.keys(row.Fields, row)
		}
		if row.Items != nil {
			s = append(s, tool.Member{Name: "items", Value: w.item(row)})
		}
	case tool.BlockList, tool.ListType:
		return object("items", w.item(row))
	}
	if row.Each != nil {
		s = append(s, tool.Member{Name: "additionalProperties", Value: w.value(row.Each)})
	}
	return s
}

// item returns the schema of the items of a list.
func (w *agentWriter) item(row *tool.Field) tool.Object {
	return w.value(projectfile.ItemField(row))[1:] // the list has the description
}

// sharedSize is the length of a schema of keys above which it is written once.
const sharedSize = 1000

// keys returns the schema of the keys of a block, or a reference to it.
func (w *agentWriter) keys(rows []tool.Field, in *tool.Field) tool.Object {
	if name, isOpen := w.open[&rows[0]]; isOpen {
		if name == "" {
			name = w.freeName(in.Name)
			w.open[&rows[0]] = name
		}
		return object("$ref", "#/$defs/"+name)
	}
	w.open[&rows[0]] = ""
	properties := tool.Object{}
	for i := range rows {
		row := &rows[i]
		value := w.value(row)
		for _, name := range spellings(row, in.AnyCase) {
			properties = append(properties, tool.Member{Name: name, Value: value})
		}
	}
	s := object("properties", properties)
	if rules := agentRules(rows, in); len(rules) > 0 {
		s = append(s, tool.Member{Name: "allOf", Value: rules})
	}
	name := w.open[&rows[0]]
	delete(w.open, &rows[0])
	return w.share(s, name, in.Name)
}

// share returns a reference to a schema that is long or has a name already, else the schema itself.
func (w *agentWriter) share(s tool.Object, name, suggested string) tool.Object {
	raw, _ := json.Marshal(s)
	if name == "" && len(raw) < sharedSize {
		return s
	}
	for _, def := range w.defs {
		known, _ := json.Marshal(def.Value)
		if name == "" && string(known) == string(raw) {
			return object("$ref", "#/$defs/"+def.Name)
		}
	}
	if name == "" {
		name = w.freeName(suggested)
	}
	w.defs = append(w.defs, tool.Member{Name: name, Value: s})
	return object("$ref", "#/$defs/"+name)
}

// freeName returns a name for a definition that is not in use.
func (w *agentWriter) freeName(suggested string) string {
	base := strings.ReplaceAll(suggested, " ", "_")
	name := base
	for i := 2; w.defs.Has(name); i++ {
		name = fmt.Sprintf("%s_%d", base, i)
	}
	return name
}

// spellings returns the names of a key. A key in any casing is listed in small and in capital
// letters.
func spellings(row *tool.Field, anyCase bool) []string {
	names := append([]string{row.Name}, row.Synonyms...)
	if anyCase {
		names = append(names, strings.ToUpper(row.Name))
	}
	return names
}

// agentRules returns the keys that a block must have. An empty map is unfinished and breaks no rule.
func agentRules(rows []tool.Field, in *tool.Field) []any {
	var always []any
	for i := range rows {
		if rows[i].Required {
			always = append(always, oneOfKeys(append(spellings(&rows[i], false), rows[i].Unless)))
		}
	}
	var rules []any
	if always != nil {
		rules = append(rules, object("if", object("type", "object", "minProperties", 1), "then", object("allOf", always)))
	}
	by, _ := tool.Find(rows, in.By)
	if by == nil {
		return rules
	}
	for i := range rows {
		for _, kind := range rows[i].Needs {
			is := object("type", "object", "properties", object(in.By, object("const", kind)), "required", []string{in.By})
			rules = append(rules, object("if", is, "then", oneOfKeys(spellings(&rows[i], false))))
		}
	}
	return rules
}

// oneOfKeys returns the schema that demands one of some keys, with a value.
func oneOfKeys(names []string) tool.Object {
	var all []any
	for _, name := range names {
		if name != "" {
			all = append(all, object("required", []string{name}, "properties", object(name, nonEmptyValue)))
		}
	}
	if len(all) == 1 {
		return all[0].(tool.Object)
	}
	return object("anyOf", all)
}

// ecmaPattern returns a pattern of Go as JSON Schema writes it, which has no flag for any casing.
// Letters in brackets keep theirs.
func ecmaPattern(pattern string) string {
	rest, folded := strings.CutPrefix(pattern, "(?i)")
	if !folded {
		return pattern
	}
	return unescaped.ReplaceAllStringFunc(rest, func(part string) string {
		if len(part) > 1 {
			return part
		}
		return anyCase(part)
	})
}

// unescaped matches the parts of a pattern that stay as they are, and single letters.
var unescaped = regexp.MustCompile(`\\.|\[(?:\\.|[^\]\\])*\]|[A-Za-z]`)

// anyCase returns a pattern for a word in any casing.
func anyCase(word string) string {
	var b strings.Builder
	for _, c := range word {
		if lower, upper := unicode.ToLower(c), unicode.ToUpper(c); lower != upper {
			fmt.Fprintf(&b, "[%c%c]", lower, upper)
		} else {
			b.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	return b.String()
}
