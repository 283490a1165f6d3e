package model

import (
	"strings"
	"testing"
)

// TestPlaceholders prints each placeholder with the names in it; an open one
// ends in !.
func TestPlaceholders(t *testing.T) {
	for _, tt := range []struct {
		text   string
		single bool
		want   string
	}{
		{"/v1/{id}/x/{b}", true, "id b"},
		{"/v1/{id}/x/{b}", false, ""},
		{"/v1/{id", true, "id!"},
		{"/{a{b}", true, "a! b"},
		{"{{a}} and {{ b.c }}", false, "a b.c"},
		{"{{secrets.X}}/{y}", true, "secrets.X y"},
		{"{{a", false, "a!"},
		{"{{a\n}}", false, "a!"},
		{`{"k": {"l": "{{m}}"}}`, false, "m"},
		{"{{#if a.b == 'c'}}{{/if}}", false, "a.b"},
		{"{{UPPER(name)}}", false, "name"},
		{"{{set}} {{x and y}}", false, "set x y"},
		{"{{3}} {{}}", false, ""},
		{"日{{é}}{{ok}}", false, "ok"},
	} {
		t.Run(tt.text, func(t *testing.T) {
			var got []string
			for _, p := range Placeholders(tt.text, tt.single) {
				open := ""
				if !p.Closed {
					open = "!"
				}
				for _, n := range Names(tt.text, p.Inner) {
					last := n.Parts[len(n.Parts)-1]
					got = append(got, tt.text[n.Head().Start:last.End]+open)
				}
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("%q: %q, want %q", tt.text, s, tt.want)
			}
		})
	}
}
