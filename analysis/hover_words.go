package analysis

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// hoverWord describes a word of the language itself: an operator, a helper of
// templates, what a transition leads to beside a step.
func hoverWord(c cursor) (Hover, bool) {
	n := c.node()
	name := strings.Join(strings.Fields(n.Text()), " ")
	var word tool.Word
	var ok bool
	switch {
	case n.Kind() == syntax.Operator:
		word, ok = lookupOperator(name)
	case n.Kind() == syntax.Keyword && n.Parent().Kind() == syntax.BlockHelper, n.Kind() == syntax.Path && strings.HasPrefix(n.Text(), "@"):
		word, ok = tool.LookupWord(helperWords, name)
	default:
		return hoverTarget(c)
	}
	return wordHover(n.Span(), word), ok
}

func wordHover(span text.Span, w tool.Word) Hover {
	return Hover{span, "**" + w.Name + "**\n\n" + w.Doc}
}

// hoverTarget describes a word that a transition may have in place of a step.
func hoverTarget(c cursor) (Hover, bool) {
	path := propertiesAround(c)
	if len(path) == 0 {
		return Hover{}, false
	}
	p := path[len(path)-1]
	if p.Field == nil || p.Field.Ref != tool.RefStep && p.Field.Name != "ON_FAIL" {
		return Hover{}, false
	}
	at := bare(p.Value)
	name, _, _ := strings.Cut(at.text, " ")
	span := at.span.Shift(c.entry.Offset)
	span.End = span.Start + len(name)
	w, ok := tool.LookupWord(slices.Concat(targetWords(p.Field), failWords), name)
	return wordHover(span, w), ok && w.Name == name && span.Touches(c.offset)
}
