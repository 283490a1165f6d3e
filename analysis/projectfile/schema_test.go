package projectfile

import (
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestFields checks every field of the schema tables.
func TestFields(t *testing.T) {
	var visit func(path string, f *tool.Field, depth int)
	visit = func(path string, f *tool.Field, depth int) {
		if !strings.HasSuffix(f.Doc, ".") || f.Name == "" {
			t.Errorf("%s: %q has no documentation", path, f.Name)
		}
		kinds := map[string]bool{}
		seen := map[string]bool{}
		for i := range f.Fields {
			inner := &f.Fields[i]
			if seen[inner.Name] {
				t.Errorf("%s: %s stands twice", path, inner.Name)
			}
			seen[inner.Name] = true
			if inner.Name == f.By {
				for _, w := range inner.Values {
					kinds[w.Name] = true
				}
			}
			for _, kind := range append(inner.Needs, inner.With...) {
				if !kinds[kind] {
					t.Errorf("%s.%s is of a kind %s, which there is not", path, inner.Name, kind)
				}
			}
			visit(path+"."+inner.Name, inner, depth+1)
		}
		if f.Each != nil {
			visit(path+".*", f.Each, depth+1)
		}
	}
	visit(FileName, ProjectField(), 0)
	visit("cases", CasesField(), 0)
}

func TestFieldAt(t *testing.T) {
	for _, tt := range []struct{ source, want string }{
		{"servers: {a: {transport: ^}}", "transport"},
		{"servers: {a: {^}}", "server"},
		{"environments: {dev: {servers: {a: {url: ^}}}}", "url"},
		{"secrets: {providers: [e^]}", "providers"},
		{"permissions: {allow: [{kind: ^}]}", "kind"},
		{"nothing: {a: ^}", ""},
		{"^", FileName},
	} {
		t.Run(tt.source, func(t *testing.T) {
			before, after, _ := strings.Cut(tt.source, "^")
			got := ""
			if field := FieldAt(ProjectField(), yaml.Parse(before+after).CursorAt(len(before)).Path); field != nil {
				got = field.Name
			}
			if got != tt.want {
				t.Errorf("%s: the field is %q, want %q", tt.source, got, tt.want)
			}
		})
	}
}
