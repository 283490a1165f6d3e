package expression

import (
	"encoding/json"
	"strings"
	"testing"
)

func variables(t *testing.T) map[string]any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(`{"result": {"price": 10.50, "id": 12345678901234567890, "n": 3, "items": [{"x": 1.0}, {"x": 2}], "name": "a b", "gone": null, "true": 1}}`))
	d.UseNumber()
	var v map[string]any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestEval(t *testing.T) {
	for source, want := range map[string]string{
		"result.price":                 `10.50`,
		" result.id ":                  `12345678901234567890`,
		"result.items[0].x":            `1.0`,
		"result.items":                 `[{"x":1.0},{"x":2}]`,
		"result.nothing.at.all":        `null`,
		"result.items[9]":              `null`,
		"result.gone":                  `null`,
		"{a: result.id, b: result.n}":  `{"a":12345678901234567890,"b":3}`,
		"result.id ?? 1":               `12345678901234567890`,
		"result.n + 1":                 `4`,
		"result.price * 2":             `21`,
		"len(result.items) > 1":        `true`,
		"result.name + '!'":            `"a b!"`,
		"map(result.items, .x)":        `[1,2]`,
		"result.gone ?? 'none'":        `"none"`,
		"result.nothing == null":       `true`,
		"true":                         `true`,
		"nil":                          `null`,
		`"quoted"`:                     `"quoted"`,
		"result.n > 2 ? 'big' : 'few'": `"big"`,
	} {
		v, err := Eval(source, variables(t))
		got, _ := json.Marshal(v)
		if err != nil || string(got) != want {
			t.Errorf("%s: %s %v, want %s", source, got, err, want)
		}
	}
	for _, source := range []string{"", "result.", "nobody", "nobody.x", "result.n +", "result.n + 'a'", "result.id + 1", "1 + + +", "repeat('x', 100000000)"} {
		if v, err := Eval(source, variables(t)); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v %v", source, v, err)
		}
	}
}
