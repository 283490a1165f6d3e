package tool

import (
	"encoding/json"
	"testing"
)

// TestUnseen: what callers do not see is in no schema that they see, the author's own
// included.
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
