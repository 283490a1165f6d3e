package analysis

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// hoverWord describes a word of the language itself: an operator, a helper of templates, a word
// that a transition may have instead of a step.
func hoverWord(c model.Cursor) (Hover, bool) {
	n := c.Node()
	name := strings.Join(strings.Fields(n.Text()), " ")
	var word tool.Word
	var ok bool
	switch {
	case n.Kind() == syntax.Operator:
		word, ok = model.LookupOperator(name)
	case n.Kind() == syntax.Keyword && n.Parent().Kind() == syntax.BlockHelper, n.Kind() == syntax.Path && strings.HasPrefix(n.Text(), "@"):
		word, ok = tool.LookupWord(model.HelperWords, name)
	default:
		return hoverTarget(c)
	}
	return wordHover(n.Span(), word), ok
}

func wordHover(span text.Span, w tool.Word) Hover {
	return Hover{span, "**" + w.Name + "**\n\n" + w.Doc}
}

// hoverTarget describes a word that a transition may have instead of a step.
func hoverTarget(c model.Cursor) (Hover, bool) {
	path := cursor.PropertiesAround(c)
	if len(path) == 0 {
		return Hover{}, false
	}
	p := path[len(path)-1]
	if p.Field == nil || p.Field.Ref != tool.RefStep && p.Field.Name != "ON_FAIL" {
		return Hover{}, false
	}
	at := model.UnquotedWord(p.Value)
	name, _, _ := strings.Cut(at.Text, " ")
	span := at.Span.Shift(c.Entry.Offset)
	span.End = span.Start + len(name)
	w, ok := tool.LookupWord(slices.Concat(model.FlowTargetWords(p.Field), model.FailWords), name)
	return wordHover(span, w), ok && w.Name == name && span.Touches(c.Offset)
}
