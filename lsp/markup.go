package lsp

import (
	"regexp"

	"go.lsp.dev/protocol"
)

// markup is a text in Markdown, or, for a client that shows none, without it.
func markup(markdown string, plain bool) *protocol.MarkupContent {
	if plain {
		return &protocol.MarkupContent{Kind: protocol.MarkupKindPlainText, Value: withoutMarkup(markdown)}
	}
	return &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: markdown}
}

var (
	fence    = regexp.MustCompile("(?m)^```+\\w*\n?")
	strong   = regexp.MustCompile(`\*\*(\S(?:[^*\n]*\S)?)\*\*`)
	codeSpan = regexp.MustCompile("`+ ?([^`\n]+?) ?`+")
)

// withoutMarkup takes away what analysis marks: fences, code spans and what is
// strong.
func withoutMarkup(markdown string) string {
	for _, mark := range []*regexp.Regexp{fence, strong, codeSpan} {
		markdown = mark.ReplaceAllString(markdown, "$1")
	}
	return markdown
}
