package check

import (
	"encoding/json"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Lines of tools and of single sections that the platform drops, for
// platform-loss.

// splitSignatures finds signatures over several lines.
func splitSignatures(out *findings, e Entry) {
	for i := range e.Tools {
		t := &e.Tools[i]
		gaps := lineBreaksIn(t)
		if len(gaps) == 0 || !bracketInDefaults(t).IsZero() {
			continue
		}
		if _, isFaulty := signatureFault(t.Node); isFaulty { // which invalid-signature reports
			continue
		}
		d := out.info(t.NameNode().Span(), "The platform reads a signature on one line alone: of `%s` it drops what is on the others.", t.Name)
		if fix, ok := joinedSignature(t, gaps); ok {
			d.Fixes = append(d.Fixes, fix)
		}
	}
}

// signatureOf returns all of a tool's signature.
func signatureOf(t *model.ToolDecl) text.Span {
	span := t.NameNode().Span()
	for _, part := range []syntax.Field{syntax.FieldParameters, syntax.FieldReturns} {
		span.End = max(span.End, t.Node.Child(part).Span().End)
	}
	return span
}

var lineBreak = lazyregexp.New(`\s*[\r\n]\s*`)

// lineBreaksIn returns the line breaks in a signature, with the blanks around them.
func lineBreaksIn(t *model.ToolDecl) []text.Span {
	signature := signatureOf(t)
	var gaps []text.Span
	for _, m := range lineBreak.FindAllStringIndex(t.Node.Entry().Text()[signature.Start:signature.End], -1) {
		gaps = append(gaps, text.Span{Start: m[0], End: m[1]}.Shift(signature.Start))
	}
	return gaps
}

// joinedSignature writes a signature on one line, unless it has comments.
func joinedSignature(t *model.ToolDecl, gaps []text.Span) (model.Fix, bool) {
	signature, source := signatureOf(t), t.Node.Entry().Text()
	for n := range t.Node.Preorder() {
		if n.Kind() == syntax.Comment && n.Span().Start < signature.End {
			return model.Fix{}, false
		}
	}
	fix := model.Fix{Title: "Write the signature on one line", Best: true}
	for _, gap := range gaps {
		space := " "
		if strings.IndexByte("([{<", source[gap.Start-1]) >= 0 || strings.IndexByte(")]}>,", source[gap.End]) >= 0 {
			space = ""
		}
		fix.Edits = append(fix.Edits, model.ReplaceEdit(gap, space))
	}
	return fix, true
}

// bracketInDefault finds a closing bracket in the string of a default.
func bracketInDefault(out *findings, e Entry) {
	for i := range e.Tools {
		if t := &e.Tools[i]; !bracketInDefaults(t).IsZero() {
			out.warn(t.NameNode().Span(), "The platform refuses `%s`: the `)` in the default %s ends the list of parameters for it.", t.Name, bracketInDefaults(t).Text())
		}
	}
}

// bracketInDefaults returns the first string in a default of a tool that has a closing bracket.
func bracketInDefaults(t *model.ToolDecl) syntax.Node {
	for _, p := range t.Params {
		for n := range p.Node.Child(syntax.FieldDefault).Preorder() {
			if n.Kind() == syntax.String && strings.Contains(n.Text(), ")") {
				return n
			}
		}
	}
	return syntax.Node{}
}

// malformedHeaders finds `soap_headers` that are no JSON object.
func malformedHeaders(out *findings, e Entry) {
	for i := range e.Tools {
		p, ok := e.Tools[i].Property("soap_headers")
		if ok && !p.IsEmpty() && !mayBeObject(p.Text()) {
			out.warn(p.Key.Span(), "The platform drops `soap_headers` that are no JSON object; write `{\"Name\": \"value\"}`.")
		}
	}
}

// mayBeObject reports whether a text is a JSON object once its placeholders are filled in.
func mayBeObject(s string) bool {
	for _, p := range model.Placeholders(s, false) {
		if p.Span == (text.Span{End: len(s)}) {
			return true
		}
	}
	var object map[string]any
	return json.Unmarshal([]byte(fillPlaceholders(s)), &object) == nil && object != nil
}

// fillPlaceholders returns a text with a digit instead of each placeholder, which is valid as a
// value and within a string.
func fillPlaceholders(s string) string {
	var b strings.Builder
	at := 0
	for _, p := range model.Placeholders(s, false) {
		b.WriteString(s[at:p.Start] + "0")
		at = p.End
	}
	return b.String() + s[at:]
}

// unreadKey is a key of CONVERSATION that the platform does not read from ABL.
type unreadKey struct {
	above, key string
	severity   model.Severity
	message    string
}

var unreadKeys = []unreadKey{
	{"on_caller_backchannel", "max_duration_ms", model.Warning, "The platform ignores `max_duration_ms` here; limit backchannels by `max_words`."},
	{"on_hold", "phrases_by_locale", model.Information, "The platform reads `phrases_by_locale` from agents in YAML only and drops it here; write `phrases`."},
}

// unreadConversation finds these keys in any section with CONVERSATION.
func unreadConversation(out *findings, e Entry) {
	if e.Section != "CONVERSATION" && e.Section != "BEHAVIOR_PROFILE" {
		return
	}
	for n := range e.Root.Preorder() {
		for _, u := range unreadKeys {
			if strings.EqualFold(n.Key(), u.key) && strings.EqualFold(aboveKey(n), u.above) {
				out.add(u.severity, n.KeyNode().Span(), "%s", u.message)
			}
		}
	}
}

// aboveKey returns the key whose block or map contains a pair.
func aboveKey(n syntax.Node) string {
	for above := n.Parent(); !above.IsZero(); above = above.Parent() {
		if key := above.Key(); key != "" {
			return key
		}
	}
	return ""
}

// memoryKeys finds variables that are written as keys of MEMORY.
func memoryKeys(out *findings, e Entry) {
	if e.Section != "MEMORY" || e.Head || e.Root.Kind() != syntax.Pair || !isVariable(e.Root) {
		return
	}
	out.info(e.Root.KeyNode().Span(), "The platform reads the four lists of `MEMORY:` alone and drops the variable `%s`; write it as an item of `session:`.", e.Root.Key())
}

// memoryLists are the keys that MEMORY has.
var memoryLists = []string{"session", "persistent", "remember", "recall", "reads", "writes"}

// isVariable reports whether a line declares a variable: a name with a type or a source below it.
func isVariable(n syntax.Node) bool {
	if model.ContainsFold(memoryLists, n.Key()) || !n.Value().IsZero() && n.Value().Kind() != syntax.Map {
		return false
	}
	for c := range n.Preorder() {
		isKey := c.Parent() == n.Child(syntax.FieldBlock) || c.Parent() == n.Value()
		if isKey && (strings.EqualFold(c.Key(), "type") || strings.EqualFold(c.Key(), "source") && strings.EqualFold(c.Value().UnquotedText(), "session")) {
			return true
		}
	}
	return false
}
