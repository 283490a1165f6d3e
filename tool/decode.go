package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// A FieldError says what is wrong with the value of one property. The tool is decoded as if the
// property were missing.
type FieldError struct {
	Path []string // canonical names from the tool downward; list items by index
	Msg  string

	// Known are the allowed words, if the value is a word that is not allowed.
	Known []string // the allowed words, if the value is another word
}

// Error gives path and message.
func (e FieldError) Error() string { return strings.Join(e.Path, ".") + ": " + e.Msg }

// Decode makes a tool of its properties, including those of the binding; the caller sets the
// signature (name, parameters, result). Each value is a string, a bool, a json.Number, or a []any,
// map[string]any or Object of such values; nil counts as missing. Names are matched as [Lookup]
// does. Properties without a row are dropped; a property with a row but without a field goes to
// Extra.
//
// A wrong value costs only its own property: the tool is as good as the rest.
func Decode(props map[string]any) (Tool, []FieldError) {
	var t Tool
	kind, errs := decodeKind(props["type"])
	b, bound := bindingOf(kind)
	rows := decodedFields()[kind]
	if bound {
		t.Kind, t.Spec = kind, b.spec()
	}
	for _, name := range slices.Sorted(maps.Keys(props)) {
		f, _ := Find(rows, name)
		if f == nil || f.Name == "type" || f.Name == "parameters" {
			continue
		}
		v, wrong := conform(*f, props[name])
		if v != nil {
			wrong = append(wrong, t.setProperty(f.Name, v)...)
		}
		errs = append(errs, prefixPath(f.Name, wrong)...)
	}
	t.InputSchema, t.OutputSchema = parseSchemaText(t.InputSchema), parseSchemaText(t.OutputSchema)
	return t, errs
}

// parseSchemaText returns raw, the value of a schema property, with a schema that was written as a
// text parsed. It returns any other value unchanged.
func parseSchemaText(raw json.RawMessage) json.RawMessage {
	if s := inlineSchema(raw); s != nil && isText(raw) {
		var compact bytes.Buffer
		if json.Compact(&compact, s) == nil {
			return compact.Bytes()
		}
	}
	return raw
}

func isText(raw json.RawMessage) bool { return bytes.HasPrefix(bytes.TrimSpace(raw), []byte{'"'}) }

// decodedFields are the rows that reach a tool of each kind, put together once.
var decodedFields = sync.OnceValue(func() map[Kind][]Field {
	all := map[Kind][]Field{"": commonFields}
	for _, b := range bindings {
		all[b.kind] = slices.Concat(commonFields, b.fields, b.laid)
	}
	return all
})

func decodeKind(v any) (Kind, []FieldError) {
	row, _, _ := Lookup(commonFields, "type")
	word, errs := conform(row, v)
	kind, _ := word.(string)
	return Kind(kind), prefixPath("type", errs)
}

// Enrich adds to a parameter the keys of its block under `parameters:`, except for types: the
// caller reads `type`, `properties` and `items`.
func (p *Param) Enrich(props map[string]any) []FieldError {
	enrichment := struct {
		*Param
		Required Flag `json:"required"`
	}{Param: p}
	var errs []FieldError
	for _, name := range slices.Sorted(maps.Keys(props)) {
		f, _, ok := Lookup(paramFields, name)
		if !ok || slices.Contains([]string{"type", "properties", "items"}, f.Name) {
			continue
		}
		v := props[name]
		if f.Name == "source" {
			v = p.lookup(v)
		}
		v, wrong := conform(f, v)
		if v != nil {
			wrong = append(wrong, assign(&enrichment, f.Name, v)...)
		}
		errs = append(errs, prefixPath(f.Name, wrong)...)
	}
	if enrichment.Required != "" {
		p.Optional = enrichment.Required.Is(false)
	}
	p.Optional = p.Optional || p.Default != nil
	return errs
}

// lookup returns the `source` of a parameter as its row demands it. If source is written
// lookup(table), lookup sets p.Table to the table and returns "lookup".
func (p *Param) lookup(source any) any {
	s, _ := source.(string)
	word, rest, ok := strings.Cut(s, "(")
	table, closed := strings.CutSuffix(strings.TrimSpace(rest), ")")
	if !ok || !closed || !strings.EqualFold(strings.TrimSpace(word), "lookup") {
		return source
	}
	p.Table = strings.TrimSpace(table)
	return "lookup"
}

// setProperty stores v, which [conform] returned, in the field for the property called name: one of
// the tool or of its binding, or else Extra.
func (t *Tool) setProperty(name string, v any) []FieldError {
	switch {
	case name == verifyName || name == revertName:
		return t.setStep(name, v)
	case hasTag(t, name):
		return assign(t, name, v)
	case t.Spec != nil && hasTag(t.Spec, name):
		return assign(t.Spec, name, v)
	}
	raw, err := exactjson.Encode(v)
	if err != nil {
		return []FieldError{{Msg: err.Error()}}
	}
	if t.Extra == nil {
		t.Extra = map[string]json.RawMessage{}
	}
	t.Extra[name] = raw
	return nil
}

func (t *Tool) setStep(name string, v any) []FieldError {
	s, errs := step(name, v)
	if name == verifyName {
		t.Verify = s
	} else {
		t.Revert = s
	}
	return errs
}

// assign stores v in the field of *target with the JSON name `name`. It returns an error if v does
// not fit the field.
func assign(target any, name string, v any) []FieldError {
	if setText(target, name, v) {
		return nil
	}
	raw, err := exactjson.Encode(Object{{name, v}})
	if err == nil {
		err = json.Unmarshal(raw, target)
	}
	if err != nil {
		return []FieldError{{Msg: plain(err)}}
	}
	return nil
}

// setText stores v in the field of *target with the JSON name `name`, as encoding/json would. It
// returns false and changes nothing if v does not fit, or if the field is no text, list of texts,
// map of texts, [Number] or [Flag].
func setText(target any, name string, v any) (ok bool) {
	index := fieldsByTag(target)[name]
	if index == nil {
		return false
	}
	field, err := reflect.ValueOf(target).Elem().FieldByIndexErr(index)
	if err != nil {
		return false
	}
	switch field := field.Addr().Interface().(type) {
	case *string:
		return set(field, v, validText)
	case *[]string:
		return set(field, v, texts)
	case *map[string]string:
		return set(field, v, textsByName)
	case *Number:
		return set(field, v, func(raw json.RawMessage) (Number, bool) { return Number(raw), isNumber(string(raw)) })
	case *Flag:
		return set(field, v, func(raw json.RawMessage) (Flag, bool) {
			f := Flag(raw)
			return f, f == "true" || f == "false"
		})
	}
	return false
}

// set stores read(v) in *field. It returns false and changes nothing if v is no From, or if read
// refuses it.
func set[From, To any](field *To, v any, read func(From) (To, bool)) bool {
	from, ok := v.(From)
	if !ok {
		return false
	}
	to, ok := read(from)
	if ok {
		*field = to
	}
	return ok
}

func validText(s string) (string, bool) { return s, utf8.ValidString(s) }

func texts(items []any) ([]string, bool) {
	out := make([]string, len(items))
	for i, item := range items {
		if !set(&out[i], item, validText) {
			return nil, false
		}
	}
	return out, items != nil
}

func textsByName(o Object) (map[string]string, bool) {
	out := make(map[string]string, len(o))
	for _, m := range o {
		s, ok := m.Value.(string)
		if !ok || !utf8.ValidString(s) || !utf8.ValidString(m.Name) {
			return nil, false
		}
		out[m.Name] = s
	}
	return out, o != nil
}

// plain returns the message of an error of encoding/json, without Go's types.
func plain(err error) string {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		article := "a"
		if wrong.Value == "object" || wrong.Value == "array" {
			article = "an"
		}
		return article + " " + wrong.Value + " does not fit here"
	}
	return err.Error()
}

// hasTag reports whether *target has a field of that JSON name.
func hasTag(target any, name string) bool {
	_, has := fieldsByTag(target)[name]
	return has
}

// fieldsByTag returns the fields of *target by their JSON names, as indexes for
// [reflect.Value.FieldByIndex]. If several fields have the same name, it returns the one that
// encoding/json uses, which is the least deep one, or nil if encoding/json uses none.
func fieldsByTag(target any) map[string][]int {
	t := reflect.TypeOf(target).Elem()
	known, ok := tags.Load(t)
	if !ok {
		fields := map[string][]int{}
		for _, f := range reflect.VisibleFields(t) {
			tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if f.Anonymous {
				continue
			}
			switch other, twice := fields[tag]; {
			case !twice || len(f.Index) < len(other):
				fields[tag] = f.Index
			case len(f.Index) == len(other):
				fields[tag] = nil
			}
		}
		known, _ = tags.LoadOrStore(t, fields)
	}
	return known.(map[string][]int)
}

// tags remembers the fields of each struct: reading them anew was half the
// cost of decoding.
var tags sync.Map // reflect.Type → map[string][]int

func prefixPath(name string, errs []FieldError) []FieldError {
	for i := range errs {
		errs[i].Path = append([]string{name}, errs[i].Path...)
	}
	return errs
}
