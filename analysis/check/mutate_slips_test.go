package check_test

import (
	"regexp"
	"slices"
	"strings"
)

// slip is one way to write a line wrong.
type slip struct {
	name string

	// make returns the file with the slip, and its lines, from 0: one of them must have a
	// finding. Lines are nil if the slip does not apply.
	make func(slipPlace) (lines []string, at []int)

	codes []string // one of them must be found there; none: nothing may be found
	also  []string // codes that may follow from it elsewhere, and count as no cascade
}

// sameLine returns a slip that is reported on its line.
func sameLine(change func(slipPlace) string) func(slipPlace) ([]string, []int) {
	return func(p slipPlace) ([]string, []int) {
		if p.text {
			return nil, nil
		}
		line := change(p)
		if line == "" || line == p.line() {
			return nil, nil
		}
		return p.with(line), []int{p.index}
	}
}

// slips returns all kinds, in the order of the table in docs/fidelity.md.
func slips() []slip {
	return slices.Concat(keySlips(), formSlips(), valueSlips(), sectionSlips(), toolSlips(), callSlips(), flowSlips(), entrySlips(), moreSlips(), indentSlips())
}

func keySlips() []slip {
	unknown := []string{"unknown-property", "unknown-section"}
	return []slip{
		{"key: two letters swapped", sameLine(func(p slipPlace) string { return p.renamed(swapped(p.key)) }), unknown, lostKey},
		{"key: a letter left out", sameLine(func(p slipPlace) string { return p.renamed(shortened(p.key)) }), append(unknown, "syntax-error"), lostKey},
		{"key: one that nothing has", sameLine(func(p slipPlace) string {
			if p.indent == 0 {
				return p.renamed("WOBBLE")
			}
			return p.renamed("wobble")
		}), unknown, lostKey},
		{"key: twice", func(p slipPlace) ([]string, []int) {
			if !p.isProperty() || p.dash || p.hasBlock() || p.value == "" || p.value == "|" || repeatableKeys[strings.ToUpper(p.key)] || p.in("SET", "remember") {
				return nil, nil
			}
			return p.after(p.line()), []int{p.index, p.index + 1}
		}, []string{"duplicate-property"}, nil},
		{"key: empty", sameLine(func(p slipPlace) string {
			if !p.isProperty() || p.value == "" || p.hasBlock() || p.value == "|" || !scalars[strings.ToUpper(p.key)] || p.key == "RETRY" {
				return ""
			}
			return p.head() + p.key + ":"
		}), []string{"invalid-value", "missing-property"}, []string{"unbound-tool"}},
	}
}

// lostKey are codes that may follow from a key that is not read.
var lostKey = []string{
	"missing-property", "missing-reasoning", "undefined-step", "unreachable-step", "undefined-tool", "unused-tool", "missing-section",
	"binding-without-type", "no-description", "unmatched-input", "platform-loss", "call-arguments", "unknown-template-name", "auth-config",
	"unbound-tool", "confirmation-missing", "misplaced-property", "cacheable-mutation", "retry-mutation", "path-parameter",
}

// repeatableKeys are keys that a place may have more than once.
var repeatableKeys = map[string]bool{"SET": true, "LOG": true, "CLEAR": true, "CALL": true, "RESPOND": true, "THEN": true, "GOTO": true, "COMPLETE": true,
	"HANDOFF": true, "DELEGATE": true, "ESCALATE": true, "COLLECT": true, "RETRY": true, "RETURN": true, "TRANSITION": true, "VOICE": true, "MESSAGE_KEY": true,
	"IF": true, "CONDITION": true, "WHEN": true, "FILE": true, "ELSE": true, "SET_INTERACTION_LANGUAGE": true, "CLEAR_INTERACTION_LANGUAGE": true}

// scalars are keys with a single value that may not be empty.
var scalars = setOf(`description type endpoint method auth timeout retry retry_delay server runtime index_id table workflow_id function
	require pii_access effect latency cacheable temperature model max_tokens tool_timeout prompt required infer max_retries TYPE SCOPE ACCESS RESET TTL
	kind action message priority PRIORITY REASON AGENT TO WHEN RETRY_DELAY url category max_file_size_mb source field strategy MAX_ATTEMPTS`)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[strings.ToUpper(word)] = true
	}
	return set
}

// isProperty reports whether the line has a key that the language gives it.
func (p slipPlace) isProperty() bool {
	if p.text || p.key == "" || p.indent == 0 || p.isOpen() || p.isProse() || p.isName() {
		return false
	}
	return !p.in("TOOLS") || p.in("tool")
}

// isName reports whether the key is a name of the author's.
func (p slipPlace) isName() bool {
	named := []string{"GATHER", "FLOW", "GUARDRAILS", "CONSTRAINTS", "ON_ERROR", "ATTACHMENTS", "DESTINATIONS", "ENTITIES", "INTENTS", "TEMPLATES",
		"RETURN_HANDLERS", "ACTION_HANDLERS", "LOOKUP_TABLES", "AGENTS"}
	parents := []string{"ON_ACTION", "ON_ERROR", "DIGRESSIONS", "global_digressions", "FIELDS", "steps", "FIELD_OVERRIDES", "session", "persistent",
		"READS", "WRITES", "intents", "entities", "categories", "GATHER", "OVERRIDES", "OVERRIDE", "SUB_INTENTS", "set", "do"}
	switch {
	case len(p.above) == 1 && slices.Contains(named, p.section) && !p.dash:
		known := setOf("entry_point steps global_digressions strategy FIELD_OVERRIDES VALIDATION_STYLE CONFIRMATION")
		return !known[strings.ToUpper(p.key)]
	case slices.ContainsFunc(parents, func(s string) bool { return strings.EqualFold(s, p.parent()) }):
		known := setOf("INTENT ACTION IF CONDITION WHEN ELSE TYPE NAME PATH FIELDS STRATEGY PROMPT MESSAGE_KEY READS WRITES SET CALL RESPOND GOTO THEN")
		return !known[strings.ToUpper(p.key)] || p.dash && strings.EqualFold(p.parent(), "GATHER")
	}
	return p.isSignature() || strings.EqualFold(p.section, "AGENTS") && len(p.above) == 1
}

func (p slipPlace) renamed(key string) string {
	isSection := p.indent == 0 && !p.text && p.key != "" && (p.key == strings.ToUpper(p.key))
	if key == "" || key == p.key || !p.isProperty() && !isSection || p.isFlowName() {
		return ""
	}
	return p.head() + key + p.line()[p.indent+len(p.key):]
}

// isFlowName reports whether what the key is renamed to would be a name of the author's.
func (p slipPlace) isFlowName() bool {
	return p.dash && p.key == "ELSE" || p.section == "FLOW" && len(p.above) == 1 && p.hasBlock() || p.in("global_digressions", "DIGRESSIONS") && p.key == "INTENT" || p.in("recall") && p.key == "ON"
}

// swapped returns a key with two neighbouring letters swapped.
func swapped(key string) string {
	for i := len(key) / 2; i+1 < len(key); i++ {
		if key[i] != key[i+1] && key[i] != '_' && key[i+1] != '_' {
			return key[:i] + string(key[i+1]) + string(key[i]) + key[i+2:]
		}
	}
	return ""
}

// shortened returns a key without a letter in its middle. Short keys may become others by that.
func shortened(key string) string {
	if len(key) < 5 {
		return ""
	}
	return key[:2] + key[3:]
}

func formSlips() []slip {
	wrong := []string{"syntax-error"}
	return []slip{
		{"colon lost, with a value", sameLine(func(p slipPlace) string {
			if !p.isKeyed() || p.value == "" || p.value == "|" || p.indent == 0 || p.isFree() {
				return ""
			}
			return p.head() + p.key + " " + p.value
		}), append(wrong, "deprecated-spelling"), lostKey},
		{"colon lost, with nothing after it", sameLine(func(p slipPlace) string {
			if !p.isKeyed() || p.value != "" || p.indent == 0 || p.dash || colonlessKeys[strings.ToUpper(p.key)] {
				return ""
			}
			return p.head() + p.key
		}), wrong, append(lostKey, "undefined-agent")},
		{"= for the colon", sameLine(func(p slipPlace) string {
			if !p.isProperty() || p.value == "" || p.value == "|" || p.dash {
				return ""
			}
			return p.head() + p.key + " = " + p.value
		}), wrong, lostKey},
		{"dash lost", sameLine(func(p slipPlace) string {
			if p.text || !p.dash || p.key == "" || p.isProse() || p.in("TESTS", "ON_START", "HOOKS") || p.isOpen() || p.isName() {
				return ""
			}
			return p.line()[:indentOf(p.line())] + p.line()[p.indent:]
		}), []string{"syntax-error"}, append(lostKey, "duplicate-property")},
		{"a line of text among keys", func(p slipPlace) ([]string, []int) {
			if !p.isProperty() || p.dash || p.hasBlock() || p.value == "" || p.value == "|" {
				return nil, nil
			}
			return p.after(p.head() + "whatever comes next"), []int{p.index + 1}
		}, wrong, nil},
		{"a line of text at column 0", func(p slipPlace) ([]string, []int) {
			next, ok := p.next()
			if p.text || !ok || indentOf(next) > 0 || p.value == "|" {
				return nil, nil
			}
			return p.after("whatever comes next"), []int{p.index + 1}
		}, wrong, nil},
		{"a property deeper below a value", func(p slipPlace) ([]string, []int) {
			next, ok := p.next()
			if !p.isProperty() || p.dash || !ok || p.value == "" || p.value == "|" || indentOf(next) != p.indent || !takesNothing(p) || p.index+1 >= len(p.lines) || p.lines[p.index+1] != next {
				return nil, nil
			}
			if m := keyLine.FindStringSubmatch(strings.TrimSpace(next)); m == nil || m[2] == "" || m[2] == "|" {
				return nil, nil
			}
			return p.replacing(p.index+1, p.index+2, "  "+next), []int{p.index + 1}
		}, wrong, lostKey},
		{"a line deeper below an inline list", func(p slipPlace) ([]string, []int) {
			if p.text || p.key == "" || p.dash || !strings.HasPrefix(p.value, "[") || !strings.HasSuffix(p.value, "]") || p.hasBlock() || p.isOpen() && p.in("TESTS") {
				return nil, nil
			}
			return p.after(strings.Repeat(" ", p.indent) + "  - another"), []int{p.index + 1}
		}, wrong, nil},
		{"a property at column 0", sameLine(func(p slipPlace) string {
			if !p.isProperty() || p.dash || p.hasBlock() || p.value == "" || p.value == "|" || p.isOfInlineProfile() || p.key == "RICH_CONTENT" || p.key == "ACTIONS" {
				return ""
			}
			return p.line()[p.indent:]
		}), []string{"syntax-error", "unknown-section", "misplaced-property", "section-case", "removed-section", "duplicate-section", "invalid-value"}, lostKey},
		{"a tool at column 0", sameLine(func(p slipPlace) string {
			if p.text || !p.isSignature() {
				return ""
			}
			return p.line()[p.indent:]
		}), wrong, []string{"undefined-tool"}},
		{"closing quote lost", sameLine(func(p slipPlace) string {
			if !p.isKeyed() || !isString(p.value) {
				return ""
			}
			return strings.TrimSuffix(p.line(), `"`)
		}), wrong, nil},
		{"closing quote of an item lost", sameLine(func(p slipPlace) string {
			if p.text || !p.dash || p.key != "" || !isString(p.line()[p.indent:]) {
				return ""
			}
			return strings.TrimSuffix(p.line(), `"`)
		}), wrong, nil},
		{"closing bracket lost", sameLine(func(p slipPlace) string {
			if !p.isKeyed() || !strings.HasPrefix(p.value, "[") || !strings.HasSuffix(p.value, "]") {
				return ""
			}
			return strings.TrimSuffix(p.line(), "]")
		}), wrong, nil},
		{"closing brace lost", sameLine(func(p slipPlace) string {
			if !p.isKeyed() || !strings.HasPrefix(p.value, "{") || strings.HasPrefix(p.value, "{{") || !strings.HasSuffix(p.value, "}") {
				return ""
			}
			return strings.TrimSuffix(p.line(), "}")
		}), wrong, lostKey},
		{"closing parenthesis of a call lost", sameLine(func(p slipPlace) string {
			if p.text || p.key != "CALL" || !strings.HasSuffix(p.value, ")") {
				return ""
			}
			return strings.TrimSuffix(p.line(), ")")
		}), wrong, []string{"unused-tool"}},
		{"tabs for spaces", func(p slipPlace) ([]string, []int) {
			if p.index > 0 {
				return nil, nil
			}
			lines := slices.Clone(p.lines)
			for i, line := range lines {
				n := indentOf(line)
				lines[i] = strings.Repeat("\t", n/2) + strings.Repeat(" ", n%2) + line[n:]
			}
			return lines, nil
		}, nil, []string{"platform-loss"}},
	}
}

// colonlessKeys are keys that may lose their colon.
var colonlessKeys = setOf("ELSE RESUME COMPLETE RETURN CONTINUE RETRY ESCALATE")

// isKeyed reports whether the line has a key and is no text.
func (p slipPlace) isKeyed() bool {
	return !p.text && p.key != "" && !p.isProse() && p.section != "TESTS" && !p.in("TESTS")
}

func isString(s string) bool {
	return len(s) > 2 && strings.HasPrefix(s, `"`) && strings.HasSuffix(s, `"`) && strings.Count(s, `"`) == 2 && !strings.HasSuffix(s, `\"`)
}

// takesNothing reports whether nothing can be meant below the value.
func takesNothing(p slipPlace) bool {
	more := setOf("RESPOND THEN PRESENT USE_RESULT LOG ON_FAIL ON_FAILURE ELSE")
	return scalars[strings.ToUpper(p.key)] && p.key != "WHEN" && p.key != "TO" && p.key != "AGENT" || isString(p.value) && !more[strings.ToUpper(p.key)]
}

func valueSlips() []slip {
	wrong := []string{"invalid-value"}
	return []slip{
		{"boolean misspelled", sameLine(func(p slipPlace) string {
			if !p.isProperty() || p.value != "true" && p.value != "false" || p.in("set", "on_result") || anyValueKeys[strings.ToUpper(p.key)] {
				return ""
			}
			return p.withValue(swapped(p.value))
		}), wrong, []string{"missing-reasoning", "missing-property", "misplaced-property"}},
		{"boolean in quotes", sameLine(func(p slipPlace) string {
			if !p.isProperty() || p.value != "true" && p.value != "false" || p.in("set", "on_result") || anyValueKeys[strings.ToUpper(p.key)] {
				return ""
			}
			return p.withValue(`"` + p.value + `"`)
		}), wrong, []string{"missing-reasoning", "misplaced-property"}},
		{"text for a number", sameLine(func(p slipPlace) string {
			if !p.isNumber() {
				return ""
			}
			return p.withValue("soon")
		}), wrong, nil},
		{"number in quotes", sameLine(func(p slipPlace) string {
			if !p.isNumber() {
				return ""
			}
			return p.withValue(`"` + p.value + `"`)
		}), wrong, nil},
		{"negative number", sameLine(func(p slipPlace) string {
			if !p.isNumber() || p.value == "0" || p.key == "seed" || strings.HasSuffix(p.key, "_penalty") {
				return ""
			}
			return p.withValue("-" + p.value)
		}), wrong, nil},
		{"number out of its range", sameLine(func(p slipPlace) string {
			if !p.isNumber() || p.key != "temperature" && p.key != "threshold" && p.key != "compaction_threshold" || p.in("TOOLS") {
				return ""
			}
			return p.withValue("1.5")
		}), wrong, nil},
		{"word of a closed set misspelled", sameLine(func(p slipPlace) string {
			if !p.isProperty() || !p.isWord() {
				return ""
			}
			return p.withValue(swapped(p.value))
		}), wrong, lostKey},
		{"word that the closed set lacks", sameLine(func(p slipPlace) string {
			if !p.isProperty() || !p.isWord() {
				return ""
			}
			return p.withValue("wobble")
		}), wrong, lostKey},
		{"placeholder unclosed", sameLine(func(p slipPlace) string {
			i := strings.LastIndex(p.line(), "}}")
			if !p.isKeyed() || i < 0 || !isString(p.value) || strings.Contains(p.line()[i:], "{{") || p.in("body", "body_template") || p.key == "body" || p.key == "body_template" || p.key == "statement" || p.key == "body_schema" {
				return ""
			}
			return p.line()[:i] + p.line()[i+2:]
		}), []string{"template-syntax"}, append(lostKey, "plaintext-secret")},
		{"block helper without its end", sameLine(func(p slipPlace) string {
			if !p.isKeyed() || !isString(p.value) || strings.Count(p.line(), "{{/") != 1 {
				return ""
			}
			return regexp.MustCompile(`\{\{/\w+\}\}`).ReplaceAllString(p.line(), "")
		}), []string{"template-syntax"}, nil},
	}
}

// anyValueKeys are keys with a boolean that may have other values as well.
var anyValueKeys = setOf("default INITIAL DEFAULT_VALUE value RETRY RESUME requiresState REQUIRES_VALIDATION CONTINUE RESUME_INTENT speed ASYNC CORRECTIONS use_audio_cues auto_tts_language_switch SKIP WHEN TERMINATE CHECK IF CONDITION EXIT_WHEN COMPLETE_WHEN ESCALATE COMPLETE RETURN CLEAR_INTERACTION_LANGUAGE")

var numberValue = regexp.MustCompile(`^\d+(\.\d+)?$`)

// isNumber reports whether the value is a number, and only numbers are right.
func (p slipPlace) isNumber() bool {
	numbers := setOf(`timeout retry retry_delay rate_limit timeout_seconds memory_mb temperature top_p top_k max_tokens tool_timeout llm_timeout
		session_idle_timeout max_reasoning_iterations max_flow_iterations max_queue_depth max_concurrent_messages conversation_history_window
		max_retries infer_confidence showFirst showLast extraction_group threshold max_reasks filter_min_length MAX_ATTEMPTS MAX_TURNS max_intents confidence_threshold
		queue_max_age_ms timeout_ms fuzzy_threshold max_file_size_mb compaction_threshold thinking_budget maxSize resetMs voice_latency_target`)
	free := p.in("VOICE") || p.key == "RETRY" && p.section != "ON_ERROR" || p.section == "HANDOFF" || p.section == "DELEGATE"
	return p.isProperty() && numbers[strings.ToUpper(p.key)] && numberValue.MatchString(p.value) && !free
}

// isWord reports whether the value is a word of a closed set.
func (p slipPlace) isWord() bool {
	if len(p.value) < 3 || swapped(p.value) == "" {
		return false
	}
	always := setOf(`method auth runtime latency require pii_access consent connection effect consent_fallback reasoning_effort verbosity concurrency
		prompt_mode sensitive_display pii_type validation_process temporal SCOPE ACCESS RESET kind fix_strategy
		RETRY_BACKOFF EXPERIENCE_MODE inputType LEXICAL_FALLBACK LEVEL protocol on_soap_fault body_type body_mode scope`)
	word := strings.ToUpper(p.key)
	switch {
	case !regexp.MustCompile(`^[A-Za-z_]+$`).MatchString(p.value):
		return false
	case word == "TYPE":
		return p.parent() == "tool" || p.in("GATHER", "ENTITIES") && !p.in("validate", "validation", "FEEDBACK") || p.in("session", "persistent")
	case word == "SOURCE":
		return false
	case word == "AUTH", word == "METHOD":
		return p.in("tool") && p.parent() == "tool"
	case word == "ACTION":
		return p.section == "GUARDRAILS" || p.in("recall")
	case word == "CATEGORY":
		return p.section == "ATTACHMENTS"
	case word == "STRATEGY":
		return p.section == "GATHER" || p.section == "MULTI_INTENT"
	}
	return always[word]
}
