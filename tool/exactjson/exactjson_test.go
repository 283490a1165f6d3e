package exactjson

import "testing"

// TestThereAndBack: what is decoded is encoded as it was written.
func TestThereAndBack(t *testing.T) {
	for _, text := range []string{`{"a":[1,10.50,9007199254740993,"<b> & 🛫"],"c":null}`, `"\u2028"`, `-0`} {
		v, err := Decode[any]([]byte(text))
		if got := string(Of(v)); err != nil || got != text {
			t.Errorf("%s: got %s, %v", text, got, err)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, text := range []string{"", "{", "1 2", "1 ]", "nul"} {
		if v, err := Decode[any]([]byte(text)); err == nil {
			t.Errorf("%q is %v", text, v)
		}
	}
	if raw := Of(func() {}); raw != nil {
		t.Errorf("a function is %s", raw)
	}
}
