package check

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// hostileText makes texts of any size that only an attacker would write.
type hostileText struct {
	name string
	path string
	size int // of the smaller of two texts, in repetitions
	make func(n int) string
}

// times returns a head followed by repetitions of a text.
func times(head, again string) func(int) string {
	return func(n int) string { return head + strings.Repeat(again, n) }
}

// each returns a head followed by a text for each number from 0 on.
func each(head, format string) func(int) string {
	return func(n int) string {
		var b strings.Builder
		b.WriteString(head)
		for i := range n {
			b.WriteString(strings.ReplaceAll(format, "%", fmt.Sprint(i)))
		}
		return b.String()
	}
}

const (
	anAgent = "AGENT: A\nGOAL: x\n"
	oneTool = "TOOLS:\n  a(x: string) -> string\n    description: \"x\"\n    type: http\n    endpoint: \"/x\"\n    method: GET\n"
)

var hostile = []hostileText{
	{"deep keys", "/a.agent.abl", 50, func(n int) string {
		var b strings.Builder
		b.WriteString(anAgent + "FLOW:\n")
		for i := range min(n, 190) {
			b.WriteString(strings.Repeat(" ", i+1) + "k:\n")
		}
		return b.String() + strings.Repeat(strings.Repeat(" ", min(n, 190)+1)+"k: v\n", n)
	}},
	{"deep lists", "/a.agent.abl", 250, times(anAgent+"FLOW:\n  a:\n    ON_INPUT:\n", "      - IF: x\n        BRANCHES:\n          - IF: y\n            THEN: a\n")},
	{"nested types", "/a.tools.abl", 250, func(n int) string {
		return "TOOLS:\n  a() -> " + strings.Repeat("{a: ", n) + "string" + strings.Repeat("}", n) + "\n"
	}},
	{"nested brackets", "/a.agent.abl", 250, func(n int) string {
		return anAgent + "FLOW:\n  a:\n    CLEAR: " + strings.Repeat("[", 30) + strings.Repeat("x, ", n) + strings.Repeat("]", 30) + "\n"
	}},
	{"sections", "/a.agent.abl", 250, times("", "GOAL: x\n")},
	{"unknown sections", "/a.agent.abl", 250, each(anAgent, "SECTION_%: x\n")},
	{"indented sections", "/a.agent.abl", 250, times("AGENT: A\n", "  GOAL: x\n")},
	{"stray lines", "/a.agent.abl", 250, times("", "hello there\n")},
	{"properties", "/a.tools.abl", 250, times(oneTool, "    method: GET\n")},
	{"unknown properties", "/a.tools.abl", 250, each(oneTool, "    property_%: GET\n")},
	{"flat properties", "/a.tools.abl", 250, times(oneTool, "    cacheable: yes\n")},
	{"wrong values", "/a.tools.abl", 250, times(oneTool, "    hints:\n      latency: soon\n")},
	{"headers", "/a.tools.abl", 250, each(oneTool+"    headers:\n", "      X-%: \"{{x}} {{y%}}\"\n")},
	{"parameters", "/a.tools.abl", 250, func(n int) string {
		return "TOOLS:\n  a(" + each("", "p%: string, ")(n) + "z: string) -> string\n    endpoint: \"/" + each("", "{p%}")(n) + "\"\n    type: http\n    method: GET\n" +
			"    parameters:\n" + each("", "      p%:\n        description: \"x\"\n        source: model\n")(n)
	}},
	{"same parameters", "/a.tools.abl", 250, func(n int) string {
		return "TOOLS:\n  a(" + strings.Repeat("p: string, ", n) + "z: string) -> string\n"
	}},
	{"unknown parameters", "/a.tools.abl", 250, func(n int) string {
		return "TOOLS:\n  a(" + each("", "p%: string, ")(n) + "z: string) -> string\n    parameters:\n" + each("", "      q%:\n        description: \"x\"\n")(n)
	}},
	{"tools", "/a.tools.abl", 150, each("TOOLS:\n", "  tool_%(x: string) -> string\n    type: http\n    endpoint: \"/{x}\"\n    method: GET\n")},
	{"same tools", "/a.agent.abl", 150, times(anAgent+"TOOLS:\n", "  t(x: string) -> string\n    cacheable: true\n")},
	{"imports", "/a.agent.abl", 150, each(anAgent+"TOOLS:\n", "  file: \"./b%.tools.abl\" [a, b]\n")},
	{"import names", "/a.agent.abl", 150, func(n int) string {
		return anAgent + "TOOLS:\n  file: \"./a.agent.abl\" [" + each("", "n%, ")(n) + "z]\n"
	}},
	{"steps", "/a.agent.abl", 200, func(n int) string {
		var b strings.Builder
		b.WriteString(anAgent + "FLOW:\n  entry_point: s0\n")
		for i := range n {
			fmt.Fprintf(&b, "  s%d:\n    REASONING: false\n    ON_INPUT:\n", i)
			for k := range 20 {
				fmt.Fprintf(&b, "      - IF: x == %d\n        THEN: s%d\n", k, (i*7+k*13)%n)
			}
		}
		return b.String()
	}},
	{"unknown steps", "/a.agent.abl", 150, each(anAgent+"FLOW:\n", "  s%:\n    REASONING: false\n    THEN: t%\n")},
	{"lost steps", "/a.agent.abl", 150, each(anAgent+"FLOW:\n", "  s%:\n    REASONING: false\n    RESPOND: x\n    THEN: COMPLETE\n")},
	{"calls", "/a.agent.abl", 150, each(anAgent+"FLOW:\n", "  s%:\n    REASONING: false\n    CALL: tool_%\n      WITH:\n        a: b\n")},
	{"arguments", "/a.agent.abl", 250, func(n int) string {
		return anAgent + "TOOLS:\n  t(" + each("", "p%: string, ")(n) + "z: string) -> string\nFLOW:\n  s:\n    REASONING: false\n    CALL: t\n      WITH:\n" + each("", "        q%: x\n")(n)
	}},
	{"missing arguments", "/a.agent.abl", 250, func(n int) string {
		return anAgent + "TOOLS:\n  t(" + each("", "p%: string, ")(n) + "z: string) -> string\nFLOW:\n  s:\n    REASONING: false\n    CALL: t\n      WITH:\n" + each("", "        p%0: 1\n")(n)
	}},
	{"introduced names", "/a.tools.abl", 250, func(n int) string {
		return oneTool + "    process:\n      before:\n        params:\n" + each("", "          q%: x\n")(n) +
			"    context_access:\n      read: [" + each("", "c%.x, ")(n) + "z]\n    headers:\n" + each("", "      A%: \"{{q%}} {{c%.x}}\"\n")(n)
	}},
	{"templates", "/a.agent.abl", 250, each(anAgent+"ON_START:\n", "  RESPOND: TEMPLATE(t%)\n")},
	{"placeholders", "/a.agent.abl", 250, func(n int) string { return anAgent + "PERSONA: \"" + strings.Repeat("{{#if x}} {{y", n) + "\"\n" }},
	{"braces", "/a.tools.abl", 250, func(n int) string {
		return oneTool + "    query_template: \"" + strings.Repeat("{{", n) + "\"\n    headers: {A: \"" + strings.Repeat("{{", n) + "\"}\n"
	}},
	{"endpoint", "/a.tools.abl", 250, func(n int) string {
		return "TOOLS:\n  a() -> string\n    endpoint: \"" + strings.Repeat("{", n) + "\"\n"
	}},
	{"open strings", "/a.agent.abl", 250, times(anAgent+"FLOW:\n  s:\n", "    SET: x = \"open\n")},
	{"open lists", "/a.agent.abl", 250, times(anAgent+"FLOW:\n  s:\n", "    CLEAR: [a, b\n")},
	{"open signatures", "/a.tools.abl", 250, times("TOOLS:\n", "  a(x: string\n")},
	{"quotes", "/a.agent.abl", 250, func(n int) string { return anAgent + "PERSONA: a " + strings.Repeat("\" ' ", n) + "\n" }},
	{"long line", "/a.agent.abl", 1000, func(n int) string { return anAgent + "PERSONA: " + strings.Repeat("word ", n) + "\n" }},
	{"long condition", "/a.agent.abl", 250, func(n int) string {
		return anAgent + "FLOW:\n  s:\n    REASONING: false\n    WHEN: " + strings.Repeat("a == 1 AND ", n) + "b\n"
	}},
	{"deep condition", "/a.agent.abl", 250, func(n int) string {
		return anAgent + "FLOW:\n  s:\n    REASONING: false\n    WHEN: " + strings.Repeat("(", n) + "b" + strings.Repeat(")", n) + "\n"
	}},
	{"comments", "/a.agent.abl", 250, times(anAgent, "# abl:ignore unknown-section\n")},
	{"suppressions", "/a.agent.abl", 250, times(anAgent, "# abl:ignore unknown-section\nNOTHING: x\n")},
	{"trailing comments", "/a.agent.abl", 250, times(anAgent+"LIMITATIONS:\n", "  - never # ever\n")},
	{"one suppression", "/a.agent.abl", 250, func(n int) string {
		return anAgent + "# abl:ignore " + strings.Repeat("unknown-section, ", n) + "x\nX: y\n"
	}},
	{"memory", "/a.agent.abl", 250, each(anAgent+"MEMORY:\n  session:\n", "    - visits_%\n      TYPE: number\n      initial_value: yes\n")},
	{"remember", "/a.agent.abl", 250, times(anAgent+"MEMORY:\n  remember:\n", "    - WHEN x\n      STORE: a -> b\n")},
	{"rules", "/a.agent.abl", 250, times(anAgent+"CONSTRAINTS:\n  a:\n", "    - REQUIRE x > 1 BEFORE calling t\n      ON_FAIL: \"x\"\n")},
	{"fields", "/a.agent.abl", 250, each(anAgent+"GATHER:\n", "  field_%:\n    prompt: \"x\"\n    typ: string\n    required: yes\n")},
	{"handoffs", "/a.agent.abl", 250, times(anAgent+"HANDOFF:\n", "  - TO: X\n    WHEN: y\n    CONTEXT: {grant_memory: [a]}\n")},
	{"code", "/a.tools.abl", 250, times("TOOLS:\n  a() -> string\n    type: sandbox\n    runtime: javascript\n    code: |\n", "      x = (function () { return {a: 1}; })();\n")},
	{"deep code", "/a.tools.abl", 250, func(n int) string {
		return "TOOLS:\n  a() -> string\n    type: sandbox\n    runtime: javascript\n    code: \"return " + strings.Repeat("[", n) + strings.Repeat("]", n) + "\"\n"
	}},
	{"blocks of text", "/a.agent.abl", 250, times(anAgent+"PERSONA: >\n", "  a {{b}} c\n")},
}

// TestBounded checks that the work grows with the text and no faster. It counts allocations, since
// a clock would measure the machine. The bound has some slack for slices that double.
func TestBounded(t *testing.T) {
	for _, s := range hostile {
		t.Run(s.name, func(t *testing.T) {
			fewer, less := work(s, s.size)
			more, larger := work(s, 4*s.size)
			if more > 6*fewer+1000 || larger > 8*less+100_000 {
				t.Errorf("%d allocations of %d bytes for a text, %d of %d for one of four times its size", fewer, less, more, larger)
			}
		})
	}
}

// work returns how often, and how many bytes, one run of all checks allocates.
func work(s hostileText, n int) (count, size uint64) {
	w := model.Workspace{}.With(s.path, syntax.Parse(s.make(n)))
	w = model.ReadImports(w, s.path, func(string) (string, model.Absence) { return "", model.NotFound })
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	Run(context.Background(), w, s.path, Options{Standard: true})
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc
}
