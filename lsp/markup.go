package lsp

import (
	"regexp"
	"strings"

	"go.lsp.dev/protocol"
)

// markup is a text in Markdown, or, for a client that shows none, without it. It
// holds no images: an editor would fetch them from wherever a description says,
// though nobody trusts the workspace yet.
func markup(markdown string, plain bool) *protocol.MarkupContent {
	if plain {
		return &protocol.MarkupContent{Kind: protocol.MarkupKindPlainText, Value: withoutMarkup(markdown)}
	}
	return &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: strings.ReplaceAll(markdown, "![", "! [")}
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
