package check_test

import (
	"regexp"
	"slices"
	"strings"
)

// Slips that belong to one part of the language.

func sectionSlips() []slip {
	add := func(name string, section []string, code string) slip {
		return slip{name, func(p slipPlace) ([]string, []int) {
			if p.key != "GOAL" || p.indent > 0 || p.library || p.profile {
				return nil, nil
			}
			return p.replacing(p.index, p.index, section...), []int{p.index}
		}, []string{code}, nil}
	}
	removed := func(keys ...string) func(slipPlace) ([]string, []int) {
		return func(p slipPlace) ([]string, []int) {
			if p.indent > 0 || p.text || !slices.Contains(keys, p.key) || p.plain || strings.Contains(strings.Join(p.lines, "\n"), "IDENTITY:") && p.key == "GOAL" {
				return nil, nil
			}
			return p.without(), []int{0, 1, 2, 3}
		}
	}
	return []slip{
		{"section: in lower case", sameLine(func(p slipPlace) string {
			if !p.isSection() || p.index < 2 || p.firstSection() == p.index || p.section == "USE BEHAVIOR_PROFILE" || p.section == "TESTS" {
				return ""
			}
			return strings.ToLower(p.key) + p.line()[len(p.key):]
		}), []string{"section-case"}, []string{"platform-loss"}},
		{"section: colon lost", sameLine(func(p slipPlace) string {
			if !p.isSection() || p.value == "|" || p.section == "TESTS" {
				return ""
			}
			return p.key + p.line()[len(p.key)+1:]
		}), []string{"syntax-error"}, append(lostKey, "unknown-template-name", "undefined-agent")},
		{"section: one that nothing has", func(p slipPlace) ([]string, []int) {
			if p.key != "GOAL" || p.indent > 0 || p.library || p.profile {
				return nil, nil
			}
			return p.replacing(p.index, p.index, "WOBBLE:", "  a: b"), []int{p.index}
		}, []string{"unknown-section"}, nil},
		{"section: twice", func(p slipPlace) ([]string, []int) {
			once := setOf("VERSION DESCRIPTION LANGUAGE GOAL PERSONA IDENTITY SYSTEM_PROMPT EXECUTION ESCALATE ON_START HOOKS MESSAGES NLU MULTI_INTENT CONVERSATION BEHAVIOR")
			if !p.isSection() || !once[p.key] || p.profile {
				return nil, nil
			}
			return p.replacing(p.end(), p.end(), p.lines[p.index:p.end()]...), []int{p.index, p.end()}
		}, []string{"duplicate-section"}, []string{"duplicate-property"}},
		{"section: GOAL removed", removed("GOAL"), []string{"missing-section"}, nil},
		{"section: AGENT removed", removed("AGENT", "SUPERVISOR"), []string{"missing-section"}, nil},
		{"section: a profile's PRIORITY or WHEN removed", func(p slipPlace) ([]string, []int) {
			if !p.profile || p.indent > 0 || p.key != "PRIORITY" && p.key != "WHEN" {
				return nil, nil
			}
			return p.without(), []int{0, 1, 2, 3}
		}, []string{"missing-section"}, nil},
		add("section: MODE", []string{"MODE: reasoning"}, "removed-section"),
		add("section: MODEL", []string{"MODEL: fast-1"}, "removed-section"),
		add("section: PRIORITY in an agent", []string{"PRIORITY: 3"}, "misplaced-property"),
		{"section: indented below AGENT", func(p slipPlace) ([]string, []int) {
			if p.key != "AGENT" || p.indent > 0 || p.index+1 >= len(p.lines) || !strings.HasPrefix(p.lines[p.index+1], "GOAL: ") {
				return nil, nil
			}
			return p.replacing(p.index+1, p.index+2, "  "+p.lines[p.index+1]), []int{p.index + 1}
		}, []string{"section-indent"}, nil},
		{"section: malformed VERSION", sameLine(func(p slipPlace) string {
			if !p.isSection() || p.key != "VERSION" {
				return ""
			}
			return `VERSION: "one"`
		}), []string{"invalid-value"}, nil},
		{"section: malformed name of an agent", sameLine(func(p slipPlace) string {
			if !p.isSection() || p.key != "AGENT" && p.key != "SUPERVISOR" {
				return ""
			}
			return p.key + ": 9_Lives!"
		}), []string{"invalid-value"}, []string{"undefined-agent"}},
		{"section: negative PRIORITY of a profile", sameLine(func(p slipPlace) string {
			if !p.isSection() || p.key != "PRIORITY" || !p.profile {
				return ""
			}
			return "PRIORITY: -1"
		}), []string{"invalid-value"}, nil},
	}
}

func (p slipPlace) isSection() bool {
	return !p.text && p.indent == 0 && !p.dash && p.key != "" && p.key == strings.ToUpper(p.key)
}

func (p slipPlace) firstSection() int {
	for i, line := range p.lines {
		if keyLine.MatchString(line) {
			return i
		}
	}
	return -1
}

// inTool reports whether the line is a property directly below a signature.
func (p slipPlace) inTool() bool { return !p.text && p.parent() == "tool" && p.key != "" }

// signatureLine returns a slip in a signature that is on one line.
func signatureLine(change func(line string) string) func(slipPlace) ([]string, []int) {
	return sameLine(func(p slipPlace) string {
		if p.text || !p.isSignature() || depth(p.line()) != 0 || strings.Count(p.line(), "->") != 1 || strings.Contains(p.line(), "#") {
			return ""
		}
		return change(p.line())
	})
}

var firstParameter = regexp.MustCompile(`\((\w+)\??: ([\w\[\]]+)`)

func toolSlips() []slip {
	wrong := []string{"invalid-signature"}
	without := func(key string, kinds ...string) func(slipPlace) ([]string, []int) {
		return func(p slipPlace) ([]string, []int) {
			if !p.inTool() || p.key != key || p.library && key != "description" && p.siblingCount() < 2 {
				return nil, nil
			}
			if len(kinds) > 0 && !slices.Contains(kinds, p.sibling("type")) {
				return nil, nil
			}
			return p.without(), p.toolLines()
		}
	}
	return []slip{
		{"signature: closing parenthesis lost", signatureLine(func(s string) string { return strings.Replace(s, ") ->", " ->", 1) }), wrong, nil},
		{"signature: a dash in the name", signatureLine(func(s string) string { return strings.Replace(s, "_", "-", 1) }), wrong, []string{"undefined-tool", "unknown-import-name", "call-arguments", "unused-tool"}},
		{"signature: a parameter without a type", signatureLine(func(s string) string { return firstParameter.ReplaceAllString(s, "($1") }), wrong, lostKey},
		{"signature: a comma lost", signatureLine(func(s string) string {
			open, end := strings.Index(s, "("), strings.Index(s, ")")
			if strings.Contains(s[open:end], `"`) || strings.ContainsAny(s[open:end], "[{") {
				return ""
			}
			return s[:open] + strings.Replace(s[open:end], ",", "", 1) + s[end:]
		}), wrong, lostKey},
		{"signature: arrow lost", signatureLine(func(s string) string { return strings.Replace(s, " -> ", " ", 1) }), wrong, nil},
		{"signature: arrow misspelled", signatureLine(func(s string) string { return strings.Replace(s, " -> ", " => ", 1) }), wrong, nil},
		{"signature: arrow and return type lost", signatureLine(func(s string) string { before, _, _ := strings.Cut(s, " ->"); return before }), wrong, []string{"return-mismatch"}},
		{"signature: return type lost", signatureLine(func(s string) string { before, _, _ := strings.Cut(s, " ->"); return before + " ->" }), wrong, nil},
		{"signature: brace of the return type unclosed", signatureLine(func(s string) string {
			if !strings.HasSuffix(s, "}") {
				return ""
			}
			return strings.TrimSuffix(s, "}")
		}), []string{"invalid-signature", "syntax-error"}, []string{"return-mismatch"}},
		{"signature: parameter twice", signatureLine(func(s string) string { return firstParameter.ReplaceAllString(s, "($1: $2, $1: $2") }), []string{"duplicate-parameter"}, []string{"call-arguments"}},
		{"signature: type misspelled", signatureLine(func(s string) string { return strings.Replace(s, ": string", ": strng", 1) }), []string{"type-typo"}, nil},
		{"signature: default of another type", signatureLine(func(s string) string {
			return regexp.MustCompile(`: number = [-\d.]+`).ReplaceAllString(s, `: number = "many"`)
		}), []string{"default-type"}, nil},
		{"signature: reserved name", signatureLine(func(s string) string { return s[:indentOf(s)] + "__" + strings.TrimLeft(s, " ") }), []string{"reserved-name"}, []string{"undefined-tool", "unknown-import-name", "unused-tool", "name-style"}},
		{"signature: camelCase name", signatureLine(func(s string) string {
			return regexp.MustCompile(`^( *\w*?)_(\w)(\w*\()`).ReplaceAllString(s, "${1}X$2$3")
		}), []string{"name-style"}, []string{"undefined-tool", "unknown-import-name", "unused-tool"}},
		{"signature: tool twice", func(p slipPlace) ([]string, []int) {
			if p.text || !p.isSignature() {
				return nil, nil
			}
			return p.replacing(p.end(), p.end(), p.lines[p.index:p.end()]...), []int{p.index, p.end()}
		}, []string{"duplicate-tool"}, []string{"missing-property", "plaintext-secret", "confirmation-missing"}},
		{"tool: description removed", without("description"), []string{"no-description"}, nil},
		{"tool: type removed", func(p slipPlace) ([]string, []int) {
			if !p.inTool() || p.key != "type" || p.siblingCount() < 2 || p.sibling("endpoint")+p.sibling("server")+p.sibling("code")+p.sibling("function")+p.sibling("index_id")+p.sibling("table") == "" {
				return nil, nil
			}
			return p.without(), p.toolLines()
		}, []string{"binding-without-type"}, lostKey},
		{"tool: endpoint removed", without("endpoint", "http", "async_webhook"), []string{"missing-property"}, []string{"path-parameter"}},
		{"tool: method removed", without("method", "http", "async_webhook"), []string{"missing-property"}, nil},
		{"tool: server removed", func(p slipPlace) ([]string, []int) {
			if p.sibling("server_tool") == "" {
				return nil, nil
			}
			return without("server", "mcp")(p)
		}, []string{"missing-property"}, nil},
		{"tool: runtime removed", without("runtime", "sandbox"), []string{"missing-property"}, nil},
		{"tool: a property of another binding", func(p slipPlace) ([]string, []int) {
			if !p.inTool() || p.key != "type" || p.value != "http" && p.value != "sandbox" && p.value != "mcp" || p.sibling("callback_url_field") != "" {
				return nil, nil
			}
			return p.after(p.head() + `callback_url_field: "url"`), []int{p.index + 1}
		}, []string{"misplaced-property"}, nil},
		{"tool: a path parameter that is none", sameLine(func(p slipPlace) string {
			if !p.inTool() || p.key != "endpoint" || !isString(p.value) {
				return ""
			}
			return strings.TrimSuffix(p.line(), `"`) + `/{wobble}"`
		}), []string{"path-parameter"}, nil},
		{"tool: a path parameter unclosed", sameLine(func(p slipPlace) string {
			if !p.inTool() || p.key != "endpoint" || !strings.HasSuffix(p.value, `}"`) || strings.HasSuffix(p.value, `}}"`) {
				return ""
			}
			return strings.TrimSuffix(p.line(), `}"`) + `"`
		}), []string{"path-parameter"}, nil},
		{"tool: a parameter that is none in a placeholder", sameLine(func(p slipPlace) string {
			if p.text || !p.in("tool") || !p.in("headers", "query_params") || !isString(p.value) || p.parent() != "headers" && p.parent() != "query_params" {
				return ""
			}
			return strings.TrimSuffix(p.line(), `"`) + `{{wobble}}"`
		}), []string{"unknown-template-name"}, []string{"plaintext-secret"}},
		{"tool: immutable_params names none", sameLine(func(p slipPlace) string {
			if p.text || p.key != "immutable_params" || !strings.HasSuffix(p.value, "]") {
				return ""
			}
			return strings.TrimSuffix(p.line(), "]") + ", wobble]"
		}), []string{"confirmation-parameter"}, nil},
		{"tool: parameters names none", sameLine(func(p slipPlace) string {
			if p.text || !strings.EqualFold(p.parent(), "parameters") || p.key == "" || p.value != "" || p.dash || len(p.above) != 3 {
				return ""
			}
			return p.head() + "wobble:"
		}), []string{"unknown-parameter"}, nil},
		{"tool: a secret in plain text", sameLine(func(p slipPlace) string {
			if p.text || p.key != "client_secret" || !strings.Contains(p.value, "{{") {
				return ""
			}
			return p.withValue(`"hunter2hunter2"`)
		}), []string{"plaintext-secret"}, nil},
		{"import: no such file", sameLine(func(p slipPlace) string {
			if p.text || p.section != "TOOLS" || p.key != "file" || p.library {
				return ""
			}
			return strings.Replace(p.line(), ".tools.abl", "_x.tools.abl", 1)
		}), []string{"unresolved-import"}, []string{"undefined-tool", "unused-tool"}},
		{"import: no such tool", sameLine(func(p slipPlace) string {
			if p.text || p.section != "TOOLS" || p.key != "file" || p.library || !strings.HasSuffix(p.value, "]") {
				return ""
			}
			return strings.TrimSuffix(p.line(), "]") + ", wobble]"
		}), []string{"unknown-import-name"}, nil},
		{"import: path without quotes", sameLine(func(p slipPlace) string {
			if p.text || p.section != "TOOLS" || p.key != "file" {
				return ""
			}
			return strings.ReplaceAll(p.line(), `"`, "")
		}), []string{"syntax-error"}, []string{"undefined-tool", "unused-tool"}},
		{"import: list unclosed", sameLine(func(p slipPlace) string {
			if p.text || p.section != "TOOLS" || p.key != "file" || !strings.HasSuffix(p.value, "]") {
				return ""
			}
			return strings.TrimSuffix(p.line(), "]")
		}), []string{"syntax-error"}, []string{"undefined-tool", "unused-tool", "import-collision", "unused-import"}},
		{"import: FROM … USE", sameLine(func(p slipPlace) string {
			if p.text || p.section != "TOOLS" || p.key != "file" || p.library {
				return ""
			}
			return `  FROM "./a.tools.abl" USE: wobble`
		}), []string{"removed-section"}, []string{"undefined-tool", "unused-tool"}},
	}
}

// nextLine returns the next line's text.
func (p slipPlace) nextLine() string {
	line, _ := p.next()
	return strings.TrimSpace(line)
}

// siblings returns the other lines with a key in the block of this one.
func (p slipPlace) siblings() map[string]string {
	out := map[string]string{}
	from, to := p.blockLines()
	for i := from; i < to; i++ {
		if indentOf(p.lines[i]) != p.indent {
			continue
		}
		if m := keyLine.FindStringSubmatch(p.lines[i][p.indent:]); m != nil {
			out[strings.ToUpper(m[1])] = m[2] + " "
		}
	}
	return out
}

// blockLines returns the first line of the block that the line is in, and the one after its last.
func (p slipPlace) blockLines() (from, to int) {
	deep := func(i int) bool {
		return strings.TrimSpace(p.lines[i]) == "" || indentOf(p.lines[i]) >= p.indent
	}
	from, to = p.index, p.index+1
	for from > 0 && deep(from-1) {
		from--
	}
	for to < len(p.lines) && deep(to) {
		to++
	}
	return from, to
}

func (p slipPlace) sibling(key string) string {
	return strings.TrimSpace(p.siblings()[strings.ToUpper(key)])
}

func (p slipPlace) siblingCount() int { return len(p.siblings()) }

// toolLines returns the lines of the signature above.
func (p slipPlace) toolLines() []int {
	from, _ := p.blockLines()
	var at []int
	for i := max(0, from-4); i < from; i++ {
		at = append(at, i)
	}
	if from > 0 {
		for i := from; i < from+20; i++ {
			at = append(at, i)
		}
	}
	return at
}

var transitions = setOf("THEN GOTO ON_EXHAUSTED BACKTRACK_TO TRANSITION")

func callSlips() []slip {
	return []slip{
		{"call: of a tool that is not declared", sameLine(func(p slipPlace) string {
			if p.text || p.key != "CALL" || p.value == "" || p.library || p.profile || strings.Contains(p.value, ".") || strings.Contains(p.value, "__") {
				return ""
			}
			return p.head() + "CALL: wobble_" + p.value
		}), []string{"undefined-tool"}, []string{"unused-tool"}},
		{"call: an argument that the tool lacks", func(p slipPlace) ([]string, []int) {
			if p.text || p.key != "WITH" || p.value != "" || !p.hasBlock() {
				return nil, nil
			}
			next, _ := p.next()
			return p.after(strings.Repeat(" ", indentOf(next)) + "wobble: 1"), []int{p.index + 1}
		}, []string{"call-arguments"}, nil},
		{"call: WITH beside CALL", func(p slipPlace) ([]string, []int) {
			if p.text || p.key != "CALL" || p.dash || p.nextLine() != "WITH:" {
				return nil, nil
			}
			lines := slices.Clone(p.lines)
			for i := p.index + 1; i < p.end(); i++ {
				lines[i] = strings.Replace(lines[i], "  ", "", 1)
			}
			return lines, []int{p.index + 1}
		}, []string{"misplaced-property"}, []string{"misplaced-property"}},
		{"call: AVAILABLE_TOOLS names none", sameLine(func(p slipPlace) string {
			if p.text || p.key != "AVAILABLE_TOOLS" || !strings.HasSuffix(p.value, "]") {
				return ""
			}
			return strings.TrimSuffix(p.line(), "]") + ", wobble]"
		}), []string{"undefined-tool"}, nil},
		{"call: recall after a tool that is none", sameLine(func(p slipPlace) string {
			if p.text || p.key != "ON" || !strings.HasPrefix(p.value, "tool:") || strings.Contains(strings.Join(p.lines, "\n"), "\n  file:") {
				return ""
			}
			return p.withValue("tool:wobble:after")
		}), []string{"undefined-tool"}, nil},
	}
}

func flowSlips() []slip {
	return []slip{
		{"flow: transition to no step", sameLine(func(p slipPlace) string {
			if p.text || p.section != "FLOW" || p.profile || !transitions[p.key] || !regexp.MustCompile(`^[a-z_]+$`).MatchString(p.value) || p.value == "retry" || p.value == "continue" {
				return ""
			}
			return p.withValue("wobble_" + p.value)
		}), []string{"undefined-step"}, []string{"unreachable-step"}},
		{"flow: entry_point that is no step", sameLine(func(p slipPlace) string {
			if p.text || p.section != "FLOW" || p.key != "entry_point" {
				return ""
			}
			return p.withValue("wobble")
		}), []string{"undefined-step"}, []string{"unreachable-step"}},
		{"flow: a listed step without a block", sameLine(func(p slipPlace) string {
			if p.text || p.section != "FLOW" || p.key != "steps" || !strings.HasSuffix(p.value, "]") {
				return ""
			}
			return strings.TrimSuffix(p.line(), "]") + ", wobble]"
		}), []string{"undefined-step"}, nil},
		{"flow: REASONING removed", func(p slipPlace) ([]string, []int) {
			if p.text || p.section != "FLOW" || p.key != "REASONING" || p.profile {
				return nil, nil
			}
			return p.without(), []int{p.index - 1, p.index}
		}, []string{"missing-reasoning"}, []string{"unused-tool", "unreachable-step", "misplaced-property", "unmatched-input"}},
		{"flow: a step twice", func(p slipPlace) ([]string, []int) {
			if p.text || p.section != "FLOW" || !slices.Equal(p.above, []string{"FLOW"}) || !p.isName() || !p.hasBlock() || p.profile {
				return nil, nil
			}
			return p.replacing(p.end(), p.end(), p.lines[p.index:p.end()]...), []int{p.index, p.end()}
		}, []string{"duplicate-property"}, []string{"missing-reasoning", "duplicate-property", "unreachable-step"}},
		{"flow: THEN twice in a branch", func(p slipPlace) ([]string, []int) {
			if p.text || p.key != "THEN" || p.dash || !p.in("ON_INPUT", "ON_RESULT") || p.hasBlock() || strings.EqualFold(p.parent(), "CALL") {
				return nil, nil
			}
			return p.after(p.line()), []int{p.index, p.index + 1}
		}, []string{"duplicate-property"}, nil},
		{"flow: a template that is none", sameLine(func(p slipPlace) string {
			if p.text || !strings.HasPrefix(p.value, "TEMPLATE(") {
				return ""
			}
			return p.withValue("TEMPLATE(wobble)")
		}), []string{"unknown-template-name"}, nil},
		{"flow: a digression without INTENT", func(p slipPlace) ([]string, []int) {
			if p.text || p.key != "INTENT" || !p.dash || !p.in("DIGRESSIONS", "global_digressions") {
				return nil, nil
			}
			next, ok := p.next()
			if !ok || indentOf(next) != p.indent {
				return nil, nil
			}
			return p.replacing(p.index, p.index+2, p.head()+strings.TrimSpace(next)), []int{p.index}
		}, []string{"missing-property"}, nil},
	}
}

func entrySlips() []slip {
	rule := regexp.MustCompile(`^(\s*- )(REQUIRE|LIMIT|RESTRICT|WARN) (.*)$`)
	gone := func(section, key string, keys ...string) func(slipPlace) ([]string, []int) {
		return func(p slipPlace) ([]string, []int) {
			if p.text || p.key != key || p.dash || p.section != section || len(p.above) > 2 || p.profile || p.siblingCount() < 2 {
				return nil, nil
			}
			from, _ := p.blockLines()
			return p.without(), []int{from - 2, from - 1, from, from + 1}
		}
	}
	// An entry that begins with the key: the one after it gets the dash.
	first := func(section, key string) func(slipPlace) ([]string, []int) {
		return func(p slipPlace) ([]string, []int) {
			next, ok := p.next()
			if p.text || p.key != key || !p.dash || p.section != section || !ok || indentOf(next) != p.indent || p.lines[p.index+1] != next {
				return nil, nil
			}
			return p.replacing(p.index, p.index+2, p.head()+strings.TrimSpace(next)), []int{p.index}
		}
	}
	missing := []string{"missing-property"}
	return []slip{
		{"rule: word misspelled", sameLine(func(p slipPlace) string {
			m := rule.FindStringSubmatch(p.line())
			if m == nil || p.text || p.profile || p.section != "CONSTRAINTS" {
				return ""
			}
			return m[1] + swapped(m[2]) + " " + m[3]
		}), []string{"invalid-value"}, nil},
		{"rule: a word alone", sameLine(func(p slipPlace) string {
			m := rule.FindStringSubmatch(p.line())
			if m == nil || p.text || p.section != "CONSTRAINTS" {
				return ""
			}
			return m[1] + m[2]
		}), missing, nil},
		{"rule: ON_FAIL removed", func(p slipPlace) ([]string, []int) {
			if p.text || p.section != "CONSTRAINTS" || p.key != "ON_FAIL" || p.profile {
				return nil, nil
			}
			return p.without(), []int{p.index - 2, p.index - 1, p.index}
		}, missing, nil},
		{"gather: prompt removed", gone("GATHER", "prompt"), missing, nil},
		{"guardrail: kind removed", gone("GUARDRAILS", "kind"), missing, nil},
		{"guardrail: action removed", gone("GUARDRAILS", "action"), missing, nil},
		{"attachment: prompt removed", gone("ATTACHMENTS", "prompt"), missing, nil},
		{"destination: url removed", gone("DESTINATIONS", "url"), missing, nil},
		{"hand-off: TO removed", first("HANDOFF", "TO"), missing, []string{"unknown-property"}},
		{"hand-off: WHEN removed", func(p slipPlace) ([]string, []int) {
			if p.text || p.section != "HANDOFF" || p.key != "WHEN" || p.dash || len(p.above) > 2 {
				return nil, nil
			}
			return p.without(), []int{p.index - 2, p.index - 1, p.index}
		}, missing, nil},
		{"delegate: AGENT removed", first("DELEGATE", "AGENT"), missing, nil},
		{"complete: WHEN removed", first("COMPLETE", "WHEN"), missing, nil},
		{"complete: WHEN in plain words", sameLine(func(p slipPlace) string {
			if p.text || p.section != "COMPLETE" || p.key != "WHEN" {
				return ""
			}
			return p.withValue("the parcel has arrived")
		}), []string{"invalid-value"}, nil},
		{"memory: an event of older pages", sameLine(func(p slipPlace) string {
			if p.text || p.section != "MEMORY" || p.key != "ON" {
				return ""
			}
			return p.withValue("ON_BOOKING")
		}), []string{"invalid-value"}, nil},
		{"memory: an event that is none", sameLine(func(p slipPlace) string {
			if p.text || p.section != "MEMORY" || p.key != "ON" {
				return ""
			}
			return p.withValue("whenever")
		}), []string{"invalid-value"}, nil},
		{"memory: malformed TTL", sameLine(func(p slipPlace) string {
			if p.text || p.section != "MEMORY" || p.key != "TTL" {
				return ""
			}
			return p.withValue(`"a while"`)
		}), []string{"invalid-value"}, nil},
	}
}
