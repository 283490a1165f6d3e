package check_test

import (
	"regexp"
	"slices"
	"strings"
)

// slipPlace is one line of a file with its surroundings. It is read without the parser, so that
// mutation tests do not trust what they test.
type slipPlace struct {
	lines   []string
	index   int
	section string   // the keyword above, "" between sections; on a section's own line its keyword
	above   []string // keys whose blocks contain the line, the section's first; names of tools as well
	indent  int      // of the text, without a dash
	dash    bool
	key     string // "" without one
	value   string
	text    bool // in a pipe block, blank, a comment, or continued from the line above
	plain   bool // of a file whose kind follows from its sections
	library bool
	profile bool
}

var keyLine = regexp.MustCompile(`^([A-Za-z_][\w.-]*|USE BEHAVIOR_PROFILE):(?:[ \t]+(.*))?$`)

type openKey struct {
	indent int
	key    string
}

// placesOf reads all lines of a file.
func placesOf(name, source string) []slipPlace {
	lines := strings.Split(strings.TrimSuffix(source, "\n"), "\n")
	out := make([]slipPlace, len(lines))
	var open []openKey
	section, pipe, brackets := "", -1, 0
	for i, line := range lines {
		p := slipPlace{lines: lines, index: i, plain: strings.Count(name, ".") == 1, library: strings.HasSuffix(name, ".tools.abl"), profile: strings.HasSuffix(name, ".behavior_profile.abl")}
		body := strings.TrimLeft(line, " ")
		outer := len(line) - len(body)
		p.indent = outer
		if rest, ok := strings.CutPrefix(body, "- "); ok {
			body, p.dash = strings.TrimLeft(rest, " "), true
			p.indent = len(line) - len(body)
		}
		switch {
		case strings.HasPrefix(body, "->"):
			p.text, p.section, p.above = true, section, keysOf(open)
			brackets = depth(body)
			out[i] = p
			continue
		case body == "", pipe >= 0 && outer > pipe, strings.HasPrefix(body, "#"), strings.HasPrefix(body, "//"), strings.HasPrefix(body, "/*"), brackets > 0:
			p.text = true
			if brackets > 0 {
				brackets += depth(body)
			}
			p.section, p.above = section, keysOf(open)
			out[i] = p
			continue
		}
		pipe = -1
		for len(open) > 0 && open[len(open)-1].indent >= outer {
			open = open[:len(open)-1]
		}
		if m := keyLine.FindStringSubmatch(body); m != nil {
			p.key, p.value = m[1], m[2]
		}
		if p.indent == 0 {
			section = p.key
		}
		p.section, p.above = section, keysOf(open)
		switch {
		case p.key != "":
			open = append(open, openKey{p.indent, p.key})
		case p.isSignature():
			open = append(open, openKey{p.indent, "tool"})
			brackets = depth(body)
		}
		if slices.Contains([]string{"|", ">", "|-", "|+"}, strings.TrimSpace(p.value)) {
			pipe = outer
		}
		out[i] = p
	}
	return out
}

func depth(s string) int {
	return strings.Count(s, "(") + strings.Count(s, "{") + strings.Count(s, "[") - strings.Count(s, ")") - strings.Count(s, "}") - strings.Count(s, "]")
}

// keysOf returns the end of a message: the keys that a place has.
func keysOf(open []openKey) []string {
	keys := make([]string, len(open))
	for i, o := range open {
		keys[i] = o.key
	}
	return keys
}

func (p slipPlace) line() string { return p.lines[p.index] }

// next returns the first line below that is no text; ok is false at the end.
func (p slipPlace) next() (line string, ok bool) {
	for _, line := range p.lines[p.index+1:] {
		if s := strings.TrimSpace(line); s != "" && !strings.HasPrefix(s, "#") {
			return line, true
		}
	}
	return "", false
}

// hasBlock reports whether deeper lines are below the line.
func (p slipPlace) hasBlock() bool {
	next, ok := p.next()
	return ok && indentOf(next) > p.indent
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// end returns the index of the first line after the block of the line.
func (p slipPlace) end() int {
	i := p.index + 1
	for ; i < len(p.lines); i++ {
		if line := p.lines[i]; strings.TrimSpace(line) != "" && indentOf(line) <= indentOf(p.line()) {
			break
		}
	}
	return i
}

func (p slipPlace) isSignature() bool {
	paren := strings.Index(p.line(), "(")
	colon := strings.Index(p.line(), ":")
	inTools := slices.Equal(p.above, []string{"TOOLS"}) || slices.Equal(p.above, []string{"TOOLS", "ADD"})
	return inTools && !p.dash && paren > 0 && (colon < 0 || paren < colon)
}

// in reports whether the line is below one of these keys, in any case.
func (p slipPlace) in(keys ...string) bool {
	return slices.ContainsFunc(p.above, func(above string) bool {
		return slices.ContainsFunc(keys, func(key string) bool { return strings.EqualFold(above, key) })
	})
}

// parent returns the key that the line is directly below.
func (p slipPlace) parent() string {
	if len(p.above) == 0 {
		return ""
	}
	return p.above[len(p.above)-1]
}

// isOpen reports whether the keys next to the line are the author's, or unpublished.
func (p slipPlace) isOpen() bool {
	sections := []string{"MESSAGES", "RESPONSE", "TRANSFER_FLOW_POLICIES", "TESTS", "STATE", "POLICIES", "COMMUNICATION"}
	return slices.Contains(sections, p.section) || p.section == "STEPS" || p.profile && p.section == "FLOW" ||
		p.in("WITH", "SET", "MAP", "headers", "query_params", "custom_headers", "param_mapping", "pipeline", "compaction", "models", "routing",
			"embeddings", "language_models", "evaluation", "RENDERABLES", "REMOTE", "severity_actions", "parameters", "params", "SYNONYMS",
			"returns", "values", "metadata", "provider_config", "INPUT", "PASS", "result", "RESULT_SECRETS", "env",
			"CAROUSEL", "QUICK_REPLIES", "LIST", "IMAGE", "VIDEO", "AUDIO", "FILE", "KPI", "TABLE", "CHART", "FORM", "PROGRESS", "FEEDBACK",
			"guidance", "failure_recovery", "adaptation", "phrases_by_locale", "glossary", "grant_memory", "ACTIONS",
			"template_parameters", "permissions", "props", "verify", "revert", "input_schema", "args", "subtypes", "default") ||
		p.below("HANDOFF", "DELEGATE", "ESCALATE") || p.profile && p.in("CONFIRMATION", "SKIP") ||
		p.section == "EXECUTION" && p.in("voice")
}

// below reports whether the line is below one of these keys in an action, whose content is
// unpublished.
func (p slipPlace) below(keys ...string) bool {
	return len(p.above) > 1 && slices.ContainsFunc(p.above[1:], func(above string) bool { return slices.Contains(keys, above) })
}

// isOfInlineProfile reports whether the line belongs to a profile in an agent, and may as well
// be at column 0.
func (p slipPlace) isOfInlineProfile() bool {
	return p.section == "BEHAVIOR_PROFILE" && len(p.above) == 1
}

// isProse reports whether the line is part of a text that is no pipe block.
func (p slipPlace) isProse() bool {
	return slices.Contains([]string{"GOAL", "PERSONA", "INSTRUCTIONS", "SYSTEM_PROMPT", "DESCRIPTION", "LIMITATIONS"}, p.section) && p.indent > 0
}

// with returns the file with the line replaced, and the following lines as well if several are
// given.
func (p slipPlace) with(line ...string) []string {
	return p.replacing(p.index, p.index+1, line...)
}

func (p slipPlace) replacing(from, to int, lines ...string) []string {
	return slices.Concat(p.lines[:from], lines, p.lines[to:])
}

// after returns the file with lines added below the line.
func (p slipPlace) after(lines ...string) []string {
	return p.replacing(p.index+1, p.index+1, lines...)
}

// without returns the file without the line and its block.
func (p slipPlace) without() []string { return p.replacing(p.index, p.end()) }

// head returns the text before the key, with a dash.
func (p slipPlace) head() string { return p.line()[:p.indent] }

// withValue returns the line with another value after the key's colon.
func (p slipPlace) withValue(value string) string { return p.head() + p.key + ": " + value }

// isFree reports whether the place of the line may have a text: the language lists no keys for
// transfer policies, for changes to a flow, for the actions of a rule of ROUTING, and for what a
// transfer gives its provider.
func (p slipPlace) isFree() bool {
	return p.section == "TRANSFER_FLOW_POLICIES" || p.profile && p.section == "FLOW" || p.in("INTENT_MATCH", "provider_config", "parameters", "params")
}
