package executor

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor/secrets"
	"github.com/abl-lsp/abl-lsp/executor/template"
	"github.com/abl-lsp/abl-lsp/tool"
)

// trackArguments marks as secret each argument whose schema has `format: password` or
// `writeOnly`, at any depth: nothing that the run shows or keeps contains it.
func (r *run) trackArguments(args map[string]any) {
	text := r.req.Tool.InlineInput()
	if !bytes.Contains(text, []byte("password")) && !bytes.Contains(text, []byte("writeOnly")) {
		return
	}
	var root any
	if json.Unmarshal(text, &root) != nil {
		return // another step reports it
	}
	secretArguments{root, r.redactor.Add}.trackValue("input", args, []any{root})
}

// secretArguments finds the arguments that a schema marks as secret.
type secretArguments struct {
	root      any
	addSecret func(name, value string)
}

// trackValue passes to addSecret each part of a value that one of its schemas marks as secret,
// with the name of the property that holds it.
func (s secretArguments) trackValue(name string, value any, schemas []any) {
	all := s.resolveSchemas(schemas)
	if slices.ContainsFunc(all, isSecret) {
		s.addParts(name, value)
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for key, v := range value {
			s.trackValue(key, v, partSchemas(all, "properties", key))
		}
	case []any:
		for i, v := range value {
			s.trackValue(name, v, partSchemas(all, "prefixItems", strconv.Itoa(i)))
		}
	}
}

// addParts passes each string and number in a value to addSecret, since a tool can send each of
// them alone.
func (s secretArguments) addParts(name string, value any) {
	switch value := value.(type) {
	case nil, bool: // too common to hide
	case map[string]any:
		for key, v := range value {
			s.addParts(key, v)
		}
	case []any:
		for _, v := range value {
			s.addParts(name, v)
		}
	default:
		s.addSecret(name, template.Value{Data: value}.Text())
	}
}

// trackSecure marks the value of a secret parameter as secret. It also marks the plain spelling
// of a number. A value of fewer than [secrets.Short] bytes is not marked, because other text
// contains it by chance.
func (r *run) trackSecure(name, value string) {
	for _, spelling := range []string{value, plainNumber(value)} {
		if len(spelling) >= secrets.Short {
			r.redactor.Add(name, spelling)
		}
	}
}

// plainNumber returns a number without an exponent and without zeros at the end of its fraction,
// as a database or a service may return it. It returns other text as it is.
func plainNumber(text string) string {
	number, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || !json.Valid([]byte(text)):
		return text
	case strings.ContainsAny(text, "eE"):
		return strconv.FormatFloat(number, 'f', -1, 64)
	case strings.Contains(text, "."):
		return strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

func isSecret(schema map[string]any) bool {
	return schema["format"] == "password" || schema["writeOnly"] == true
}

// partSchemas returns the schemas that may apply to a part of a value. named is the keyword that
// lists parts by key, such as `properties`. If a schema does not list the key, its general schemas
// apply: `additionalProperties` and the like, and each schema of `patternProperties`.
func partSchemas(schemas []map[string]any, named, key string) []any {
	var out []any
	for _, schema := range schemas {
		of, ok := tool.ChildOf(schema[named], key)
		switch patterns, _ := schema["patternProperties"].(map[string]any); {
		case ok:
			out = append(out, of)
		case named == "properties":
			out = append(slices.AppendSeq(out, maps.Values(patterns)), schema["additionalProperties"], schema["unevaluatedProperties"])
		default:
			of, _ = tool.ChildOf(schema["items"], key) // a list of them in older drafts
			out = append(out, schema["items"], of, schema["additionalItems"], schema["unevaluatedItems"], schema["contains"])
		}
	}
	return out
}

// resolveSchemas returns the schemas, those that they refer to, and those of which they are
// composed by `allOf`, `if` and the like.
func (s secretArguments) resolveSchemas(schemas []any) []map[string]any {
	var all []map[string]any
	followed := map[string]bool{}
	for todo := slices.Clone(schemas); len(todo) > 0; {
		schema, _ := todo[0].(map[string]any)
		todo = todo[1:]
		if schema == nil {
			continue
		}
		all = append(all, schema)
		for _, word := range []string{"allOf", "anyOf", "oneOf"} {
			choices, _ := schema[word].([]any)
			todo = append(todo, choices...)
		}
		todo = append(todo, schema["if"], schema["then"], schema["else"])
		for _, word := range []string{"dependentSchemas", "dependencies"} {
			member, _ := schema[word].(map[string]any)
			todo = slices.AppendSeq(todo, maps.Values(member))
		}
		for _, word := range []string{"$ref", "$dynamicRef"} {
			if ref, _ := schema[word].(string); ref != "" && !followed[ref] {
				followed[ref] = true
				todo = append(todo, tool.ResolveReference(s.root, ref))
			}
		}
	}
	return all
}
