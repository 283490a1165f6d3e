package model

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/tool"
)

// WriteOpenAI writes tools as the functions of a call to OpenAI's models. Where a
// tool's arguments can be said strictly they are: then an argument that may be left
// out is null, which a run takes for left out.
func WriteOpenAI(tools []tool.Tool, _ tool.Object) foreign.WriteResult {
	var w foreign.WriteResult
	names := names{regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`), "letters, digits, `_` and `-`, 64 at most", map[string]bool{}}
	list := []any{}
	for _, t := range tools {
		if w.NeverRuns(t) || !names.take(&w, t) {
			continue
		}
		list = append(list, tool.Object{{Name: "type", Value: "function"}, {Name: "function", Value: function(&w, t)}})
		w.LoseParams(t)
		w.LoseReturns(t, &tool.Type{Name: "object"})
		w.LoseFiles(t)
		w.LoseRest(t, "description", "service", "input_schema")
	}
	const most = 128
	if len(list) > most {
		w.Note("", "%d functions are more than the %d that a call may have", len(list), most)
	}
	w.Text = foreign.IndentedJSON(list)
	return w
}

func function(w *foreign.WriteResult, t tool.Tool) tool.Object {
	name := t.Outside()
	o := tool.Object{{Name: "name", Value: name}}
	if t.Description != "" {
		o = append(o, tool.Member{Name: "description", Value: t.Description})
	}
	const longest = 1024
	if n := len([]rune(t.Description)); n > longest {
		w.Note(name, "its description has %d characters, and some models take %d", n, longest)
	}
	params := slices.DeleteFunc(arguments(t), func(m tool.Member) bool { return m.Name == "$schema" })
	if params.Text("type") != "object" {
		w.ReportLoss(name, "its input_schema, which is not one of an object")
		params = tool.Object{{Name: "type", Value: "object"}, {Name: "properties", Value: tool.Object{}}}
	}
	s := stricter{}
	strict := s.schema(params, "", 1)
	if s.why == "" && s.count <= maxProperties {
		for _, lost := range s.lost {
			w.ReportLoss(name, "%s", lost)
		}
		return append(o, tool.Member{Name: "strict", Value: true}, tool.Member{Name: "parameters", Value: strict})
	}
	w.Note(name, "it is not strict: %s", s.why)
	return append(o, tool.Member{Name: "strict", Value: false}, tool.Member{Name: "parameters", Value: params})
}

// The bounds of strict schemas.
const (
	maxProperties = 5000
	maxDepth      = 10
)

// stricter turns a schema into one of OpenAI's strict ones.
type stricter struct {
	why   string   // there is none
	lost  []string // keywords that a strict one may not have
	count int      // of properties
}

// kept are the keywords that a strict schema may have besides those that are
// treated here.
var kept = []string{
	"type", "description", "title", "enum", "const", "pattern", "format", "multipleOf",
	"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems",
}

// dropped are those without which a schema takes more values, or none the less: the
// run holds arguments to all of them.
var dropped = []string{
	"default", "not", "examples", "$comment", "minLength", "maxLength", "uniqueItems", "readOnly", "writeOnly", "deprecated",
}

// formats are those that a strict schema may name.
var formats = []string{"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}

func (s *stricter) fail(at, format string, args ...any) {
	if s.why != "" {
		return
	}
	s.why = fmt.Sprintf(format, args...)
	if at != "" {
		s.why += " in " + at
	}
}

// schema is a strict schema of the value at a path.
func (s *stricter) schema(o tool.Object, at string, depth int) tool.Object {
	if depth > maxDepth {
		s.fail(at, "its values stand more than %d deep", maxDepth)
		return nil
	}
	if !o.Has("type") && !o.Has("anyOf") && !o.Has("enum") && !o.Has("const") {
		s.fail(at, "anything may stand")
		return nil
	}
	if severalParts(o) {
		s.fail(at, "several types may stand, one of which has parts")
		return nil
	}
	var out tool.Object
	for _, m := range o {
		switch {
		case m.Name == "properties", m.Name == "required", m.Name == "additionalProperties":
		case m.Name == "items":
			items, _ := m.Value.(tool.Object)
			out = append(out, tool.Member{Name: m.Name, Value: s.schema(items, at+"[]", depth+1)})
		case m.Name == "anyOf" && depth > 1:
			out = append(out, tool.Member{Name: m.Name, Value: s.choices(m.Value, at, depth)})
		case m.Name == "format" && !slices.Contains(formats, fmt.Sprint(m.Value)):
			s.lose(at, fmt.Sprintf("the format %v", m.Value))
		case slices.Contains(kept, m.Name):
			out = append(out, m)
		case slices.Contains(dropped, m.Name):
			s.lose(at, "`"+m.Name+"`")
		default:
			s.fail(at, "`%s` is in its schema", m.Name)
		}
	}
	if kind := o.Text("type"); kind == "object" {
		out = s.object(out, o, at, depth)
	} else if kind == "array" && !o.Has("items") {
		s.fail(at, "a list may hold anything")
	}
	return out
}

// severalParts reports whether a schema takes several types, objects or lists among
// them.
func severalParts(o tool.Object) bool {
	list, _ := o.Get("type").([]any)
	return slices.Contains(list, any("object")) || slices.Contains(list, any("array"))
}

func (s *stricter) lose(at, what string) { s.lost = append(s.lost, what+" of "+at) }

func (s *stricter) choices(v any, at string, depth int) []any {
	list, _ := v.([]any)
	out := make([]any, len(list))
	for i := range list {
		o, _ := list[i].(tool.Object)
		out[i] = s.schema(o, at, depth)
	}
	return out
}

// object demands every property and allows no others. Those that could be left out
// may be null.
func (s *stricter) object(out, o tool.Object, at string, depth int) tool.Object {
	if o.Has("additionalProperties") && o.Get("additionalProperties") != false {
		s.fail(at, "more properties than are named may stand")
	}
	if depth > 1 && !o.Has("properties") { // arguments that nobody declared are dropped anyway
		s.fail(at, "any properties may stand")
	}
	required, _ := o.Get("required").([]any)
	strict, names := tool.Object{}, []any{}
	for _, p := range o.Object("properties") {
		s.count++
		inner, _ := p.Value.(tool.Object)
		one := s.schema(inner, joined(at, p.Name), depth+1)
		if !slices.ContainsFunc(required, func(r any) bool { return r == p.Name }) {
			one = nullable(one)
		}
		strict = append(strict, tool.Member{Name: p.Name, Value: one})
		names = append(names, p.Name)
	}
	return append(out, tool.Member{Name: "properties", Value: strict}, tool.Member{Name: "required", Value: names},
		tool.Member{Name: "additionalProperties", Value: false})
}

func joined(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

// nullable is a schema that takes null as well.
func nullable(o tool.Object) tool.Object {
	null := tool.Object{{Name: "type", Value: "null"}}
	if o.Text("type") == "" || o.Has("const") {
		if list, ok := o.Get("anyOf").([]any); ok {
			return o.With("anyOf", withNull(list, null))
		}
		return tool.Object{{Name: "anyOf", Value: []any{o, null}}}
	}
	for i, m := range o {
		switch m.Name {
		case "type":
			o[i].Value = []any{m.Value, "null"}
		case "enum":
			if list, ok := m.Value.([]any); ok && !slices.Contains(list, nil) {
				o[i].Value = append(slices.Clip(list), nil)
			}
		}
	}
	return o
}

// withNull adds null to a choice, if it is not there.
func withNull(list []any, null tool.Object) []any {
	isNull := func(v any) bool { o, ok := v.(tool.Object); return ok && o.Text("type") == "null" }
	if slices.ContainsFunc(list, isNull) {
		return list
	}
	return append(slices.Clip(list), null)
}
