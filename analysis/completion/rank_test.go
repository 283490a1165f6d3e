package completion

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/tool"
)

// shown returns the labels in the order in which an editor shows the items.
func shown(items []Item) []string {
	return labels(slices.SortedFunc(slices.Values(items), func(a, b Item) int { return strings.Compare(a.SortText, b.SortText) }))
}

// TestRanks checks what comes first before a letter is typed, and after some.
func TestRanks(t *testing.T) {
	const flow = "AGENT: A\nFLOW:\n  before:\n    REASONING: false\n    THEN: COMPLETE\n"
	for _, tt := range []struct{ name, source, first string }{
		{"a new step", flow + "  at:\n    ‸\n", "REASONING"},
		{"what follows an action", flow + "  at:\n    REASONING: false\n    RESPOND: \"a\"\n    ‸\n", "THEN"},
		{"the next step", flow + "  at:\n    REASONING: false\n    THEN: ‸\n  next:\n    REASONING: false\n", "next"},
		{"a required key", "AGENT: A\nHANDOFF:\n  - ‸\n", "TO"},
		{"the nearest variable", "AGENT: A\nMEMORY:\n  session: [first, second, third]\nCOMPLETE:\n  - WHEN: second == 1\n  - WHEN: ‸\n", "second"},
		{"a function in capitals", "AGENT: A\nMEMORY:\n  session: [upper_case]\nCOMPLETE:\n  - WHEN: UP‸\n", "UPPER"},
		{"a variable in small letters", "AGENT: A\nMEMORY:\n  session: [upper_case]\nCOMPLETE:\n  - WHEN: up‸\n", "upper_case"},
		{"the configuration for a limit", "TOOLS:\n  a(code: string) -> string\n    type: http\n    timeout: \"{{co‸}}\"\n", "config"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			items, _ := complete(t, agent, tt.source)
			if got := shown(items); len(got) == 0 || got[0] != tt.first {
				t.Errorf("%q instead of %q", got[:min(3, len(got))], tt.first)
			}
		})
	}
}

// TestBooleansOfAllKeys checks that both values are offered after every boolean key of the schema
// tables: those of tools, and those directly in a section, in its lists and in its named blocks.
func TestBooleansOfAllKeys(t *testing.T) {
	tried := 0
	check := func(before string, fields []tool.Field) {
		for _, f := range fields {
			if f.Type != tool.BooleanType || f.Undocumented || f.Elsewhere != "" {
				continue
			}
			tried++
			source := before + f.Name + ": ‸\n"
			items, _ := complete(t, agent, source)
			if got := labels(items); !slices.Contains(got, "true") || !slices.Contains(got, "false") {
				t.Errorf("%q offers %q", source, got)
			}
		}
	}
	for _, kind := range tool.Kinds() {
		check(fmt.Sprintf("TOOLS:\n  a() -> string\n    type: %s\n    ", kind.Name), tool.Fields(tool.Kind(kind.Name)))
	}
	for _, s := range model.Sections() {
		field := model.SectionField(model.Agent, s.Name)
		if field == nil {
			continue
		}
		check("AGENT: A\n"+s.Name+":\n  ", field.Fields)
		check("AGENT: A\n"+s.Name+":\n  - ", field.Items)
		if field.Each != nil {
			check("AGENT: A\n"+s.Name+":\n  name:\n    ", field.Each.Fields)
		}
	}
	if tried < 30 {
		t.Errorf("only %d keys", tried)
	}
}
