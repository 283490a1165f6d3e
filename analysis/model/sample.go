package model

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// SampleArguments returns values for the parameters that a call has to give, and the defaults of
// the others.
func SampleArguments(t tool.Tool) tool.Object {
	var args tool.Object
	all := t.Arguments()
	for i, p := range all {
		again := slices.ContainsFunc(all[:i], func(q tool.Param) bool { return q.Name == p.Name })
		if p.Shown() && !again && (!p.Optional || p.Default != nil) {
			args = append(args, tool.Member{Name: p.Name, Value: sampleOf(p)})
		}
	}
	return args
}

// sampleOf returns a value that the parameter may have.
func sampleOf(p tool.Param) any {
	switch {
	case p.Default != nil && string(p.Default) != "null":
		return p.Default
	case len(p.AllowedValues) > 0:
		return p.AllowedValues[0]
	case p.Type != nil && IsNumeric(p.Type) && p.MinValue != "":
		return json.RawMessage(p.MinValue)
	case p.Type != nil && IsNumeric(p.Type) && p.MaxValue != "":
		return json.RawMessage(p.MaxValue)
	}
	return sampleOfType(p.Type)
}

// samples are values of the types that have no parts.
var samples = map[string]any{
	"number": json.Number("1"), "integer": json.Number("1"), "int": json.Number("1"), "float": json.Number("1.5"),
	"boolean": true, "bool": true, "date": "2026-06-01", "datetime": "2026-06-01T12:00:00Z", "string": "text",
}

func sampleOfType(t *tool.Type) any {
	switch {
	case t == nil:
		return "text"
	case len(t.Enum) > 0:
		return t.Enum[0]
	case len(t.Union) > 0:
		return sampleOfType(t.Union[0])
	case t.Name == "array" && t.Elem == nil:
		return []any{}
	case t.Name == "array":
		return []any{sampleOfType(t.Elem)}
	}
	if value, ok := samples[t.Name]; ok {
		return value
	}
	fields := tool.Object{}
	for _, f := range t.Fields {
		if !f.Optional {
			fields = append(fields, tool.Member{Name: f.Name, Value: sampleOfType(f.Type)})
		}
	}
	return fields
}

// plainYAML matches texts that need no quotes anywhere in YAML.
var plainYAML = lazyregexp.New(`^[A-Za-z]\w*(?: \w+)*$|^\d{4}-\d\d-\d\d$`)

// wordsOfYAML are plain texts that YAML does not read as text.
var wordsOfYAML = map[string]bool{"true": true, "false": true, "null": true, "yes": true, "no": true, "on": true, "off": true, "y": true, "n": true}

// FlowYAML returns a value as YAML on one line.
func FlowYAML(v any) string {
	switch v := v.(type) {
	case string:
		if plainYAML.MatchString(v) && !wordsOfYAML[strings.ToLower(v)] {
			return v
		}
	case []any:
		items := make([]string, len(v))
		for i, item := range v {
			items[i] = FlowYAML(item)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case tool.Object:
		members := make([]string, len(v))
		for i, m := range v {
			members[i] = FlowYAML(m.Name) + ": " + FlowYAML(m.Value)
		}
		return "{" + strings.Join(members, ", ") + "}"
	}
	return string(exactjson.EncodeOrNil(v)) // which YAML reads as well
}
