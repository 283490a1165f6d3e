package invoke

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor/secrets"
	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// Comparison is how a case compares a field of an answer.
type Comparison string

// The comparisons.
const (
	Equal    Comparison = "equal"   // with a value
	SameType Comparison = "type"    // with the name of a type
	Matches  Comparison = "matches" // with a regular expression
)

// ExpectedField is a field of an answer that a case expects.
type ExpectedField struct {
	Path  string          `json:"path"` // an expression over `value`
	How   Comparison      `json:"how"`
	Value json.RawMessage `json:"value"` // what it is compared with; nil: as in the answer
}

// FieldProposal is a field of an answer that a case may expect.
type FieldProposal struct {
	Path    string          `json:"path"` // an expression over `value`, also `len(…)` of a list
	Type    string          `json:"type"` // string, number, boolean, null, list or object
	Value   json.RawMessage `json:"value"`
	How     Comparison      `json:"how"`     // what is suggested
	Pattern string          `json:"pattern"` // what [Matches] compares with; "" where it is not offered
	Ticked  bool            `json:"ticked"`  // the case should expect it
}

// ProposeFields returns the fields of an answer that a case may expect, in the order of the answer,
// at most maxFields. Of a list these are its length and the fields of its first elements.
func ProposeFields(answer json.RawMessage) []FieldProposal {
	all := []FieldProposal{}
	walkFields("value", answer, 0, func(f FieldProposal) bool {
		all = append(all, f)
		return len(all) < maxFields
	})
	return all
}

// Limits of proposals: their number, and the elements of a list that are considered.
const (
	maxFields   = 500
	maxElements = 10
)

// walkFields calls visit for each field at and below path until it returns false, and reports
// whether it never did. depth is the number of names and indices in path.
func walkFields(path string, raw json.RawMessage, depth int, visit func(FieldProposal) bool) bool {
	raw = bytes.TrimSpace(raw)
	kind := jsonType(raw)
	switch kind {
	case "object":
		return walkMembers(raw, func(name string, value json.RawMessage) bool {
			return walkFields(expression.MemberPath(path, name), value, depth+1, visit)
		})
	case "list":
		items, _ := exactjson.Decode[[]json.RawMessage](raw) // it is a list
		length := json.RawMessage(fmt.Sprint(len(items)))
		if !visit(FieldProposal{Path: "len(" + path + ")", Type: "number", Value: length, How: Equal, Ticked: depth <= 1}) {
			return false
		}
		for i, item := range items[:min(len(items), maxElements)] {
			if !walkFields(fmt.Sprintf("%s[%d]", path, i), item, depth+1, visit) {
				return false
			}
		}
		return true
	case "":
		return true // there is no answer
	}
	return visit(proposeField(path, kind, raw, depth))
}

// walkMembers calls visit for each member of a JSON object, in order, until it returns false.
func walkMembers(raw json.RawMessage, visit func(name string, value json.RawMessage) bool) bool {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	_, _ = decoder.Token() // the bracket
	for decoder.More() {
		name, err := decoder.Token()
		var value json.RawMessage
		if err != nil || decoder.Decode(&value) != nil {
			return true
		}
		if !visit(fmt.Sprint(name), value) {
			return false
		}
	}
	return true
}

// jsonType returns the type of a JSON value; "" for no value.
func jsonType(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	switch raw[0] {
	case '{':
		return "object"
	case '[':
		return "list"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// proposeField suggests how to compare a text, a number, a boolean or null.
func proposeField(path, kind string, raw json.RawMessage, depth int) FieldProposal {
	f := FieldProposal{Path: path, Type: kind, Value: raw, How: Equal}
	var text string
	_ = json.Unmarshal(raw, &text) // of a string
	switch {
	case strings.Contains(text, secrets.MarkPrefix):
		f.How = SameType
		return f
	case kind == "string" && text != "":
		f.Pattern = patternOf(text)
		if isVariable(text) {
			f.How = Matches
		}
	case kind == "number" && momentNames.MatchString(path):
		f.How = SameType
	}
	f.Ticked = depth <= 1
	return f
}

// momentNames matches paths of numbers that are times.
var momentNames = lazyregexp.New(`(?i)(time|timestamp|_at|_ms|date|duration|elapsed)$`)

// formats are regular expressions of texts that differ in each answer.
var formats = []string{
	`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`,
	`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$`,
	`^\d{4}-\d{2}-\d{2}$`,
}

// isVariable reports whether a text is probably another one in the next answer: a time, an id, or a
// word with digits in it.
func isVariable(text string) bool {
	return len(text) <= maxPatternText && !strings.ContainsAny(text, " \n") && digits.MatchString(text)
}

// maxPatternText is the most bytes of a text of which a pattern is made.
const maxPatternText = 200

var digits = lazyregexp.New(`\d+`)

// patternOf returns a regular expression for texts of the same form: a known format, else the text
// with other numbers in it. It is "" for a long text.
func patternOf(text string) string {
	if len(text) > maxPatternText {
		return ""
	}
	for _, format := range formats {
		if ok, _ := regexp.MatchString(format, text); ok {
			return format
		}
	}
	return "^" + digits.ReplaceAllString(regexp.QuoteMeta(text), `\d+`) + "$"
}

// FieldsCondition returns the condition that an answer has these fields. An error names the field
// that the answer does not have, or that cannot be compared so.
func FieldsCondition(ctx context.Context, answer json.RawMessage, fields []ExpectedField) (string, error) {
	conditions := make([]string, len(fields))
	for i, f := range fields {
		condition, err := f.condition(ctx, answer)
		if err != nil {
			return "", fmt.Errorf("expect: %s: %w", f.Path, err)
		}
		conditions[i] = condition
	}
	return strings.Join(conditions, " && "), nil
}

func (f ExpectedField) condition(ctx context.Context, answer json.RawMessage) (string, error) {
	found, err := findField(ctx, answer, f.Path)
	if err != nil {
		return "", err
	}
	switch f.How {
	case Equal:
		if len(f.Value) > 0 {
			found.Value = f.Value
		}
		return f.Path + " == " + asLiteral(found.Value), nil
	case SameType:
		return typeCondition(f.Path, f.text(found.Type))
	case Matches:
		pattern := f.text(found.Pattern)
		if pattern == "" {
			return "", errors.New("there is no regular expression to match")
		}
		condition := f.Path + " matches " + string(exactjson.EncodeOrNil(pattern))
		_, err := evaluateOver(ctx, answer, condition)
		return condition, err
	}
	return "", fmt.Errorf("how is one of equal, type and matches, not %q", f.How)
}

// text returns the field's value, which is a text, else usual.
func (f ExpectedField) text(usual string) string {
	var text string
	if json.Unmarshal(f.Value, &text) != nil || text == "" {
		return usual
	}
	return text
}

// typeConditions are the conditions that a value is of a type.
var typeConditions = map[string]string{
	"string":  "IS_STRING(%s)",
	"number":  "IS_NUMBER(%s)",
	"list":    "IS_ARRAY(%s)",
	"boolean": "%s in [true, false]",
	"null":    "%s == null",
	"object":  `type(%s) == "map"`,
}

func typeCondition(path, name string) (string, error) {
	form, ok := typeConditions[name]
	if !ok {
		return "", fmt.Errorf("the type is one of string, number, boolean, null, list and object, not %q", name)
	}
	return fmt.Sprintf(form, path), nil
}

// findField returns the field of an answer at a path that [ProposeFields] makes, or any other
// expression over `value`.
func findField(ctx context.Context, answer json.RawMessage, path string) (found FieldProposal, err error) {
	if path == "value" {
		raw := json.RawMessage(bytes.TrimSpace(answer))
		return FieldProposal{Type: jsonType(raw), Value: raw}, nil
	}
	walkFields("value", answer, 0, func(f FieldProposal) bool {
		if f.Path == path {
			found = f
		}
		return f.Path != path
	})
	if found.Path != "" {
		return found, nil
	}
	if err := expression.Check(path, "value"); err != nil {
		return found, err
	}
	v, err := evaluateOver(ctx, answer, path)
	if err != nil {
		return found, err
	}
	raw := exactjson.EncodeOrNil(v)
	kind := jsonType(raw)
	if kind == "object" || kind == "list" {
		return FieldProposal{Type: kind, Value: raw}, nil
	}
	return proposeField(path, kind, raw, 0), nil
}

// evaluateOver evaluates an expression over an answer.
func evaluateOver(ctx context.Context, answer json.RawMessage, source string) (any, error) {
	value, err := expressionValue(answer)
	if err != nil {
		return nil, err
	}
	return expression.Eval(ctx, source, map[string]any{"value": value})
}

// asLiteral returns a JSON value as a literal of expressions, which know fewer escapes in texts.
func asLiteral(raw json.RawMessage) string {
	var text string
	if jsonType(raw) == "string" && json.Unmarshal(raw, &text) == nil {
		return string(exactjson.EncodeOrNil(text))
	}
	return string(raw)
}
