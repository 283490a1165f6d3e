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

	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// A FieldError says what is wrong with the value of one property. The property
// is as if it had not been written.
type FieldError struct {
	Path []string // canonical names from the tool downward; list items by index
	Msg  string

	Known []string // the words that may stand there, where the word that does is none of them
}

// Error gives path and message.
func (e FieldError) Error() string { return strings.Join(e.Path, ".") + ": " + e.Msg }

// Decode makes a tool of its properties, the binding among them; the signature
// (name, parameters, result) is the caller's. Each value is a string, a bool,
// a json.Number, or a []any, map[string]any or [Object] of such; nil counts as
// not written. Names are matched as [Lookup] does. What no row knows is left
// out; what a row knows but no field types goes to Extra.
//
// One wrong value costs that property alone: the tool is as good as the rest.
func Decode(props map[string]any) (Tool, []FieldError) {
	var t Tool
	kind, errs := decodeKind(props["type"])
	b, bound := bindingOf(kind)
	rows := decodedFields()[kind]
	if bound {
		t.Kind, t.Spec = kind, b.spec()
	}
	for _, name := range slices.Sorted(maps.Keys(props)) {
		f, _, ok := Lookup(rows, name)
		if !ok || f.Name == "type" || f.Name == "parameters" {
			continue
		}
		v, wrong := conform(f, props[name])
		if v != nil {
			wrong = append(wrong, t.put(f.Name, v)...)
		}
		errs = append(errs, under(f.Name, wrong)...)
	}
	t.InputSchema, t.OutputSchema = spelledOut(t.InputSchema), spelledOut(t.OutputSchema)
	return t, errs
}

// spelledOut is a schema that was written as a text, as what it says.
func spelledOut(raw json.RawMessage) json.RawMessage {
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
	return Kind(kind), under("type", errs)
}

// Enrich adds to a parameter what its block under `parameters:` says, types
// apart: `type`, `properties` and `items` are the caller's to read.
func (p *Param) Enrich(props map[string]any) []FieldError {
	said := struct {
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
			wrong = append(wrong, assign(&said, f.Name, v)...)
		}
		errs = append(errs, under(f.Name, wrong)...)
	}
	if said.Required != "" {
		p.Optional = said.Required.Is(false)
	}
	p.Optional = p.Optional || p.Default != nil
	return errs
}

// lookup takes the table out of a source written lookup(table).
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

// put stores a value that has its row's shape where it belongs.
func (t *Tool) put(name string, v any) []FieldError {
	switch {
	case name == verifyName || name == revertName:
		return t.putStep(name, v)
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

func (t *Tool) putStep(name string, v any) []FieldError {
	s, errs := step(name, v)
	if name == verifyName {
		t.Verify = s
	} else {
		t.Revert = s
	}
	return errs
}

// assign stores v in the field of *target with that JSON name.
func assign(target any, name string, v any) []FieldError {
	raw, err := exactjson.Encode(Object{{name, v}})
	if err == nil {
		err = json.Unmarshal(raw, target)
	}
	if err != nil {
		return []FieldError{{Msg: plain(err)}}
	}
	return nil
}

// plain puts an error of encoding/json into an author's words.
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
	t := reflect.TypeOf(target).Elem()
	known, ok := tags.Load(t)
	if !ok {
		names := map[string]bool{}
		for _, f := range reflect.VisibleFields(t) {
			if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); !f.Anonymous {
				names[tag] = true
			}
		}
		known, _ = tags.LoadOrStore(t, names)
	}
	return known.(map[string]bool)[name]
}

// tags remembers the JSON names of each struct: reading them anew was half the
// cost of decoding.
var tags sync.Map // reflect.Type → map[string]bool

func under(name string, errs []FieldError) []FieldError {
	for i := range errs {
		errs[i].Path = append([]string{name}, errs[i].Path...)
	}
	return errs
}
