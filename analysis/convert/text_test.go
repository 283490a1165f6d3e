package convert_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/convert"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// otherTypes are texts that some reader of YAML takes for something else than a text.
const otherTypes = `5 -5 +5 05 0 1.5 1. .5 -.5 1e3 1E+3 -1e-3 1_000 0x1F 0X1f 0o17 0b101 12:30 12:30:45 1:2.5 true True TRUE false yes Yes no NO on Off
y N null Null NULL ~ .inf -.Inf .nan .NaN 2024-01-02 2024-01-02T10:00:00Z << = ? . .. ... --- --`

// specialTexts have signs that mean something in one of the dialects.
var specialTexts = []string{
	"2024-01-02 10:00:00", "a: b", "a:", ":a", "a #b", "#a", "- a", "-a", "? a", "@a", "%a", "&a", "*a", "!a", "!!str a", "|", ">", "|2", "`a`", "'a'", `"a"`, `"`, "'", "it's", `a "b" c`,
	`a\b`, `\`, `\n`, "[a]", "[", "]", "{a}", "{", "}", "{{a}}", "a, b", ",", " a", "a ", "a\tb", "a\nb", "a\n\n  b\n", "🧭", "🧭: 🧭 #", "\u00a0", "\u2028", "\ufeff", "\u0085", "// a", "/* a", "a -> b", "a // b", "",
}

// textPlaces are agents in ABL with a text at the percent sign, by the keys that lead to it in YAML.
var textPlaces = map[string]string{
	"messages.hello":                          "MESSAGES:\n  hello: %s\n",
	"goal":                                    "GOAL: %s\n",
	"version":                                 "VERSION: %s\n",
	"persona":                                 "PERSONA: %s\n",
	"limitations.0":                           "LIMITATIONS:\n  - %s\n",
	"templates.0.content":                     "TEMPLATES:\n  hello:\n    DEFAULT: %s\n",
	"memory.session.0.description":            "MEMORY:\n  session:\n    - name: a\n      description: %s\n",
	"gather.0.prompt":                         "GATHER:\n  a:\n    prompt: %s\n    type: string\n",
	"on_start.respond":                        "ON_START:\n  RESPOND: %s\n",
	"complete.0.respond":                      "COMPLETE:\n  - WHEN: a\n    RESPOND: %s\n",
	"tools.0.description":                     "TOOLS:\n  find(a: string) -> object\n    description: %s\n",
	"tools.0.http_binding.endpoint":           "TOOLS:\n  find(a: string) -> object\n    type: http\n    endpoint: %s\n",
	"guardrails.0.message":                    "GUARDRAILS:\n  a:\n    kind: input\n    check: a\n    action: block\n    message: %s\n",
	"constraints.0.on_fail":                   "CONSTRAINTS:\n  - REQUIRE a\n    ON_FAIL: %s\n",
	"escalate.triggers.0.reason":              "ESCALATE:\n  triggers:\n    - WHEN: a\n      REASON: %s\n      PRIORITY: low\n",
	"handoff.0.context.summary":               "HANDOFF:\n  - TO: B\n    WHEN: a\n    CONTEXT:\n      summary: %s\n",
	"delegate.0.purpose":                      "DELEGATE:\n  - AGENT: B\n    WHEN: a\n    PURPOSE: %s\n",
	"on_error.0.respond":                      "ON_ERROR:\n  timeout:\n    RESPOND: %s\n",
	"flow.steps.ask.respond":                  "FLOW:\n  steps:\n    - ask\n  ask:\n    REASONING: false\n    RESPOND: %s\n    THEN: COMPLETE\n",
	"flow.steps.ask.digressions.0.keywords.0": "FLOW:\n  steps:\n    - ask\n  ask:\n    REASONING: false\n    DIGRESSIONS:\n      - INTENT: a\n        KEYWORDS: [%s]\n        RESPOND: a\n",
	"flow.steps.ask.actions.0.label":          "FLOW:\n  steps:\n    - ask\n  ask:\n    REASONING: false\n    RESPOND: a\n    ACTIONS:\n      - BUTTON: %s -> go\n",
}

// expressionPlaces are the same with an expression at the percent sign.
var expressionPlaces = map[string]string{
	"on_start.set.a":                  "ON_START:\n  SET:\n    a: %s\n",
	"flow.steps.ask.set.0.expression": "FLOW:\n  steps:\n    - ask\n  ask:\n    REASONING: false\n    SET:\n      - a = %s\n",
	"flow.steps.ask.call_with.a":      "FLOW:\n  steps:\n    - ask\n  ask:\n    REASONING: false\n    CALL: find\n      WITH:\n        a: %s\n",
	"delegate.0.input.a":              "DELEGATE:\n  - AGENT: B\n    WHEN: a\n    INPUT:\n      a: %s\n",
	"complete.0.when":                 "COMPLETE:\n  - WHEN: %s\n    RESPOND: a\n",
	"constraints.0.condition":         "CONSTRAINTS:\n  - REQUIRE %s\n    ON_FAIL: a\n",
}

// expressionTexts are expressions that YAML reads as another type, or that have its signs.
var expressionTexts = []string{
	"5", "1.5", "-5", "true", "null", "a", "a.b", `a == "b: c"`, `a == 'it: #'`, "a > 5 && b < 6", "{a: 1, b: [2]}", "[1, 2]", `"5"`, `"a: b"`, "a ? b : c", "!a", "-a", `len(a) > 1e3`, `a == "🧭 #"`, `a == "\\d"`, "{}", "[]", `a == "\""`,
}

// TestExpressions is TestTexts for expressions, which stay as they are written.
func TestExpressions(t *testing.T) {
	for path, agent := range expressionPlaces {
		t.Run(path, func(t *testing.T) {
			for _, s := range expressionTexts {
				if strings.HasPrefix(s, `"`) && isCondition(path) {
					continue // the quotes are about a condition, not a text in it
				}
				first := convert.ToYAML(agentOf("tea.agent.abl", fmt.Sprintf(agent, s)))
				back := convert.ToABL(agentOf("tea.agent.yaml", first.Text))
				second := convert.ToYAML(agentOf("tea.agent.abl", back.Text))
				for _, source := range []string{first.Text, second.Text} {
					n := nodeAt(yaml.ParseLines(text.NewLines(source)).Root(), path)
					if n == nil || !n.IsScalar() || n.Text != s {
						t.Errorf("%s:\n%s->\n%s", s, first.Text, back.Text)
						break
					}
				}
			}
		})
	}
}

func isCondition(path string) bool {
	return strings.HasSuffix(path, ".when") || strings.HasSuffix(path, ".condition")
}

// TestTexts converts a text at each place that takes one to YAML, back, and to YAML again. It is
// the same text in both, and a text for every reader of YAML.
func TestTexts(t *testing.T) {
	for path, agent := range textPlaces {
		t.Run(path, func(t *testing.T) {
			for _, s := range strings.Fields(otherTypes) {
				if !strings.Contains(agent, "%s ->") { // where ABL takes only quotes
					checkText(t, path, fmt.Sprintf(agent, s), s)
				}
				checkText(t, path, fmt.Sprintf(agent, strconv.Quote(s)), s)
			}
			for _, s := range specialTexts {
				checkText(t, path, fmt.Sprintf(agent, quotedABL(s)), s)
			}
		})
	}
}

func checkText(t *testing.T, path, abl, want string) {
	t.Helper()
	first := convert.ToYAML(agentOf("tea.agent.abl", abl))
	back := convert.ToABL(agentOf("tea.agent.yaml", first.Text))
	second := convert.ToYAML(agentOf("tea.agent.abl", back.Text))
	for i, source := range []string{first.Text, second.Text} {
		n := nodeAt(yaml.ParseLines(text.NewLines(source)).Root(), path)
		if n == nil || n.Kind != yaml.String || strings.TrimRight(n.Text, "\n") != strings.TrimRight(want, "\n") {
			t.Errorf("conversion %d of %q:\n%s\n->\n%s\n->\n%s", i+1, want, abl, first.Text, back.Text)
			return
		}
	}
}

// numberPlaces are agents in ABL with a number at the percent sign.
var numberPlaces = map[string]string{
	"execution.max_tokens":                "EXECUTION:\n  max_tokens: %s\n",
	"gather.0.default":                    "GATHER:\n  a:\n    prompt: a\n    type: number\n    default: %s\n",
	"tools.0.http_binding.timeout":        "TOOLS:\n  find(a: string) -> object\n    type: http\n    endpoint: \"https://a.example.com\"\n    timeout: %s\n",
	"tools.0.parameters.0.default":        "TOOLS:\n  find(a: number = %s) -> object\n    description: a\n",
	"flow.steps.ask.max_attempts":         "FLOW:\n  steps:\n    - ask\n  ask:\n    REASONING: false\n    MAX_ATTEMPTS: %s\n",
	"flow.steps.ask.voice_config.speed":   "FLOW:\n  steps:\n    - ask\n  ask:\n    REASONING: false\n    RESPOND: a\n    VOICE:\n      speed: %s\n",
	"conversation.speaking.max_sentences": "CONVERSATION:\n  speaking:\n    max_sentences: %s\n",
}

// TestNumbers is TestTexts for numbers, which every reader of YAML takes for the same number.
func TestNumbers(t *testing.T) {
	for path, agent := range numberPlaces {
		for _, number := range []struct{ abl, yaml string }{
			{"5", "5"}, {"0.50", "0.50"}, {"-5", "-5"}, {"010", "10"}, {"1e3", "1000"}, {"1E+3", "1000"}, {"5e-1", "0.5"}, {"12e20", "1.2e+21"}, {"1e21", "1.0e+21"},
		} {
			t.Run(path+"/"+number.abl, func(t *testing.T) {
				first := convert.ToYAML(agentOf("tea.agent.abl", fmt.Sprintf(agent, number.abl)))
				n := nodeAt(yaml.ParseLines(text.NewLines(first.Text)).Root(), path)
				if n == nil || n.Kind != yaml.Int && n.Kind != yaml.Float || n.Text != number.yaml {
					t.Errorf("it is not %s in\n%s", number.yaml, first.Text)
				}
			})
		}
	}
}

// TestRefusedDefaults checks that a default is named which the platform refuses in ABL alone.
func TestRefusedDefaults(t *testing.T) {
	for preset, want := range map[string]int{`"b"`: 0, `"b, c)"`: 1, `["a", "b)"]`: 1, `{a: "b)"}`: 1} {
		source := "agent: Tea\ntools:\n  - name: find\n    parameters:\n      - name: a\n        default: " + preset + "\n"
		got, err := convert.To("abl", agentOf("tea.agent.yaml", source), nil)
		if err != nil || len(got.Lost) != want {
			t.Errorf("%s: %v %v", preset, got.Lost, err)
		}
	}
}

func agentOf(path, source string) *model.File {
	if !strings.HasSuffix(path, ".yaml") && !strings.HasPrefix(source, "AGENT") {
		source = "AGENT: Tea\n" + source
	}
	return model.NewFile(path, syntax.Parse(source), nil)
}

// quotedABL writes a text as a string of ABL.
func quotedABL(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(s) + `"`
}

// nodeAt returns the node that keys and numbers of items lead to, nil if there is none.
func nodeAt(n *yaml.Node, path string) *yaml.Node {
	for step := range strings.SplitSeq(path, ".") {
		if i, err := strconv.Atoi(step); err == nil && i < len(n.Items) {
			n = n.Items[i]
		} else {
			n = n.Get(step)
		}
		if n == nil {
			return nil
		}
	}
	return n
}
