package check_test

import (
	"regexp"
	"slices"
	"strings"
)

// Slips of single rows of the list of diagnostics that no other kind tries.

func moreSlips() []slip {
	// below adds a line directly below one, indented like it.
	below := func(line string, fits func(slipPlace) bool) func(slipPlace) ([]string, []int) {
		return func(p slipPlace) ([]string, []int) {
			if p.text || p.dash || !fits(p) {
				return nil, nil
			}
			return p.after(p.head() + line), []int{p.index, p.index + 1}
		}
	}
	condition := func(value string) func(slipPlace) ([]string, []int) {
		return sameLine(func(p slipPlace) string {
			isCondition := p.section == "COMPLETE" && p.key == "WHEN" || p.section == "FLOW" && (p.key == "IF" || p.key == "CHECK")
			if !isCondition || p.value == "" || p.profile {
				return ""
			}
			return p.withValue(value)
		})
	}
	single := setOf("AGENT SUPERVISOR VERSION LANGUAGE DESCRIPTION PERSONA GOAL INSTRUCTIONS")
	return []slip{
		{"section: empty", sameLine(func(p slipPlace) string {
			if !p.isSection() || !single[p.key] || p.value == "" || p.value == "|" || p.hasBlock() || p.profile || strings.Contains(strings.Join(p.lines, "\n"), "IDENTITY:") {
				return ""
			}
			return p.key + ":"
		}), []string{"invalid-value", "missing-section"}, []string{"undefined-agent"}},
		{"list: a key beside its items", func(p slipPlace) ([]string, []int) {
			lists := []string{"HANDOFF", "DELEGATE", "COMPLETE", "SUB_INTENTS", "ON_INPUT", "ON_RESULT", "DO", "triggers", "remember", "recall"}
			next, ok := p.next()
			if p.text || p.dash || p.value != "" || !slices.Contains(lists, p.key) || !ok || !strings.HasPrefix(strings.TrimSpace(next), "- ") || p.key == "DELEGATE" && p.indent > 0 {
				return nil, nil
			}
			return p.replacing(p.end(), p.end(), strings.Repeat(" ", indentOf(next))+"WOBBLE: 1"), []int{p.end()}
		}, []string{"unknown-property"}, nil},
		{"flow: THEN: retry", sameLine(func(p slipPlace) string {
			if p.text || p.section != "FLOW" || p.profile || p.key != "THEN" || p.dash || !regexp.MustCompile(`^[a-z_]+$`).MatchString(p.value) || p.in("STEP_CONSTRAINTS") {
				return ""
			}
			return p.withValue("retry")
		}), []string{"undefined-step"}, []string{"unreachable-step"}},
		{"flow: a key of reasoning steps in another", below(`GOAL: "x"`, func(p slipPlace) bool {
			return p.section == "FLOW" && !p.profile && p.key == "REASONING" && p.value == "false" && p.sibling("GOAL") == ""
		}), []string{"misplaced-property"}, nil},
		{"flow: an action after a terminal one", func(p slipPlace) ([]string, []int) {
			if p.text || !p.dash || p.key != "GOTO" || p.parent() != "DO" {
				return nil, nil
			}
			return p.after(p.line()[:indentOf(p.line())] + `- LOG: "x"`), []int{p.index + 1}
		}, []string{"unreachable-action"}, nil},
		{"condition: an operator as a function", condition(`CONTAINS(name, "y")`), []string{"unknown-function"}, []string{"unreachable-step"}},
		{"condition: MATCHES with a pattern", condition(`MATCHES(name, "^gold$")`), []string{"ambiguous-matches"}, []string{"unreachable-step"}},
		{"hand-off: TO of two words", sameLine(func(p slipPlace) string {
			if p.text || p.key != "TO" || !p.dash || p.section != "HANDOFF" || !regexp.MustCompile(`^\w+$`).MatchString(p.value) {
				return ""
			}
			return p.withValue("The " + p.value)
		}), []string{"invalid-value"}, []string{"undefined-agent"}},
		{"error: a type that is none", sameLine(func(p slipPlace) string {
			if p.text || p.section != "ON_ERROR" || len(p.above) != 1 || p.dash || p.indent != 2 || p.profile || p.library {
				return ""
			}
			return p.head() + "wobble_error" + p.line()[p.indent+len(p.key):]
		}), []string{"platform-loss"}, []string{"duplicate-property"}},
		{"tool: a key that its auth does not use", below(`custom_headers: {X-A: "b"}`, func(p slipPlace) bool {
			return p.key == "token_url" && p.parent() == "auth_config"
		}), []string{"auth-config"}, nil},
		{"tool: cacheable beside side effects", below("cacheable: true", func(p slipPlace) bool {
			return p.key == "side_effects" && p.value == "true" && p.parent() == "hints" && p.sibling("cacheable") == ""
		}), []string{"cacheable-mutation"}, nil},
		{"tool: an address of this machine", sameLine(func(p slipPlace) string {
			if !p.inTool() || p.key != "endpoint" || !strings.HasPrefix(p.value, `"/`) {
				return ""
			}
			return p.withValue(`"http://127.0.0.1` + p.value[1:])
		}), []string{"unsafe-endpoint"}, nil},
		{"comment: after a value", sameLine(func(p slipPlace) string {
			if !p.isProperty() || p.value == "" || p.value == "|" || p.dash || strings.Contains(p.line(), "#") || !isString(p.value) {
				return ""
			}
			return p.line() + " # why"
		}), []string{"trailing-comment", "platform-loss"}, nil},
	}
}
