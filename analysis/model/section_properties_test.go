package model

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/syntax"
)

func TestEverySectionHasAField(t *testing.T) {
	for _, s := range Sections() {
		for _, kind := range s.Kinds {
			if field := SectionField(kind, s.Name); (field == nil) != (s.Name == "TOOLS") {
				t.Errorf("%s in files of kind %d: %v", s.Name, kind, field)
			}
		}
	}
	if SectionField(Agent, "ROUTING") != nil || SectionField(Library, "FLOW") != nil {
		t.Error("a field where the section does not belong")
	}
	if SectionField(Agent, "steps") != SectionField(Agent, "FLOW") {
		t.Error("STEPS is not FLOW")
	}
}

// sectionOutline prints the content of the entries of a source's sections.
func sectionOutline(source string) string {
	f := NewFile("/a.agent.abl", syntax.Parse(source), nil)
	var b strings.Builder
	for _, s := range f.Doc.Sections() {
		for _, e := range s.Entries {
			b.WriteString(outline(SectionProperties(f.Kind, s.Name(), e.Root()), ""))
		}
	}
	return b.String()
}

func TestSectionProperties(t *testing.T) {
	tests := []struct{ name, source, want string }{
		{"fields, and one that is called as a key", `
GATHER:
  strategy: llm
  email:
    Prompt: "Which?"
    colour: red
  type:
    prompt: "x"
`, `
strategy = "llm"
<email> = ""
  prompt = "Which?"
  colour? = "red"
<type> = ""
  prompt = "x"
`},
		{"names that begin an item", `
MEMORY:
  session:
    - visits
      TYPE: number
    - door:
        RESET: never
    - TYPE
`, `
session = ""
  -
    TYPE = "number"
  -
    <door> = ""
    RESET = "never"
  -
    "TYPE"
`},
		{"steps and branches", `
FLOW:
  entrypoint: a
  a:
    REASONING: false
    GATHER:
      - name: required
        type: email
    ON_INPUT:
      - IF: x
          THEN: b
      - ELSE:
        SET: y = 1
`, `
entrypoint? = "a"
<a> = ""
  REASONING = "false"
  GATHER = ""
    -
      <name> = "required"
      type = "email"
  ON_INPUT = ""
    -
      IF = "x"
        THEN = "b"
    -
      ELSE = ""
      SET = "y = 1"
`},
		{"open maps and text", `
MESSAGES:
  any: "x"
EXECUTION:
  voice:
    anything: goes
  model:
    text: not a key
`, `
<any> = "x"
voice = ""
  <anything> = "goes"
model = ""
`},
		{"rules, and a shorthand", `
CONSTRAINTS:
  label:
    - REQUIRE a > b
      ON_FAIL: BLOCK
LOOKUP_TABLES:
  short: {source: 1}
  long:
    source: inline
`, `
<label> = ""
  -
    ON_FAIL = "BLOCK"
<short> = "{source: 1}"
  <source> = "1"
<long> = ""
  source = "inline"
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := sectionOutline("AGENT: A\n" + strings.TrimPrefix(tt.source, "\n"))
			if diff := cmp.Diff(strings.TrimPrefix(tt.want, "\n"), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestMaps(t *testing.T) {
	f := NewFile("/a.agent.abl", syntax.Parse(`AGENT: A
HANDOFF:
  - TO: B
    CONTEXT:
      history: {mode: last}
    REMOTE:
      not: published
ON_START:
  RESPOND: "x"
    VOICE: {speed: 2}
TOOLS:
  t(a: string) -> string
    hints: {latency: fast}
`), nil)
	var b strings.Builder
	for _, s := range f.Doc.Sections() {
		for _, e := range s.Entries {
			for _, m := range Maps(f.Kind, s.Name(), e.Root(), f.DeclaredTools(e.Entry)) {
				fmt.Fprintf(&b, "%s item=%v single=%v:", m.Name, m.Item, m.Single)
				for _, p := range m.Properties {
					b.WriteString(" " + p.Name())
				}
				b.WriteByte('\n')
			}
		}
	}
	const want = `HANDOFF item=true single=false: TO CONTEXT REMOTE
CONTEXT item=false single=false: history
history item=false single=false: mode
REMOTE item=false single=false: not
ON_START item=false single=true: RESPOND
RESPOND item=false single=false: VOICE
VOICE item=false single=false: speed
t item=false single=false: hints
hints item=false single=false: latency
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
