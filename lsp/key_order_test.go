package lsp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestKeyOrder(t *testing.T) {
	const k = orderKey
	for plain, ordered := range map[string]string{
		`{"a":1,"b":{},"c":[]}`:       `{"a":1,"b":{},"c":[]}`,
		`{"b":1,"a":2}`:               `{"b":1,"a":2,"` + k + `":["b","a"]}`,
		`[{"z":{"b":"}","a\"":[]}}]`:  `[{"z":{"b":"}","a\"":[],"` + k + `":["b","a\""]}}]`,
		`{"z":{"a":1},"b":{"c":1}}`:   `{"z":{"a":1},"b":{"c":1},"` + k + `":["z","b"]}`,
		`{"Z":1,"a":1,"a b":1,"🛫":1}`: `{"Z":1,"a":1,"a b":1,"🛫":1}`,
		`{"\u00e9":1,"z":1}`:          `{"\u00e9":1,"z":1,"` + k + `":["\u00e9","z"]}`,
		// A name that begins with the key gets another one before it.
		`{"` + k + `":["a"],"\ue001x":1,"a":"` + k + `"}`: `{"` + k + k + `":["a"],"` + k + `\ue001x":1,"a":"` + k + `","` + k + `":["` + k + k + `","` + k + `\ue001x","a"]}`,
	} {
		t.Run(plain, func(t *testing.T) {
			if got := string(addKeyOrder([]byte(plain))); got != ordered {
				t.Errorf("%s became %s", plain, got)
			}
			if got := string(dropKeyOrder([]byte(ordered))); got != plain {
				t.Errorf("%s stands for %s", ordered, got)
			}
		})
	}
	for written, plain := range map[string]string{
		`{"\uE001": ["b", "a"], "b": 1}`:                         `{ "b": 1}`,
		`{"b": [{"` + k + `" : {"x": "}"} }] , "` + k + `": 1 }`: `{"b": [{}] }`,
	} {
		t.Run(written, func(t *testing.T) {
			if got := string(dropKeyOrder([]byte(written))); got != plain {
				t.Errorf("%s stands for %s", written, got)
			}
		})
	}
}

func FuzzKeyOrder(f *testing.F) {
	f.Add([]byte(`{"b": [9007199254740993, {"z": -0.0, "a": "\"1.5"}], "🛫": 1e5, "a": null}`))
	f.Add([]byte(`{"\uE001": "\uE000\uE0005", "" : "\ue001", "\ue001\uE001": {}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			return
		}
		marked := addKeyOrder(markValues(raw))
		if !json.Valid(marked) {
			t.Errorf("%s is marked as %s", raw, marked)
		}
		if got, err := restoreValues(dropKeyOrder(marked)); !bytes.Equal(got, raw) || err != nil {
			t.Errorf("%s comes back as %s, %v", raw, got, err)
		}
	})
}

// largeAnswer returns about 10 MB of JSON, a list of objects whose names are not in order.
func largeAnswer() []byte {
	var b strings.Builder
	b.WriteByte('[')
	for i := range 100_000 {
		fmt.Fprintf(&b, `{"id":%d,"name":"customer %d","address":{"street":"Long Street","city":"Bonn"},"balance":12.50},`, i, i)
	}
	return []byte(b.String() + `null]`)
}

func BenchmarkKeyOrder(b *testing.B) {
	raw := largeAnswer()
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		addKeyOrder(raw)
	}
}

func BenchmarkExactNumbers(b *testing.B) {
	raw := largeAnswer()
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		markValues(raw)
	}
}
