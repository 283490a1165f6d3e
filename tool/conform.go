package tool

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// conform returns v as the row f demands it: canonical names, words in the spelling of f's set,
// single values as text. It drops and reports the parts of v that are wrong, and returns nil if
// nothing remains.
func conform(f Field, v any) (any, []FieldError) {
	if v == nil || v == "" && f.Type != String && f.Type != CodeType {
		return nil, nil
	}
	switch f.Type {
	case NumberType, BooleanType:
		return conformScalar(f, v)
	case ListType:
		return conformList(f, v)
	case MapType:
		return conformMap(f, v)
	case Block:
		return conformBlock(f, v)
	case BlockList:
		return conformBlocks(f, v)
	case AnyType:
		if f.Listed {
			return toList(v), nil
		}
		return v, nil
	}
	return conformText(f, v)
}

// toList makes a list of v: the words between the commas of a text, or any other value as the only
// item. It returns a list unchanged.
func toList(v any) any {
	switch v := v.(type) {
	case []any:
		return v
	case string:
		words := commaList(v)
		for i, w := range words {
			if s := w.(string); isNumber(s) && json.Valid([]byte(s)) {
				words[i] = json.Number(s)
			}
		}
		return words
	}
	return []any{v}
}

// wrongValue returns msg as the only error of a property.
func wrongValue(msg string) []FieldError { return []FieldError{{Msg: msg}} }

// conformText returns the text of a single value. If f has a closed set of words, the text must be
// one of them, and is spelled as in the set.
func conformText(f Field, v any) (any, []FieldError) {
	s, ok := text(v)
	if !ok {
		return nil, wrongValue("a single value is wanted here")
	}
	if len(f.Values) == 0 {
		return s, nil
	}
	w, ok := LookupWord(f.Values, strings.TrimSpace(s))
	if !ok {
		known := WordNames(f.Values)
		return nil, []FieldError{{Msg: strconv.Quote(s) + " is none of " + strings.Join(known, ", "), Known: known}}
	}
	return w.Name, nil
}

// conformScalar returns a number or boolean as JSON, or the text of a placeholder.
func conformScalar(f Field, v any) (any, []FieldError) {
	s, ok := text(v)
	if !ok {
		return nil, wrongValue("a " + f.Type.String() + " is wanted here")
	}
	s = strings.TrimSpace(s)
	if f.Type == BooleanType && (s == "true" || s == "false") || f.Type == NumberType && isNumber(s) && json.Valid([]byte(s)) {
		return json.RawMessage(s), nil
	}
	raw, err := exactjson.Encode(s)
	switch {
	case err != nil:
	case f.Type == NumberType:
		err = new(Number).UnmarshalJSON(raw)
	default:
		var b Flag
		err = b.UnmarshalJSON(raw)
		s = string(b) // yes is true
	}
	switch {
	case err != nil:
		return nil, wrongValue(err.Error())
	case json.Valid([]byte(s)):
		return json.RawMessage(s), nil
	}
	return s, nil
}

func conformList(f Field, v any) (any, []FieldError) {
	items, ok := v.([]any)
	if s, single := text(v); single {
		items, ok = commaList(s), true
	}
	if !ok {
		return nil, wrongValue("a list is wanted here")
	}
	return conformItems(items, func(item any) (any, []FieldError) { return conformText(f, item) })
}

// conformItems calls conformed for each item and returns the results. It leaves out items for which
// conformed returns nil.
func conformItems(items []any, conformed func(item any) (any, []FieldError)) (any, []FieldError) {
	out := make([]any, 0, len(items))
	var errs []FieldError
	for i, item := range items {
		v, bad := conformed(item)
		if v != nil {
			out = append(out, v)
		}
		errs = append(errs, prefixPath(strconv.Itoa(i), bad)...)
	}
	return out, errs
}

func commaList(s string) []any {
	var out []any
	for item := range strings.SplitSeq(s, ",") {
		if item = strings.TrimSpace(item); item != "" {
			out = append(out, item)
		}
	}
	return out
}

func conformMap(f Field, v any) (any, []FieldError) {
	if _, isList := v.([]any); isList && f.Fields != nil {
		return conformBlocks(f, v)
	}
	o, ok := object(v)
	if !ok {
		return nil, wrongValue("names with values are wanted here")
	}
	out := make(Object, 0, len(o))
	var errs []FieldError
	for _, m := range o {
		s, single := text(m.Value)
		if !single && m.Value != nil {
			errs = append(errs, prefixPath(m.Name, wrongValue("a single value is wanted here"))...)
			continue
		}
		out = append(out, Member{m.Name, s})
	}
	return out, errs
}

// conformBlock keeps the known keys of a block, and all keys of an open one.
func conformBlock(f Field, v any) (any, []FieldError) {
	o, ok := object(v)
	if !ok {
		return nil, wrongValue("a block of properties is wanted here")
	}
	if f.Open {
		return o, nil
	}
	out := make(Object, 0, len(o))
	var errs []FieldError
	for _, m := range o {
		key, _, known := Lookup(f.Fields, m.Name)
		if !known {
			continue
		}
		v, bad := conform(key, m.Value)
		if v != nil {
			out = append(out, Member{key.Name, v})
		}
		errs = append(errs, prefixPath(key.Name, bad)...)
	}
	return out, errs
}

func conformBlocks(f Field, v any) (any, []FieldError) {
	items, ok := v.([]any)
	if !ok {
		return nil, wrongValue("a list of blocks is wanted here")
	}
	return conformItems(items, func(item any) (any, []FieldError) { return conformBlock(f, item) })
}

// text returns a single value as it was written. The second result is false for any other value.
func text(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case bool:
		return strconv.FormatBool(v), true
	}
	return "", false
}

// object converts a map to an Object, sorted by name unless the map has an order. The second result
// is false if v is no map.
func object(v any) (Object, bool) {
	switch v := v.(type) {
	case Object:
		return v, true
	case map[string]any:
		o := make(Object, 0, len(v))
		for _, name := range slices.Sorted(maps.Keys(v)) {
			o = append(o, Member{name, v[name]})
		}
		return o, true
	}
	return nil, false
}
