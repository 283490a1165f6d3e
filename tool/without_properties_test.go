package tool

import (
	"encoding/json"
	"fmt"
	"testing"
)

// TestUnseen checks that the schema for callers, even one of the author's own, does not contain
// parameters that they do not see.
func TestUnseen(t *testing.T) {
	text := &Type{Name: "string"}
	own := json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"},"c":{"type":"string"}},"required":["a","b"]}`)
	one := Tool{
		Params: []Param{{Name: "a", Type: text}, {Name: "b", Type: text, Hidden: true}, {Name: "c", Type: text, AuthServices: []AuthClaim{{"s", "sub"}}}},
		Common: Common{InputSchema: own},
	}
	if got, want := string(one.ArgumentSchema()), `{"properties":{"a":{"type":"string"}},"required":["a"],"type":"object"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := string(one.ArgumentSchema("b")), `{"properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a","b"],"type":"object"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	one.Params = one.Params[:1]
	if got := string(one.ArgumentSchema()); got != string(own) {
		t.Errorf("got %s", got)
	}
}

// TestBothSchemas checks that the schema for callers contains what the signature requires and the
// author's own schema, which is not changed.
func TestBothSchemas(t *testing.T) {
	text := &Type{Name: "string"}
	for _, tt := range []struct{ schema, want string }{
		{`{"required":["n"],"properties":{"n":{"default":1.10}},"x":1}`, `{"required":["n","a"],"properties":{"n":{"default":1.10},"a":{"type":"string"},"b":{"type":"string"}},"x":1}`},
		{`{}`, `{"properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a"]}`},
		{`{"properties":{"b": {}, "a":{"minLength": 2}}}`, `{"properties":{"b":{},"a":{"minLength":2}},"required":["a"]}`},
		{`{"properties":{"b": {}, "a":{}}, "required": ["a"]}`, `{"properties":{"b": {}, "a":{}}, "required": ["a"]}`},
		{`{"allOf":[{"properties":{"a":{}}}]}`, `{"allOf":[{"properties":{"a":{}}}]}`},
		{`{"properties":{"a":{}},"anyOf":[{"required":["b"]},true]}`, `{"properties":{"a":{},"b":{"type":"string"}},"anyOf":[{"required":["b"]},true],"required":["a"]}`},
		{`{"type":"string"}`, `{"type":"string"}`},
		{`{"required":true,"properties":{"a":{},"b":{}}}`, `{"required":["a"],"properties":{"a":{},"b":{}}}`},
	} {
		t.Run(tt.schema, func(t *testing.T) {
			one := Tool{Params: []Param{{Name: "a", Type: text}, {Name: "b", Type: text, Optional: true}}, Common: Common{InputSchema: json.RawMessage(tt.schema)}}
			if got := string(one.ArgumentSchema()); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// TestUnseenInParts checks that unseen parameters are removed if the schema refers to the part that
// names them, or combines several parts.
func TestUnseenInParts(t *testing.T) {
	text := &Type{Name: "string"}
	for _, tt := range []struct{ schema, want string }{
		{`{"$ref":"#/$defs/A","$defs":{"A":{"properties":{"a":{},"b":{}},"required":["a","b"]}}}`, `{"$defs":{"A":{"properties":{"a":{}},"required":["a"]}},"$ref":"#/$defs/A"}`},
		{`{"$ref":"#/$defs/x~1y%20z","$defs":{"x/y z":{"properties":{"b":{"default":1.10}}}}}`, `{"$defs":{"x/y z":{"properties":{}}},"$ref":"#/$defs/x~1y%20z"}`},
		{`{"$ref":"#/$defs/A","$defs":{"A":{"$ref":"#/$defs/B"},"B":{"$ref":"#/$defs/A","properties":{"a":{"minimum":1.10},"b":{}}}}}`, `{"$defs":{"A":{"$ref":"#/$defs/B"},"B":{"$ref":"#/$defs/A","properties":{"a":{"minimum":1.10}}}},"$ref":"#/$defs/A"}`},
		{`{"allOf":[{"required":["b"]},{"anyOf":[{"properties":{"b":{}}}]}],"if":{"properties":{"b":{}}}}`, `{"allOf":[{"required":[]},{"anyOf":[{"properties":{}}]}],"if":{"properties":{}}}`},
		{`{"$ref":"#/nowhere/b","properties":{"a":{"properties":{"b":{}}}}}`, `{"$ref":"#/nowhere/b","properties":{"a":{"properties":{"b":{}}}}}`},
	} {
		t.Run(fmt.Sprintf("%.60s", tt.schema), func(t *testing.T) {
			one := Tool{Params: []Param{{Name: "a", Type: text}, {Name: "b", Type: text, Hidden: true}}, Common: Common{InputSchema: json.RawMessage(tt.schema)}}
			if got := string(one.ArgumentSchema()); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
