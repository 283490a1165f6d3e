package projectfile

import (
	"fmt"
	"slices"
	"testing"

	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

func TestParseCases(t *testing.T) {
	for _, tt := range []struct {
		source string
		want   []string // name@offset, of a tool and then of its arguments
	}{
		{"", nil},
		{"a: [", []string{"a@0"}},
		{"- a", nil},
		{"a:\n", []string{"a@0"}},
		{"\"a\":\n  - name: x\n    args: {to: 1, \"x\": {y: 2}}\n  - args:\n      to: 2\n", []string{"a@1", "to@28", "x@36", "to@64"}},
		{"# 🚀\r\na:\r\n  - name: 🚀\r\n    args: {🚀: 1, b: 2}\r\nc: {}\r\n", []string{"a@8", "🚀@39", "b@48", "c@55"}},
	} {
		t.Run(fmt.Sprintf("%.60s", tt.source), func(t *testing.T) {
			var got []string
			for _, c := range ReadCases(yaml.Parse(tt.source)) {
				for _, e := range append([]Entry{c.Tool}, c.Args...) {
					span := e.NameSpan()
					if tt.source[span.Start:span.End] != e.Name {
						t.Errorf("%q: %q stands at %q", tt.source, e.Name, tt.source[span.Start:span.End])
					}
					got = append(got, fmt.Sprintf("%s@%d", e.Name, span.Start))
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%q: %v, want %v", tt.source, got, tt.want)
			}
		})
	}
}
