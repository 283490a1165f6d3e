package analysis

import (
	"fmt"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/describe"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/sqltext"
)

// hoverPasted documents a template parameter, at its declaration and where the statement pastes it.
func hoverPasted(w model.Workspace, c model.Cursor) (Hover, bool) {
	for _, t := range c.File.Tools {
		if t.Kind() != tool.KindSQL || !t.Span().Touches(c.Offset) {
			continue
		}
		at, ok := pastedAt(t, c.Offset)
		if !ok {
			continue
		}
		text := pastedMarkdown(w, model.ScopedTool{PositionedTool: t, File: c.File}, c.File.Doc.Text()[at.Start:at.End])
		return Hover{at, text}, text != ""
	}
	return Hover{}, false
}

// pastedAt returns the name of a template parameter at an offset.
func pastedAt(t model.PositionedTool, offset int) (text.Span, bool) {
	block, _ := t.Property("template_parameters")
	for _, p := range block.Properties() {
		if at := p.Key.Span().Shift(t.Offset); at.Touches(offset) {
			return at, true
		}
	}
	statement, _ := t.Property("statement")
	body := statement.Value.EmbeddedText()
	for _, in := range model.BracedPattern.FindAllStringIndex(body.Text, -1) {
		placeholder := body.Text[in[0]:in[1]]
		if name, _, ok := sqltext.TemplatePlaceholder(placeholder); ok {
			start := in[0] + strings.LastIndex(placeholder, name)
			at := body.Span(text.Span{Start: start, End: start + len(name)}).Shift(t.Offset)
			if at.Touches(offset) {
				return at, true
			}
		}
	}
	return text.Span{}, false
}

// pastedMarkdown documents a template parameter; "" if the tool has none of that name.
func pastedMarkdown(w model.Workspace, s model.ScopedTool, name string) string {
	lowered := model.LowerTool(w, s.File.Path, s).Tool
	sql, ok := lowered.Spec.(*tool.SQL)
	if !ok {
		return ""
	}
	for _, p := range sql.Templates() {
		if p.Name == name {
			text := fmt.Sprintf("Template parameter of `%s`, %s. It is pasted into the statement %s.", lowered.Name, describe.RequirednessOf(p), pastedNote(p))
			return describe.Paragraphs(describe.Fenced(p.String()), p.Description, text)
		}
	}
	return ""
}

// pastedNote says what of a template parameter is pasted into the statement.
func pastedNote(p tool.Param) string {
	quoted := map[string]string{
		"single-quotes":   "in quotes, `'…'`: one inside is doubled",
		"double-quotes":   "in quotes, `\"…\"`: one inside is doubled",
		"backticks":       "in backticks: one inside is doubled",
		"square-brackets": "in brackets, `[…]`: a `]` inside is refused",
	}
	if how := quoted[p.Escape]; how != "" {
		return how
	}
	return "as it is"
}
