package model

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/tool"
)

// WriteOpenAI writes tools as the functions of a call to OpenAI's models. It makes the schema
// strict if that is possible. In a strict schema an optional argument may be null, which a run
// treats as missing.
func WriteOpenAI(tools []tool.Tool, _ tool.Object) foreign.WriteResult {
	var w foreign.WriteResult
	names := nameRule{regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`), "letters, digits, `_` and `-`, 64 at most", map[string]bool{}}
	list := []any{}
	for _, t := range tools {
		if w.NeverRuns(t) || !names.claimName(&w, t) {
			continue
		}
		list = append(list, tool.Object{{Name: "type", Value: "function"}, {Name: "function", Value: openAIFunction(&w, t)}})
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

func openAIFunction(w *foreign.WriteResult, t tool.Tool) tool.Object {
	name := t.QualifiedName()
	o := tool.Object{{Name: "name", Value: name}}
	if t.Description != "" {
		o = append(o, tool.Member{Name: "description", Value: t.Description})
	}
	const longest = 1024
	if n := len([]rune(t.Description)); n > longest {
		w.Note(name, "its description has %d characters, and some models take %d", n, longest)
	}
	params := slices.DeleteFunc(argumentSchema(t), func(m tool.Member) bool { return m.Name == "$schema" })
	if params.Text("type") != "object" {
		w.ReportLoss(name, "its input_schema, which is not one of an object")
		params = tool.Object{{Name: "type", Value: "object"}, {Name: "properties", Value: tool.Object{}}}
	}
	s := strictConverter{}
	strict := s.strictSchema(params, "", 1)
	if s.problem == "" && s.count <= maxProperties {
		for _, lost := range s.lostKeywords {
			w.ReportLoss(name, "%s", lost)
		}
		return append(o, tool.Member{Name: "strict", Value: true}, tool.Member{Name: "parameters", Value: strict})
	}
	w.Note(name, "it is not strict: %s", s.problem)
	return append(o, tool.Member{Name: "strict", Value: false}, tool.Member{Name: "parameters", Value: params})
}

// The limits of strict schemas.
const (
	maxProperties = 5000
	maxDepth      = 10
)

// strictConverter turns a schema into a strict schema of OpenAI. If there is none, problem says why.
type strictConverter struct {
	problem      string   // there is none
	lostKeywords []string // keywords that a strict one may not have
	count        int      // of properties
}

// keptKeywords are the keywords that a strict schema may have besides those that strictConverter
// handles itself.
var keptKeywords = []string{
	"type", "description", "title", "enum", "const", "pattern", "format", "multipleOf",
	"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems",
}

// droppedKeywords only narrow a schema, or document it. A strict schema omits them; the run still
// checks arguments against all of them.
var droppedKeywords = []string{
	"default", "not", "examples", "$comment", "minLength", "maxLength", "uniqueItems", "readOnly", "writeOnly", "deprecated",
}

// strictFormats are the formats that a strict schema may name.
var strictFormats = []string{"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}

func (s *strictConverter) setProblem(at, format string, args ...any) {
	if s.problem != "" {
		return
	}
	s.problem = fmt.Sprintf(format, args...)
	if at != "" {
		s.problem += " in " + at
	}
}

// strictSchema returns the strict schema of the value at a path.
func (s *strictConverter) strictSchema(o tool.Object, at string, depth int) tool.Object {
	if depth > maxDepth {
		s.setProblem(at, "its values stand more than %d deep", maxDepth)
		return nil
	}
	if !o.Has("type") && !o.Has("anyOf") && !o.Has("enum") && !o.Has("const") {
		s.setProblem(at, "anything may stand")
		return nil
	}
	if severalParts(o) {
		s.setProblem(at, "several types may stand, one of which has parts")
		return nil
	}
	var out tool.Object
	for _, m := range o {
		switch {
		case m.Name == "properties", m.Name == "required", m.Name == "additionalProperties":
		case m.Name == "items":
			items, _ := m.Value.(tool.Object)
			out = append(out, tool.Member{Name: m.Name, Value: s.strictSchema(items, at+"[]", depth+1)})
		case m.Name == "anyOf" && depth > 1:
			out = append(out, tool.Member{Name: m.Name, Value: s.strictChoices(m.Value, at, depth)})
		case m.Name == "format" && !slices.Contains(strictFormats, fmt.Sprint(m.Value)):
			s.reportLoss(at, fmt.Sprintf("the format %v", m.Value))
		case slices.Contains(keptKeywords, m.Name):
			out = append(out, m)
		case slices.Contains(droppedKeywords, m.Name):
			s.reportLoss(at, "`"+m.Name+"`")
		default:
			s.setProblem(at, "`%s` is in its schema", m.Name)
		}
	}
	if kind := o.Text("type"); kind == "object" {
		out = s.strictObject(out, o, at, depth)
	} else if kind == "array" && !o.Has("items") {
		s.setProblem(at, "a list may hold anything")
	}
	return out
}

// severalParts reports whether a schema's `type` is a list that has an object or a list among its
// types.
func severalParts(o tool.Object) bool {
	list, _ := o.Get("type").([]any)
	return slices.Contains(list, any("object")) || slices.Contains(list, any("array"))
}

func (s *strictConverter) reportLoss(at, what string) {
	s.lostKeywords = append(s.lostKeywords, what+" of "+at)
}

func (s *strictConverter) strictChoices(v any, at string, depth int) []any {
	list, _ := v.([]any)
	out := make([]any, len(list))
	for i := range list {
		o, _ := list[i].(tool.Object)
		out[i] = s.strictSchema(o, at, depth)
	}
	return out
}

// strictObject requires every property and allows no others. An optional property may be null.
func (s *strictConverter) strictObject(out, o tool.Object, at string, depth int) tool.Object {
	if o.Has("additionalProperties") && o.Get("additionalProperties") != false {
		s.setProblem(at, "more properties than are named may stand")
	}
	if depth > 1 && !o.Has("properties") { // undeclared arguments are dropped anyway
		s.setProblem(at, "any properties may stand")
	}
	required, _ := o.Get("required").([]any)
	strict, names := tool.Object{}, []any{}
	for _, p := range o.Object("properties") {
		s.count++
		inner, _ := p.Value.(tool.Object)
		one := s.strictSchema(inner, joinPath(at, p.Name), depth+1)
		if !slices.ContainsFunc(required, func(r any) bool { return r == p.Name }) {
			one = nullable(one)
		}
		strict = append(strict, tool.Member{Name: p.Name, Value: one})
		names = append(names, p.Name)
	}
	return append(out, tool.Member{Name: "properties", Value: strict}, tool.Member{Name: "required", Value: names},
		tool.Member{Name: "additionalProperties", Value: false})
}

func joinPath(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

// nullable returns a schema that also accepts null.
func nullable(o tool.Object) tool.Object {
	null := tool.Object{{Name: "type", Value: "null"}}
	if o.Text("type") == "" || o.Has("const") {
		if list, ok := o.Get("anyOf").([]any); ok {
			return o.With("anyOf", addNull(list, null))
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

// addNull adds null to a list of alternatives, unless it is there.
func addNull(list []any, null tool.Object) []any {
	isNull := func(v any) bool { o, ok := v.(tool.Object); return ok && o.Text("type") == "null" }
	if slices.ContainsFunc(list, isNull) {
		return list
	}
	return append(slices.Clip(list), null)
}
