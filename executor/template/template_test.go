package template

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

func scope() *Scope {
	return &Scope{
		Params: []string{"a", "list", "obj", "left", "dotted.name"},
		Args: map[string]any{
			"a": "A", "list": []any{json.Number("1.50"), "x"}, "obj": map[string]any{"k": map[string]any{"n": nil}}, "dotted.name": true,
		},
		Session:   map[string]any{"user.id": "flat", "user": map[string]any{"name": "deep"}},
		Variables: map[string]string{"HOST": "h"},
		Secrets:   map[string]string{"S": "secret", "with.dot": "dotted"},
	}
}

func TestExpand(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "",
		"plain {a} {not":              "plain {a} {not",
		"{{a}} {{ a }} {{input.a}}":   "A A A",
		"{{list}} {{list[0]}}":        `[1.50,"x"] 1.50`,
		"{{obj.k}} {{obj.k.n}}|":      `{"n":null} |`,
		"{{obj.none}}{{left}}|":       "|",
		"{{dotted.name}}":             "true",
		"{{env.HOST}}{{config.HOST}}": "hh",
		"{{session.user.id}} {{session.user.name}}": "flat deep",
		"{{secrets.S}} {{secrets.with.dot}}":        "secret dotted",
		"{{a}}}} {{{a}}}":                           "A}} {A}",
		"{{a":                                       "{{a",
		`{{"a": 1}}`:                                `{{"a": 1}}`,
		"{{}} {{ }}":                                "{{}} {{ }}",
		"ü{{a}}😀":                                   "üA😀",
	} {
		t.Run(text, func(t *testing.T) {
			if got, err := scope().Expand(text, nil); err != nil || got != want {
				t.Errorf("%s: %q %v, want %q", text, got, err, want)
			}
		})
	}
	for _, text := range []string{"{{b}}", "{{env.NO}}", "{{session.no}}", "{{secrets.NO}}", "{{#if a}}", "{{/if}}", "{{UPPER(a)}}", "{{lookup:t:k}}", "{{input.b}}", "{{_secret.k}}"} {
		t.Run(text, func(t *testing.T) {
			_, err := scope().Expand(text, nil)
			if e := (*Error)(nil); !errors.As(err, &e) {
				t.Errorf("%s: %v", text, err)
			}
		})
	}
}

func TestExpandBlocks(t *testing.T) {
	s := scope()
	s.Args["rows"] = []any{
		map[string]any{"a": "own", "tags": []any{"t", "u"}, "on": true},
		map[string]any{"tags": []any{}, "on": false},
	}
	s.Params = append(s.Params, "rows", "none")
	for text, want := range map[string]string{
		"plain {{a}} {{#if":                 "plain A {{#if",
		"{{#each list}}<{{this}}>{{/each}}": "<1.50><x>",
		"{{#each input.list}}{{@index}}{{#if @last}}.{{else}},{{/if}}{{/each}}":            "0,1.",
		"{{#each rows}}{{a}}:{{this.a}}:{{input.a}};{{/each}}":                             "own:own:A;A::A;",
		"{{#each rows}}{{#each tags}}{{this}}{{on}}{{@first}} {{else}}-{{/each}}{{/each}}": "ttruetrue utruefalse -",
		"{{#each rows}}{{nobody}}{{obj.k.n}}{{secrets.S}}{{/each}}":                        "secretsecret",
		"{{#each none}}x{{else}}empty{{/each}}":                                            "empty",
		"{{#if a}}yes{{/if}}{{#if left}}no{{else}}else{{/if}}":                             "yeselse",
	} {
		t.Run(fmt.Sprintf("%.60s", text), func(t *testing.T) {
			if got, err := s.ExpandBlocks(text, func(_ string, v Value) (string, error) { return v.Text(), nil }); err != nil || got != want {
				t.Errorf("%s: %q %v, want %q", text, got, err, want)
			}
		})
	}
	for _, text := range []string{"{{#each list}}", "{{#if a}}{{/each}}", "{{/if}}", "{{else}}", "{{#each a}}x{{/each}}", "{{#each unknown}}{{/each}}", "{{this}}", "{{#each list}}{{unknown}}{{/each}}", "{{#unless a}}{{/unless}}"} {
		t.Run(text, func(t *testing.T) {
			_, err := s.ExpandBlocks(text, func(_ string, v Value) (string, error) { return v.Text(), nil })
			if e := (*Error)(nil); !errors.As(err, &e) {
				t.Errorf("%s: %v", text, err)
			}
		})
	}
}

// TestLoopsAreBounded checks that nested loops over a list are bounded.
func TestLoopsAreBounded(t *testing.T) {
	many := make([]any, 2000)
	for i := range many {
		many[i] = strings.Repeat("x", 100)
	}
	s := &Scope{Params: []string{"l"}, Args: map[string]any{"l": many}}
	_, err := s.ExpandBlocks("{{#each l}}{{#each input.l}}{{this}}{{/each}}{{/each}}", func(_ string, v Value) (string, error) { return v.Text(), nil })
	if e := (*Error)(nil); !errors.As(err, &e) || !strings.Contains(e.Reason, "more than 10 MB") {
		t.Error(err)
	}
}

func TestSubstitutedTextIsNotScannedAgain(t *testing.T) {
	s := &Scope{Params: []string{"a", "b"}, Args: map[string]any{"a": "{{b}}{{", "b": "a}}{b}"}}
	got, err := placeholder.Fill("{a}{{b}}{b}{{a}}", true, func(p placeholder.Lookup) (string, error) {
		v, err := s.Lookup(p.Name)
		return v.Text(), err
	})
	if want := "{{b}}{{a}}{b}a}}{b}{{b}}{{"; err != nil || got != want {
		t.Errorf("%q %v, want %q", got, err, want)
	}
}

func TestFreeForm(t *testing.T) {
	s := &Scope{Params: []string{"input"}, Args: map[string]any{"input": "text"}}
	if got, err := s.Expand("{{input}}", nil); err != nil || got != "text" {
		t.Errorf("%q %v", got, err)
	}
	s = &Scope{Params: []string{"x"}, Args: map[string]any{"x": json.Number("1.0")}}
	if got, err := s.Expand("{{input}}", nil); err != nil || got != `{"x":1.0}` {
		t.Errorf("%q %v", got, err)
	}
}
