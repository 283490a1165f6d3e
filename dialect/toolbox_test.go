package dialect_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestToolboxSends checks that Toolbox sends for a written tool what the ABL tool sends, or that
// the difference is reported. It fills in Go's templates in paths and bodies only.
func TestToolboxSends(t *testing.T) {
	project := tool.Object{{Name: "sources", Value: tool.Object{
		{Name: "text", Value: tool.Object{{Name: "kind", Value: "http"}, {Name: "base_url", Value: "https://t.example.com"}, {Name: "headers", Value: tool.Object{{Name: "content-type", Value: "text/plain"}}}}},
	}}}
	const get, post = "type: http\nendpoint: \"https://a.example.com/x\"\nmethod: GET\n", "type: http\nendpoint: \"https://a.example.com/x\"\nmethod: POST\n"
	for _, tt := range []struct {
		name, params, lines string
		want                []string // in the file
		loss                string   // of what is lost, or otherwise
	}{
		{"a header by another name", "x: string", get + "headers:\n  X-Id: \"{{x}}\"", []string{"headerParams:\n      - name: X-Id"}, "headers: the parameter x is called X-Id there"},
		{"a part of a header", "x: string", get + "headers:\n  X: \"Bearer {{x}}\"", nil, "the whole tool, since it takes {{x}} in the header X"},
		{"a header by its name", "Near: string", get + "headers:\n  near: \"{{input.Near}}\"", []string{"headerParams:\n      - name: near"}, "headers: the parameter Near is called near there"},
		{"a header that is no text", "n: integer", get + "headers:\n  n: \"{{n}}\"", nil, "the whole tool, since its parameter n, a header, is no text"},
		{"a header that may be left out", "x?: string", get + "headers:\n  x: \"{{x}}\"", []string{"headerParams:"}, "Toolbox wants x, a header, also where it may be left out"},
		{"a query parameter by another name", "x: string", get + "query_params:\n  q: \"{{x}}\"", []string{"queryParams:\n      - name: q"}, "query_params: the parameter x is called q there"},
		{"a query parameter by its name", "q: string", get + "query_params:\n  q: \"{{ q }}\"", []string{"queryParams:\n      - name: q"}, ""},
		{"lists in the query", "q: string[]", get, []string{"queryParams:"}, "Toolbox writes q into the query as Go prints it"},
		{"secrets in the path", "id: integer", "type: http\nendpoint: \"https://a.example.com/{id}?k={{secrets.K}}\"\nmethod: GET\n", []string{`path: "/{{.id}}?k=${K}"`}, ""},
		{"a text in the path", "id: string", "type: http\nendpoint: \"https://a.example.com/{id}\"\nmethod: GET\n", []string{`path: "/{{.id}}"`}, "Toolbox puts id into the path as it is"},
		{"nothing's place in the path", "", "type: http\nendpoint: \"https://a.example.com/{id}\"\nmethod: GET\n", nil, "the whole tool, since it takes {id} in its path"},
		{"a body by itself", "a: string, b?: integer", post, []string{"Content-Type: application/json", `requestBody: "{\"a\": {{json .a}}, \"b\": {{json .b}}}"`}, "Toolbox writes null or <no value> into the body for b"},
		{"a body of JSON", "a: string, n: integer", post + "body_template: '{\"a\": \"{{a}}\", \"n\": {{n}}, \"t\": \"{{n}}\"}'", []string{
			"Content-Type: application/json", `{\"a\": {{json .a}}, \"n\": {{json .n}}, \"t\": \"{{json .n}}\"}`}, ""},
		{"a part of a text of JSON", "a: string", post + "body_template: '{\"a\": \"Hi {{a}}\"}'", []string{`\"Hi {{.a}}\"`}, "Toolbox puts a into a text of the body as it is"},
		{"what no template takes", "a: string, b: string", post + "body_template: '{\"a\": \"{{a}}\"}'", []string{`{\"a\": {{json .a}}, \"b\": {{json .b}}}`}, ""},
		{"a body of text", "a: string, l: string[]", post + "headers:\n  Content-Type: text/plain\nbody_template: \"{{a}} {{l}}\"", []string{"Content-Type: text/plain", `requestBody: "{{.a}} {{json .l}}"`}, ""},
		{"a source says what bodies are", "a: string", "type: http\nsource: text\nendpoint: \"/x\"\nmethod: POST\nbody_template: '{\"a\": \"{{a}}\"}'", []string{`{\"a\": \"{{.a}}\"}`}, ""},
		{"a form", "a: string", post + "body_type: form", nil, "the whole tool, since its body is form, in which Toolbox escapes nothing"},
		{"no body", "a: string", post + "body_mode: none\nbody_template: \"{{a}}\"", []string{"bodyParams:"}, "body_template, which is not sent"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			source := "TOOLS:\n  f(" + tt.params + ") -> object\n    description: \"🛫\"\n    " + strings.ReplaceAll(strings.TrimSpace(tt.lines), "\n", "\n    ") + "\n"
			w := toToolbox(source, project)
			for _, want := range tt.want {
				if !strings.Contains(w.Text, want) {
					t.Errorf("%s: no %q in\n%s\nlost %q", tt.name, want, w.Text, w.Lost)
				}
			}
			if tt.want == nil && strings.Contains(w.Text, "tools:") {
				t.Errorf("%s: written\n%s", tt.name, w.Text)
			}
			reported := slices.DeleteFunc(slices.Concat(foreign.LossTexts(w.Lost), w.Notes), func(s string) bool {
				usual := func(u string) bool { return strings.Contains(s, u) }
				return slices.ContainsFunc([]string{"f: what it returns: object", "Toolbox demands", "f: body_mode"}, usual)
			})
			if len(reported) != min(len(tt.loss), 1) || tt.loss != "" && !strings.HasPrefix(reported[0], "f: "+tt.loss) {
				t.Errorf("%s: said %q", tt.name, reported)
			}
		})
	}
}
