package check

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// variant is another way to write the same text: line by line, so that the places of the findings
// are known.
type variant struct {
	name  string
	write func(r *rand.Rand, lines []styledLine) []styledLine
	end   string // of lines; "" for the file's own
}

// styledLine is a line that is made from an original one.
type styledLine struct {
	text string
	from int
	kind lineKind
}

// lineKind says what may be done to a line.
type lineKind int

const (
	codeLine  lineKind = iota
	blockText          // the text of a pipe block, where nothing may come between
	wrapped            // inside brackets of lines above
	looseText          // of a section or a key that holds any text
)

// finding is a diagnostic at a line of the original.
type finding struct {
	file    string
	line    int
	summary string // severity and code
}

func variants() []variant {
	return []variant{
		{name: "CRLF", write: asIs, end: "\r\n"},
		{name: "wide", write: eachLine(widen)},
		{name: "tabs", write: eachLine(tabs)},
		{name: "comments", write: spread},
		{name: "trailing comments", write: eachLine(commented)},
		{name: "upper keys", write: eachLine(recase(strings.ToUpper))},
		{name: "lower keys", write: eachLine(recase(strings.ToLower))},
		{name: "quoted words", write: eachLine(quote)},
		{name: "bare strings", write: eachLine(unquote)},
		{name: "pipes", write: pipes},
		{name: "colons in SET", write: eachLine(colons)},
		{name: "block lists", write: blockLists},
		{name: "trailing blanks", write: eachLine(func(l styledLine) string { return l.text + " \t" })},
	}
}

// TestCorpusVariants writes every project in other ways that the language allows, one by one and
// combined: the findings are the same, except those about spellings.
func TestCorpusVariants(t *testing.T) {
	for _, p := range projects(t) {
		want := p.findings(p, nil)
		check := func(name string, vs ...variant) {
			t.Run(filepath.Base(p.dir)+"/"+name, func(t *testing.T) {
				other, origin := p.written(vs)
				got := p.findings(other, origin)
				report(t, "found only in the variant", minus(got, want), p)
				report(t, "not found in the variant", minus(want, got), p)
			})
		}
		all := variants()
		for _, v := range all {
			check(v.name, v)
		}
		for i := 0; i < len(all) && !testing.Short(); i += 4 {
			check("all after "+all[i].name, slices.Concat(all[i:], all[:i])...)
		}
	}
}

// written returns the project after several variants, and for each line of its files the original
// one.
func (p project) written(vs []variant) (project, map[string][]int) {
	r := rand.New(rand.NewPCG(9, 10))
	other := project{dir: p.dir, names: p.names, texts: maps.Clone(p.texts)}
	origin := map[string][]int{}
	for _, v := range vs {
		for _, name := range p.names {
			if model.IsYAMLAgentText(name, other.texts[name]) {
				continue // another language
			}
			source, from := v.apply(r, name, other.texts[name])
			for i, line := range from {
				if before, ok := origin[name]; ok {
					from[i] = before[line]
				}
			}
			other.texts[name], origin[name] = source, from
		}
	}
	return other, origin
}

func report(t *testing.T, what string, found []finding, p project) {
	t.Helper()
	for _, f := range found {
		lines := strings.Split(p.texts[f.file], "\n")
		t.Errorf("%s: %s:%d: %s: %s", what, f.file, f.line+1, f.summary, lines[f.line])
	}
}

// minus returns the findings of a that b does not have, as often as they occur. It ignores findings
// about spellings, about comments after a value, and about what the platform drops, which depends
// on the layout.
func minus(a, b []finding) []finding {
	left := slices.Clone(b)
	var out []finding
	for _, f := range a {
		if strings.HasSuffix(f.summary, " deprecated-spelling") || strings.HasSuffix(f.summary, " trailing-comment") || strings.HasSuffix(f.summary, " platform-loss") {
			continue
		}
		if i := slices.Index(left, f); i >= 0 {
			left = slices.Delete(left, i, i+1)
		} else {
			out = append(out, f)
		}
	}
	return out
}

// findings returns the findings of a variant, at the lines of the original.
func (p project) findings(of project, origin map[string][]int) []finding {
	w := of.workspace()
	var out []finding
	for _, name := range of.names {
		in := w.File(of.path(name)).Positions()
		for _, d := range Run(context.Background(), w, of.path(name), Options{}) {
			line := in.Line(d.Span)
			if origin[name] != nil {
				line = origin[name][line]
			}
			out = append(out, finding{name, line, fmt.Sprint(d.Severity, " ", d.Code)})
		}
	}
	return out
}

// apply returns the text of a variant, and for each of its lines the original one.
func (v variant) apply(r *rand.Rand, name, source string) (string, []int) {
	end := v.end
	if end == "" {
		end = "\n"
	}
	if strings.Contains(source, "\r\n") {
		end = "\r\n"
		source = strings.ReplaceAll(source, end, "\n")
	}
	lines := styledLines(source)
	if !strings.HasSuffix(name, ".yaml") {
		lines = v.write(r, lines)
	}
	texts, origin := make([]string, len(lines)), make([]int, len(lines))
	for i, l := range lines {
		texts[i], origin[i] = l.text, l.from
	}
	return strings.Join(texts, end), origin
}

var (
	opensBlock = regexp.MustCompile(`^(\s*)(?:- )?[\w."-]+:[ \t]+[|>][-+]?[ \t]*(?:#.*)?$`)
	opensText  = regexp.MustCompile(`^(\s*)(?:GOAL|PERSONA|description|endpoint|TESTS):\s*$`)
	allBut     = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
)

// styledLines returns the kind of each line of a text, precise enough for the corpus.
func styledLines(source string) []styledLine {
	var out []styledLine
	block, kind, open := -1, codeLine, 0
	for i, s := range strings.Split(source, "\n") {
		l := styledLine{text: s, from: i}
		indent := len(s) - len(strings.TrimLeft(s, " \t"))
		blank := strings.TrimSpace(s) == ""
		if block >= 0 && (blank || indent > block) {
			l.kind = kind
			out = append(out, l)
			continue
		}
		block = -1
		if open > 0 {
			l.kind = wrapped
		}
		if m := opensBlock.FindStringSubmatch(s); m != nil {
			block, kind = len(m[1]), blockText
		} else if m := opensText.FindStringSubmatch(s); m != nil {
			block, kind = len(m[1]), looseText
		} else if !isComment(s) {
			unquoted := allBut.ReplaceAllString(s, "")
			open = max(0, open+strings.Count(unquoted, "[")+strings.Count(unquoted, "{")+strings.Count(unquoted, "(")-
				strings.Count(unquoted, "]")-strings.Count(unquoted, "}")-strings.Count(unquoted, ")"))
		}
		out = append(out, l)
	}
	return out
}

func isComment(s string) bool {
	s = strings.TrimSpace(s)
	return strings.HasPrefix(s, "#") || strings.HasPrefix(s, "//") || strings.HasPrefix(s, "/*") || strings.HasSuffix(s, "*/")
}

func asIs(_ *rand.Rand, lines []styledLine) []styledLine { return lines }

// eachLine rewrites the lines that are neither text nor comments.
func eachLine(write func(styledLine) string) func(*rand.Rand, []styledLine) []styledLine {
	return func(_ *rand.Rand, lines []styledLine) []styledLine {
		for i, l := range lines {
			lines[i].text = write(l)
		}
		return lines
	}
}

var leading = regexp.MustCompile(`^( *)((?:- +)*)`)

// widen doubles the indentation, also after a dash.
func widen(l styledLine) string {
	m := leading.FindStringSubmatch(l.text)
	rest := l.text[len(m[0]):]
	if l.kind == blockText || l.kind == looseText {
		return m[1] + m[1] + m[2] + rest
	}
	return m[1] + m[1] + strings.ReplaceAll(m[2]+m[2], " -", "  ") + rest
}

// tabs writes a level of two spaces as a tab, which is four columns wide.
func tabs(l styledLine) string {
	wide := widen(l)
	rest := strings.TrimLeft(wide, " ")
	columns := len(wide) - len(rest)
	return strings.Repeat("\t", columns/4) + strings.Repeat(" ", columns%4) + rest
}

// commented adds a comment after a line.
func commented(l styledLine) string {
	unquoted := allBut.ReplaceAllString(l.text, "")
	if l.kind != codeLine || strings.TrimSpace(unquoted) == "" || isComment(l.text) ||
		strings.ContainsAny(unquoted, "[](){}\"'#") {
		return l.text
	}
	return l.text + "  # note: \"[{ |"
}

var quotedText = regexp.MustCompile(`^([ \t]*(?:- )?)((?i:description|prompt|message|respond|goal|persona|reason|instruction|purpose|on_fail|retry_prompt): )"([A-Za-z][^"\\]*)"$`)

// unquote writes a text without its quotes.
func unquote(l styledLine) string {
	m := quotedText.FindStringSubmatch(l.text)
	if m == nil || l.kind != codeLine || strings.Contains(m[3], " #") {
		return l.text
	}
	return m[1] + m[2] + m[3]
}

// pipes writes a text as a pipe block.
func pipes(_ *rand.Rand, lines []styledLine) []styledLine {
	var out []styledLine
	for _, l := range lines {
		m := quotedText.FindStringSubmatch(l.text)
		if m == nil || l.kind != codeLine || strings.EqualFold(m[2], "on_fail: ") {
			out = append(out, l)
			continue
		}
		indent := strings.Repeat(" ", len(m[1])+2)
		if strings.Contains(m[1], "\t") {
			indent = m[1] + "\t"
		}
		out = append(out, styledLine{text: m[1] + m[2] + "|", from: l.from}, styledLine{text: indent + m[3], from: l.from})
	}
	return out
}

var assigned = regexp.MustCompile(`^([ \t]+[A-Za-z_][\w.]*) = (.*)$`)

// colons writes assignments with the other sign.
func colons(l styledLine) string {
	if l.kind != codeLine {
		return l.text
	}
	return assigned.ReplaceAllString(l.text, "$1: $2")
}

// spread puts blank lines and comments, however indented, between lines.
func spread(r *rand.Rand, lines []styledLine) []styledLine {
	var out []styledLine
	ignoring := false
	for i, l := range lines {
		if i > 0 && !ignoring && l.kind != blockText && l.kind != looseText && !inComment(lines, i) {
			indent := strings.Repeat(" ", r.IntN(12))
			if lines[i-1].kind != codeLine {
				indent = "" // deeper, it would be text of the block above
			}
			for range r.IntN(3) {
				out = append(out, styledLine{text: []string{"", indent + "# note: \"[{ |", indent, indent + "#"}[r.IntN(4)], from: l.from})
			}
		}
		ignoring = strings.Contains(l.text, "abl:ignore")
		out = append(out, l)
	}
	return out
}

// inComment reports whether a line goes on with a comment of several lines.
func inComment(lines []styledLine, at int) bool {
	for i := at - 1; i >= 0; i-- {
		if strings.Contains(lines[i].text, "*/") {
			return false
		}
		if strings.HasPrefix(strings.TrimSpace(lines[i].text), "/*") {
			return true
		}
	}
	return false
}

var keyed2 = regexp.MustCompile(`^([ \t]+(?:- +)?)([A-Za-z_]+)(:(?:[ \t].*)?)$`)

// recase writes known keys in another casing. A key of a section's first level with nothing after
// it is a field, a step or a rule with a name of its own.
func recase(to func(string) string) func(styledLine) string {
	return func(l styledLine) string {
		m := keyed2.FindStringSubmatch(l.text)
		if m == nil || l.kind != codeLine || len(m[1]) == 2 && m[3] == ":" || !slices.Contains(knownKeys, strings.ToLower(m[2])) {
			return l.text
		}
		return m[1] + to(m[2]) + m[3]
	}
}

// knownKeys are keys of the language that no project has for a name of its own.
var knownKeys = strings.Fields(`
	access action activation add after allowed_types available_tools auth_config base_url body_template
	body_type branches cacheable callback_url_field category char check circuit_breaker clear
	complete_when condition context context_access corrections critical default_language
	depends_on digressions do endpoint entities examples exit_when expect_return experience_mode
	extraction_hints fields filter filter_min_length formats gather global_digressions goto handler headers
	hide hints html if immutable_params index_id infer infer_confidence input_schema into intent keywords
	latency llm_check log map markdown mask_config max_attempts max_reasks max_turns memory_mb
	message_key method mutation on_action on_error on_exhausted on_fail on_failure on_input on_result
	on_return on_start on_success operations patterns pii_access pii_type prefer process prompt
	prompt_mode provider purpose query_params reasoning recall remember render_id request_variants required
	reset resetms resume respond retry retry_backoff retry_delay retry_policy returns runtime
	satisfied_by scope semantics sensitive sensitive_display server server_tool session side_effects
	sort_by statement store store_result streaming sub_intents then threshold timeout_seconds
	to transform triggers ttl use_result validate verify voice_id when with workflow_id write writes`)

var word = regexp.MustCompile(`^([ \t]+(?:- )?(?i:type|method|auth|runtime|latency|kind|scope|access|reset|severity|jitter|body_type|category|provider|server|render|source|pii_access|pii_type|experience_mode|prompt_mode|sensitive_display):[ \t]+)(\w+)$`)

// quote puts a word between quotes.
func quote(l styledLine) string {
	if l.kind != codeLine {
		return l.text
	}
	return word.ReplaceAllString(l.text, `$1"$2"`)
}

var inlineList = regexp.MustCompile(`^([ \t]+)(- )?([A-Za-z_]+:) \[([\w ,.]*\w[\w ,.]*)\]$`)

// blockLists writes a list in brackets as one of lines.
func blockLists(_ *rand.Rand, lines []styledLine) []styledLine {
	var out []styledLine
	for _, l := range lines {
		m := inlineList.FindStringSubmatch(l.text)
		if m == nil || l.kind != codeLine {
			out = append(out, l)
			continue
		}
		out = append(out, styledLine{text: m[1] + m[2] + m[3], from: l.from})
		for item := range strings.SplitSeq(m[4], ",") {
			text := m[1] + strings.Repeat(" ", len(m[2])) + "  - " + strings.TrimSpace(item)
			out = append(out, styledLine{text: text, from: l.from})
		}
	}
	return out
}
