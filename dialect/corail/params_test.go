package corail_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/dialect"
)

// TestParameters checks what a parameter expresses, with and without defaults.
func TestParameters(t *testing.T) {
	for source, want := range map[string]string{
		`{"name": "a"}`:                                                                  "a: string",
		`{"name": "a", "type": "integer"}`:                                               "a: integer",
		`{"name": "a", "type": "string", "required": true}`:                              "a: string",
		`{"name": "a", "type": "string", "required": false}`:                             "a?: string",
		`{"name": "a", "type": "string", "default": "x"}`:                                `a: string = "x"`,
		`{"name": "a", "type": "integer", "default": "10"}`:                              "a: integer = 10",
		`{"name": "a", "type": "boolean", "required": true, "default": "true"}`:          "a: boolean = true",
		`{"name": "a", "type": "string", "default": "10"}`:                               `a: string = "10"`,
		`{"name": "a", "enum": ["x", "y"]}`:                                              "a: enum<[x, y]>",
		`{"name": "a", "type": "array", "items": {"type": "number"}, "required": false}`: "a?: number[]",
	} {
		t.Run(fmt.Sprintf("%.60s", source), func(t *testing.T) {
			f := dialect.Read("a.json", `[{"name": "t", "type": "cli", "description": "T", "binary": "b", "parameters": [`+source+`]}]`)
			if len(f.Tools) != 1 || len(f.Tools[0].Tool.Params) != 1 || len(f.Faults) > 0 {
				t.Errorf("%s: %+v", source, f.Faults)
			} else if got := f.Tools[0].Tool.Params[0].String(); got != want {
				t.Errorf("%s: %s, want %s", source, got, want)
			}
		})
	}
}

// TestEndpoint checks that an endpoint which is no string is reported as that, and not as unknown.
func TestEndpoint(t *testing.T) {
	for value, want := range map[string]string{
		`5`:                       "`mcpEndpoint` wants a URL.",
		`[]`:                      "`mcpEndpoint` wants a URL.",
		`"https://example.com/🛫"`: "",
	} {
		t.Run(value, func(t *testing.T) {
			f := dialect.Read("a.json", `[{"name": "t", "type": "mcp", "description": "T", "mcpEndpoint": `+value+`}]`)
			var got []string
			for _, fault := range f.Faults {
				got = append(got, fault.Message)
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s: %q", value, got)
			}
		})
	}
}
