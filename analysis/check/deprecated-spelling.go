package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// deprecatedSpelling: accepted spellings are written as the pages have them. It reports older names
// of keys and words, `yes` and `no`, other markers of a text block than `|`, memory items without
// colons and, in TOOLS, words of a closed set in another casing.
var deprecatedSpelling = Check{
	Code: "deprecated-spelling",
	Tag:  model.Deprecated,
	Entry: func(out *findings, e Entry) {
		if e.Section == "MEMORY" {
			oldMemory(out, e.Root)
		}
		for _, m := range e.Maps {
			oldMap(out, e, m)
			oldFeedback(out, m)
		}
		if e.Section != "TESTS" {
			oldMarkers(out, e.Root)
		}
	},
	File: func(out *findings, f File) {
		for s := range f.Doc.Sections().Named("STEPS") {
			oldSteps(out, s)
		}
		for _, b := range f.behaviors() {
			if b.role.Key.IsZero() {
				out.hint(b.keyword, "`BEHAVIOR` says nothing without `role`; add `role: router`, `orchestrator` or `assistant`.")
			}
		}
	},
}

// numberedStep begins a step of the older form, which is no step below FLOW.
var numberedStep = lazyregexp.New(`^\d+\.`)

func oldSteps(out *findings, s syntax.Section) {
	d := out.hint(keywordOf(s), "`STEPS` is an older spelling of `FLOW`.")
	if !slices.ContainsFunc(s.Entries, func(e syntax.PositionedEntry) bool { return numberedStep.MatchString(e.Root().Text()) }) {
		d.Fixes = append(d.Fixes, model.ReplaceFix("Write `FLOW`", keywordOf(s), "FLOW"))
	}
}

// reportOldSpelling reports a node in an older spelling, with the spelling of today.
func reportOldSpelling(out *findings, n syntax.Node, message, spelling string) {
	at := unquotedSpan(n)
	d := out.hint(at, "%s", message)
	d.Fixes = append(d.Fixes, model.ReplaceFix("Write `"+spelling+"`", at, spelling))
}

// unquotedSpan returns the span of a node without its quotes.
func unquotedSpan(n syntax.Node) text.Span {
	span := n.Span()
	if s := n.Text(); len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		span = text.Span{Start: span.Start + 1, End: span.End - 1}
	}
	return span
}

func oldMap(out *findings, e Entry, m model.Map) {
	for _, p := range m.Properties {
		if p.IsAlias && !isTransfer(e, p) {
			reportOldSpelling(out, p.Key, "`"+p.WrittenName()+"` is an older spelling of `"+p.Name()+"`.", p.Name())
			if r := p.Field.Pattern; r != nil && !r.MatchString(p.Text()) { // under its new name it would be wrong
				(*out)[len(*out)-1].Fixes = nil
			}
		}
		if p.Field != nil && p.Field.Deprecated != "" {
			out.hint(unquotedSpan(p.Key), "`%s` is no longer recommended: %s", p.Name(), p.Field.Deprecated)
		}
		if p.ValueField != nil {
			oldWords(out, e, p)
		}
	}
}

// oldFeedback: a question and its rating are part of a survey of the project today.
func oldFeedback(out *findings, m model.Map) {
	if _, survey := keyOfMap(m, "FEEDBACK_TEMPLATE"); isValueOf(m, "FEEDBACK") && !m.Item && !survey {
		out.hint(reportSpanOf(m), "A `FEEDBACK` that says itself what it asks is no longer recommended; name a survey of the project, `FEEDBACK_TEMPLATE: name`.")
	}
}

// isTransfer reports whether a key is the `default_source` of the built-in call_transfer, which the
// later edition spells so.
func isTransfer(e Entry, p model.Property) bool {
	return len(e.Tools) == 1 && e.Tools[0].Name == "call_transfer" && strings.EqualFold(p.WrittenName(), "default_source")
}

// oldSources are the older names for the source of a look-up table.
var oldSources = map[string]string{"mongodb": "collection", "http": "api"}

// oldWords looks at the words in a property's value.
func oldWords(out *findings, e Entry, p model.Property) {
	word := strings.ToLower(p.Value.UnquotedText())
	switch {
	case p.ValueField.Type == tool.BooleanType && (word == "yes" || word == "no"):
		spelling := map[string]string{"yes": "true", "no": "false"}[word]
		d := out.hint(unquotedSpan(p.Value), "`%s` is an older spelling of `%s`.", p.Value.UnquotedText(), spelling)
		d.Fixes = append(d.Fixes, model.ReplaceFix("Write `"+spelling+"`", p.Value.Span(), spelling)) // without quotes, as booleans are
	case p.ValueField.Type == tool.WordType && e.Section == "LOOKUP_TABLES" && oldSources[word] != "":
		reportOldSpelling(out, p.Value, "`"+word+"` is an older spelling of `"+oldSources[word]+"`.", oldSources[word])
	case e.Section != "TOOLS":
	case p.ValueField.Type == tool.WordType:
		reportCasing(out, p.ValueField.Values, p.Value)
	case p.ValueField.Type == tool.ListType:
		for _, item := range p.Items() {
			reportCasing(out, p.ValueField.Values, item.Value())
		}
	}
}

func reportCasing(out *findings, values []tool.Word, n syntax.Node) {
	if k := n.Kind(); k != syntax.Text && k != syntax.String {
		return
	}
	if w, ok := tool.LookupWord(values, n.UnquotedText()); ok && w.Name != n.UnquotedText() {
		reportOldSpelling(out, n, "`"+n.UnquotedText()+"` is written `"+w.Name+"`.", w.Name)
	}
}

// oldMarkers finds blocks of text that do not begin with `|`.
func oldMarkers(out *findings, root syntax.Node) {
	for n := range root.Preorder() {
		if n.Kind() != syntax.PipeBlock {
			continue
		}
		if marker := n.ChildOf(syntax.Pipe); marker.Text() != "|" && !marker.IsZero() {
			reportOldSpelling(out, marker, "A block of text begins with `|`; `"+marker.Text()+"` is read as the same.", "|")
		}
	}
}

// oldMemory finds items of remember and recall without the colon after their first word.
func oldMemory(out *findings, list syntax.Node) {
	word := map[string]string{"REMEMBER": "WHEN", "RECALL": "ON"}[strings.ToUpper(list.Key())]
	if word == "" {
		return
	}
	for item := range list.BlockChildren() {
		if item.Kind() != syntax.ListItem {
			continue
		}
		for c := range item.BlockChildren() {
			oldItem(out, c, word)
			break
		}
	}
}

// oldItem looks at the first line of an item, which begins with a word.
func oldItem(out *findings, n syntax.Node, word string) {
	if n.Kind() == syntax.Pair && !lacksItsColon(n) || n.Kind() == syntax.Assignment {
		return
	}
	first, _, more := strings.Cut(n.Text(), " ")
	if !more || !strings.EqualFold(first, "WHEN") && !strings.EqualFold(first, "ON") {
		return
	}
	at := text.Span{Start: n.Span().Start, End: n.Span().Start + len(first)}
	d := out.hint(at, "A colon belongs behind `%s`.", first)
	if strings.EqualFold(first, word) { // else it is no key there
		d.Fixes = append(d.Fixes, model.ReplaceFix("Insert the colon", text.Span{Start: at.End, End: at.End}, ":"))
	}
}
