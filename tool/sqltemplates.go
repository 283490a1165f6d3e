package tool

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/tool/exactjson"
	"github.com/abl-lsp/abl-lsp/tool/sqltext"
)

// Arguments returns the parameters for which a call gives values: those of the signature, and the
// template parameters of an SQL statement.
func (t Tool) Arguments() []Param {
	s, ok := t.Spec.(*SQL)
	if !ok || s.TemplateParameters == nil {
		return t.Params
	}
	all := slices.Clone(t.Params)
	for _, p := range s.Templates() {
		if !slices.ContainsFunc(all, func(q Param) bool { return q.Name == p.Name }) {
			all = append(all, p)
		}
	}
	return all
}

// Templates returns the template parameters in their written order.
func (s *SQL) Templates() []Param {
	if len(s.TemplateParameters) == 0 {
		return nil
	}
	members, _ := Members(s.TemplateParameters)
	var all []Param
	for _, m := range members {
		properties, err := exactjson.Decode[map[string]any](m.Value.(json.RawMessage))
		if err != nil {
			return all
		}
		p, _ := TemplateParam(m.Name, properties) // what is wrong with it the checks say
		all = append(all, p)
	}
	return all
}

// TemplateParam returns the template parameter called name with these properties, and what is wrong
// with them. Its type is string unless they declare another one.
func TemplateParam(name string, properties map[string]any) (Param, []FieldError) {
	p := Param{Name: name, Type: &Type{Name: "string"}}
	for key, v := range properties {
		if f, _, ok := Lookup(templateFields, key); ok && f.Name == "type" {
			word, _ := v.(string)
			p.Type = templateType(word)
		}
	}
	errs := p.Enrich(properties)
	return p, errs
}

// templateType returns the type of a template parameter: a simple one, or an array of strings. Any
// other word means string.
func templateType(word string) *Type {
	word = strings.ToLower(strings.TrimSpace(word))
	switch {
	case slices.Contains([]string{"string", "integer", "float", "number", "boolean"}, word):
		return &Type{Name: word}
	case strings.HasPrefix(word, "array"), strings.HasSuffix(word, "[]"):
		return &Type{Name: "array", Elem: &Type{Name: "string"}}
	}
	return &Type{Name: "string"}
}

// Unpasteable reports whether the default of p, or an element of that default, fits no place in the
// statement. It is false if p has no default or an `escape`. Of quotes, it considers only whether
// the statement has any, not where.
func (s *SQL) Unpasteable(p Param) bool {
	whole := strings.TrimSpace(s.Statement) == "{{."+p.Name+"}}"
	if p.Escape != "" || whole {
		return false
	}
	var one string
	var several []string
	switch {
	case json.Unmarshal(p.Default, &one) == nil:
		several = []string{one}
	case json.Unmarshal(p.Default, &several) != nil:
		return false
	}
	inQuotes := strings.ContainsAny(s.Statement, "'\"`[")
	return slices.ContainsFunc(several, func(v string) bool {
		fits := sqltext.IsPlainName(v) || sqltext.IsQuotedName(v) || inQuotes && sqltext.FitsQuotes(v) || ListsText(p.AllowedValues, v)
		return !fits
	})
}

// Mispasted says why a placeholder does not fit the type of the template parameter; "" if it fits.
// {{array .x}}, for which array is true, is for arrays, and {{.x}} is for all other types.
func (p Param) Mispasted(array bool) string {
	switch isArray := p.Type.Name == "array"; {
	case isArray && !array:
		return fmt.Sprintf("{{.%s}} is an array; write {{array .%s}}", p.Name, p.Name)
	case array && !isArray:
		return fmt.Sprintf("{{array .%s}} is no array; write {{.%s}}", p.Name, p.Name)
	}
	return ""
}

// ListsText reports whether exactly the text v is among values, which an author listed. It does not
// treat values as regular expressions.
func ListsText(values []json.RawMessage, v string) bool {
	return slices.ContainsFunc(values, func(raw json.RawMessage) bool {
		var one string
		return json.Unmarshal(raw, &one) == nil && one == v
	})
}
