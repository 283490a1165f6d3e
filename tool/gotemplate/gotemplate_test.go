package gotemplate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func plain(_ Origin, v any) (string, error) {
	if v == nil {
		return "", nil
	}
	return fmt.Sprintf("⟨%v⟩", v), nil
}

func TestFill(t *testing.T) {
	values := map[string]any{
		"city": "Zürich 🧭", "tags": []any{"a", "b"}, "rows": []any{map[string]any{"n": int64(1)}, map[string]any{"n": int64(2)}},
		"strict": true, "number": int64(3), "empty": []any{},
	}
	for name, tt := range map[string]struct {
		source, want string
		fields       []string
	}{
		"nothing":       {"", "", nil},
		"no action":     {"100 % <&>", "100 % <&>", nil},
		"values":        {"{{.city}} in {{ .city }}", "⟨Zürich 🧭⟩ in ⟨Zürich 🧭⟩", []string{"city"}},
		"missing":       {"[{{.nope}}]", "[]", []string{"nope"}},
		"if":            {"{{if .strict}}strictly {{.city}}{{else}}no{{end}}", "strictly ⟨Zürich 🧭⟩", []string{"city", "strict"}},
		"else if":       {"{{if .nope}}a{{else if eq .number 3}}b{{end}}", "b", []string{"nope", "number"}},
		"range":         {"{{range $i, $t := .tags}}{{if $i}}, {{end}}{{$t}}{{end}}", "⟨a⟩, ⟨b⟩", []string{"tags"}},
		"range of maps": {"{{range .rows}}{{.n}} of {{$.number}};{{end}}", "⟨1⟩ of ⟨3⟩;⟨2⟩ of ⟨3⟩;", []string{"number", "rows"}},
		"empty list":    {"{{range .empty}}a{{else}}none{{end}}", "none", []string{"empty"}},
		"no list":       {"{{range .nope}}a{{end}}.", ".", []string{"nope"}},
		"with":          {"{{with .city}}{{.}}{{end}}", "⟨Zürich 🧭⟩", []string{"city"}},
		"variables":     {"{{$c := .city}}{{$c}}", "⟨Zürich 🧭⟩", []string{"city"}},
		"functions":     {`{{printf "%s!" .city}} {{len .tags}} {{html "<"}}`, "⟨Zürich 🧭!⟩ ⟨2⟩ ⟨&lt;⟩", []string{"city", "tags"}},
		"trimmed":       {"a {{- .number -}} b", "a⟨3⟩b", []string{"number"}},
		"break":         {"{{range .tags}}{{.}}{{break}}{{end}}", "⟨a⟩", []string{"tags"}},
		"comment":       {"a{{/* b */}}c", "ac", nil},
	} {
		t.Run(name, func(t *testing.T) {
			parsed, err := Parse(tt.source)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if got, err := parsed.Fill(values, plain); err != nil || got != tt.want {
					t.Errorf("%q, %v, want %q", got, err, tt.want)
				}
			}
			if !slices.Equal(parsed.Fields(), tt.fields) {
				t.Errorf("fields %q, want %q", parsed.Fields(), tt.fields)
			}
		})
	}
}

func TestFaults(t *testing.T) {
	for name, tt := range map[string]struct{ source, want string }{
		"open":              {"{{.x", "unclosed action"},
		"no end":            {"{{if .x}}a", "unexpected EOF"},
		"unknown function":  {"{{json .x}}", `function "json" not defined`},
		"inner function":    {"{{abl_insert .x}}", `function "abl_insert" not defined`},
		"defines":           {`{{define "a"}}{{template "a"}}{{end}}{{template "a"}}`, "`define`, `block` and `template` are not supported"},
		"only defines":      {`{{define "a"}}a{{end}}`, "`define`, `block` and `template` are not supported"},
		"block":             {`{{block "a" .}}a{{end}}`, "`define`, `block` and `template` are not supported"},
		"calls an unknown":  {`{{template "a"}}`, "`define`, `block` and `template` are not supported"},
		"nested, unknown":   {`{{if .x}}{{range .y}}{{else}}{{template "a"}}{{end}}{{end}}`, "`define`, `block` and `template` are not supported"},
		"too long":          {strings.Repeat("a", maxSource+1), "the template is longer than 1 MB"},
		"unknown variable":  {"{{$x}}", `undefined variable "$x"`},
		"break without one": {"{{break}}", "{{break}} outside {{range}}"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Parse(tt.source); err == nil || err.Error() != tt.want {
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
}

// TestBounds checks that no template takes long, makes a long text, or reaches more than its values.
func TestBounds(t *testing.T) {
	long := make([]any, 2000)
	stop := errors.New("not this value")
	for name, tt := range map[string]struct {
		source, want string
		insert       func(Origin, any) (string, error)
	}{
		"many rounds":      {"{{range 100000000}}{{end}}", "its loops make more than 100000 rounds", plain},
		"nested loops":     {"{{range .long}}{{range $.long}}{{end}}{{end}}", "its loops make more than 100000 rounds", plain},
		"long text":        {"{{range 10000}}" + strings.Repeat("a", 1000) + "{{end}}", "the text is longer than 4 MB", plain},
		"doubled":          {`{{$x := "aaaaaaaaaaaaaaaa"}}{{range 60}}{{$x = print $x $x}}{{end}}`, "the text is longer than 4 MB", plain},
		"doubled by html":  {`{{$x := "<"}}{{range 60}}{{$x = html $x}}{{$x = printf "%s%s%s" $x $x $x}}{{end}}`, "the text is longer than 4 MB", plain},
		"refused value":    {"{{.city}}", "not this value", func(Origin, any) (string, error) { return "", stop }},
		"no function":      {"{{call .city}}", `non-function .city of type string`, plain},
		"no such field":    {"{{.city.x}}", "<.city.x>: can't evaluate field x in type interface {}", plain},
		"index out of one": {"{{index .long 5000}}", "index out of range: 5000", plain},
	} {
		t.Run(name, func(t *testing.T) {
			parsed, err := Parse(tt.source)
			if err != nil {
				t.Fatal(err)
			}
			_, err = parsed.Fill(map[string]any{"city": "a", "long": long}, tt.insert)
			if err == nil || err.Error() != tt.want {
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
}

// TestOrigins checks what is known of where an inserted value comes from.
func TestOrigins(t *testing.T) {
	values := map[string]any{"x": "1", "y": "2", "list": []any{"a", "b"}, "map": map[string]any{"k": "v"}}
	for source, want := range map[string]string{
		"{{.x}}":                                               "x",
		"{{$.x}}":                                              "x",
		"{{array .list}}":                                      "array(list)",
		"{{if .x}}{{.y}}{{else}}{{.x}}{{end}}":                 "y",
		"{{range .list}}{{.}}{{$.x}}{{end}}":                   "list[] x list[] x",
		"{{range $i, $v := .list}}{{$v}}{{end}}":               "list[] list[]",
		"{{range $i, $v := .list}}{{$i}}{{end}}":               "? ?",
		"{{range $v := .list}}{{array $v}}{{end}}":             "array(list[]) array(list[])",
		"{{with .x}}{{.}}{{end}}":                              "x",
		"{{with $v := .x}}{{$v}}{{end}}":                       "x",
		"{{.map.k}}":                                           "map[]",
		"{{with .map}}{{.k}}{{end}}":                           "map[]",
		"{{$v := .x}}{{$v}}":                                   "x",
		"{{$v := .x}}{{$v = .y}}{{$v}}":                        "?",
		"{{$v := .x}}{{if .y}}{{$v := .y}}{{$v}}{{end}}{{$v}}": "? ?",
		"{{print .x}}":                                         "?",
		"{{.x | print}}":                                       "?",
		"{{(.x)}}":                                             "?",
		`{{"text"}}`:                                           "?",
		"{{index .list 0}}":                                    "?",
	} {
		t.Run(source, func(t *testing.T) {
			parsed, err := Parse(source, "array")
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			_, err = parsed.Fill(values, func(o Origin, _ any) (string, error) {
				name := cmp.Or(o.Name, "?")
				if o.IsPart {
					name += "[]"
				}
				if o.Function != "" {
					name = o.Function + "(" + name + ")"
				}
				got = append(got, name)
				return "", nil
			})
			if err != nil || strings.Join(got, " ") != want {
				t.Errorf("%q, %v, want %s", got, err, want)
			}
		})
	}
}
