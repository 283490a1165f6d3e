package lsp

import (
	"strings"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// markup is a text in Markdown, or without it for a client that prefers plain text. It
// holds no images: an editor would fetch them from wherever a description says,
// though nobody trusts the workspace yet.
func markup(markdown string, formats markupFormats) *protocol.MarkupContent {
	if len(formats) > 0 && formats[0] == string(protocol.MarkupKindPlainText) {
		return &protocol.MarkupContent{Kind: protocol.MarkupKindPlainText, Value: plainText(markdown)}
	}
	return &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: strings.ReplaceAll(markdown, "![", "! [")}
}

var (
	fence    = lazyregexp.New("(?m)^```+\\w*\n?")
	strong   = lazyregexp.New(`\*\*(\S(?:[^*\n]*\S)?)\*\*`)
	codeSpan = lazyregexp.New("`+ ?([^`\n]+?) ?`+")
)

// plainText takes away what analysis marks: fences, code spans and what is
// strong.
func plainText(markdown string) string {
	for _, mark := range []*lazyregexp.Regexp{fence, strong, codeSpan} {
		markdown = mark.ReplaceAllString(markdown, "$1")
	}
	return markdown
}
