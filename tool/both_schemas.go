package tool

import (
	"bytes"
	"encoding/json"
	"slices"
)

// withSignature is a schema of the author's with those parameters of the signature that
// it does not name, and with those required that the signature requires: a call needs
// these, too. One that leads to other schemas stays as it is.
func (t Tool) withSignature(schema json.RawMessage, wanted []string) json.RawMessage {
	top, said := members(schema), t.input()
	if said.Type != nil && said.Type != "object" || said.isElsewhere(nil) {
		return schema
	}
	props, required := members(value(top, "properties")), slices.Clone(said.Required)
	more := false
	for _, p := range t.Arguments() {
		if !p.isAsked(wanted) {
			continue
		}
		if !has(props, p.Name) {
			props, more = append(props, Member{p.Name, p.Schema()}), true
		}
		if p.isRequired(wanted) && !slices.Contains(required, p.Name) {
			required, more = append(required, p.Name), true
		}
	}
	if !more {
		return schema
	}
	top = with(top, "properties", props)
	if len(required) > 0 {
		top = with(top, "required", required)
	}
	return render(top)
}

// members are those of a JSON object, in order.
func members(raw json.RawMessage) (all Object) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	for d.More() {
		name, err := d.Token()
		var v json.RawMessage
		if err != nil || d.Decode(&v) != nil {
			return nil
		}
		all = append(all, Member{name.(string), v})
	}
	return all
}

func value(o Object, name string) json.RawMessage {
	for _, m := range o {
		if m.Name == name {
			raw, _ := m.Value.(json.RawMessage)
			return raw
		}
	}
	return nil
}

// with is an object with a member in the place of the one of that name, else at its end.
func with(o Object, name string, v any) Object {
	i := slices.IndexFunc(o, func(m Member) bool { return m.Name == name })
	if i < 0 {
		return append(o, Member{name, v})
	}
	o[i].Value = v
	return o
}
