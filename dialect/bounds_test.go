package dialect

import (
	"fmt"
	"strings"
	"testing"
)

// TestBounds checks that files which are made to take endless time end with a fault that says why,
// and that the rest of the file is read.
func TestBounds(t *testing.T) {
	bomb := "x0: &x0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"
	for i := range 12 {
		bomb += fmt.Sprintf("x%d: &x%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*x%d, ", i), 9), ", "))
	}
	deep := func(open, inner, end string) string {
		return strings.Repeat(open, 20000) + inner + strings.Repeat(end, 20000)
	}
	large := strings.Repeat(" ", maxBytes)
	tests := []struct{ name, source, want string }{
		{"bomb.yaml", bomb + "tools:\n  a: {kind: wait, description: *x12}\n", "Aliases repeat too much here to be read."},
		{"cycle.yaml", "tools: &a\n  t: {kind: wait, description: d, parameters: *a}\n", "No anchor `&a` stands before this alias."},
		{"deep.yaml", "tools:\n  a: " + deep("[", "", "]"), "deep"},
		{"deep-maps.yaml", "tools:\n  a: {kind: wait, description: d, x: " + deep("{a: ", "1", "}") + "}", "deep"},
		{"deep.json", `{"service": "s", "tools": {"a": {"name": "a", "description": "d", "inputSchema": ` + deep(`{"properties": {"a": `, "{}", "}}") + `}}}`, "The values stand too deep in each other."},
		{"deep-list.json", `{"tools": [` + deep("[", "", "]") + `]}`, "The values stand too deep in each other."},
		{"deep.ts", "export const TOOLS = {a: {name: 'a', description: 'd', inputSchema: " + deep("{properties: {a: ", "{}", "}}") + "}}", "The values stand too deep in each other."},
		{"large.yaml", "tools:\n" + large, "The file is too large to be read: 1 MB is the limit."},
		{"large.json", `{"service": "s", "tools": {}}` + large, "The file is too large to be read: 1 MB is the limit."},
		{"large.ts", "export const TOOLS = {}" + large, "The file is too large to be read: 1 MB is the limit."},
		{"open.yaml", "tools:\n  a: {kind: wait, description: 'd", "not closed"},
		{"binary.json", "{\"service\": \"s\", \"tools\": {\"a\": \x00\xff}}", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := Read(tt.name, tt.source)
			if len(f.Faults) == 0 {
				t.Fatal("no fault")
			}
			var messages []string
			for _, fault := range f.Faults {
				messages = append(messages, fault.Message)
			}
			if all := strings.Join(messages, "\n"); !strings.Contains(all, tt.want) {
				t.Errorf("no %q in\n%.2000s", tt.want, all)
			}
		})
	}
}
