package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// Object is a map that keeps its order. It marshals as a JSON object.
type Object []Member

// Member is one entry of an [Object].
type Member struct {
	Name  string
	Value any
}

// Index returns the index of the member with that name, -1 if there is none.
func (o Object) Index(name string) int {
	return slices.IndexFunc(o, func(m Member) bool { return m.Name == name })
}

// Has reports whether there is a member of that name.
func (o Object) Has(name string) bool { return o.Index(name) >= 0 }

// Get returns the value of the member with that name; nil if there is none.
func (o Object) Get(name string) any {
	if i := o.Index(name); i >= 0 {
		return o[i].Value
	}
	return nil
}

// Text returns the text of the member with that name; "" if there is none, or if its value is no
// text.
func (o Object) Text(name string) string {
	s, _ := o.Get(name).(string)
	return s
}

// Object returns the object of the member with that name; nil if there is none, or if its value is
// no Object.
func (o Object) Object(name string) Object {
	inner, _ := o.Get(name).(Object)
	return inner
}

// With sets the member with that name to v, or appends it, and returns the resulting object. It
// changes a member of o in place.
func (o Object) With(name string, v any) Object {
	if i := o.Index(name); i >= 0 {
		o[i].Value = v
		return o
	}
	return append(o, Member{name, v})
}

// WithMissingFrom returns a copy of the object with those members of below that the object does not
// have itself.
func (o Object) WithMissingFrom(below Object) Object {
	all := slices.Clone(o)
	for _, m := range below {
		if !o.Has(m.Name) {
			all = append(all, m)
		}
	}
	return all
}

// MarshalJSON writes the members in order.
func (o Object) MarshalJSON() ([]byte, error) {
	out := append(make([]byte, 0, 32*(1+len(o))), '{')
	for i, m := range o {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(exactjson.AppendString(out, m.Name), ':')
		var err error
		if out, err = exactjson.Append(out, m.Value); err != nil {
			return nil, err
		}
	}
	return append(out, '}'), nil
}

// Members returns the members of a JSON object in their written order. Each value is a
// json.RawMessage. It returns an error if raw is no object.
func Members(raw json.RawMessage) (Object, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, errors.New("no object")
	}
	var all Object
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return nil, err
		}
		all = append(all, Member{name.(string), v})
	}
	return all, nil
}

// Pair is one entry of [Pairs].
type Pair struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Pairs are keys with values, in the order written; a key may repeat.
type Pairs []Pair

// UnmarshalJSON reads an object, or a list of {key, value}.
func (p *Pairs) UnmarshalJSON(b []byte) error {
	if isList(b) {
		return json.Unmarshal(b, (*[]Pair)(p))
	}
	out := Pairs{}
	err := eachMember(b, func(name, text string) { out = append(out, Pair{name, text}) })
	if err == nil {
		*p = out
	}
	return err
}

// Assignments are the lines of a `set:` block, in their order.
type Assignments []Assignment

// UnmarshalJSON reads an object, or a list of {name, expr}.
func (a *Assignments) UnmarshalJSON(b []byte) error {
	if isList(b) {
		return json.Unmarshal(b, (*[]Assignment)(a))
	}
	out := Assignments{}
	err := eachMember(b, func(name, text string) { out = append(out, Assignment{name, text}) })
	if err == nil {
		*a = out
	}
	return err
}

// eachMember calls yield with the members of a JSON object of single values,
// in order.
func eachMember(b []byte, yield func(name, text string)) error {
	members, err := Members(b)
	if err != nil {
		return fmt.Errorf("names with values are wanted, not %s", b)
	}
	for _, m := range members {
		text, err := scalar(m.Value.(json.RawMessage))
		if err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
		yield(m.Name, text)
	}
	return nil
}

func isList(b []byte) bool {
	b = bytes.TrimSpace(b)
	return len(b) > 0 && b[0] == '['
}
