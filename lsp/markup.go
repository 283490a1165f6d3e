package lsp

import (
	"strings"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// markup returns a text in Markdown, or as plain text for a client that prefers it. It
// has no images: an editor would fetch them from wherever a description says, even if the
// workspace is not trusted.
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

// plainText removes the markup that analysis uses: fences, code spans and strong text.
func plainText(markdown string) string {
	for _, mark := range []*lazyregexp.Regexp{fence, strong, codeSpan} {
		markdown = mark.ReplaceAllString(markdown, "$1")
	}
	return markdown
}
