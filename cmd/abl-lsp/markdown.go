package main

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// Marks in a line of Markdown.
var (
	markdownLink    = lazyregexp.New(`\[([^\]]*)\]\([^)]*\)`)
	markdownStrong  = lazyregexp.New(`(?s)\*\*([^*]+)\*\*`)
	markdownCode    = lazyregexp.New("(?s)`[^`]+`")
	markdownListing = lazyregexp.New(`^\s*(?:[-*]|\d+\.)\s+`)
	markdownComment = lazyregexp.New(`(?s)<!--.*?-->\n?`)
)

// paintMarkdown returns Markdown for people at a terminal: paragraphs and lists fill at most
// the given number of columns, headings and code are painted, links and comments are left out. Code blocks
// and tables keep their lines.
func (w textWriter) paintMarkdown(text string, most int) string {
	var out, paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			out = append(out, w.paintParagraph(strings.Join(paragraph, " "), most))
		}
		paragraph = nil
	}
	inBlock := false
	for line := range strings.Lines(markdownComment.ReplaceAllString(text, "")) {
		line = strings.TrimRight(line, "\n")
		isFence := strings.HasPrefix(strings.TrimSpace(line), "```")
		switch {
		case isFence:
			flush()
			inBlock = !inBlock
		case inBlock:
			out = append(out, "    "+w.paint(cyan, line))
		case line == "" || strings.HasPrefix(line, "|"):
			flush()
			out = append(out, w.escape(line))
		case strings.HasPrefix(line, "#"):
			flush()
			out = append(out, w.paint(bold, withoutLinks(strings.TrimLeft(line, "# "))))
		case markdownListing.MatchString(line):
			flush()
			paragraph = []string{line}
		default:
			paragraph = append(paragraph, strings.TrimSpace(line))
		}
	}
	flush()
	return strings.TrimRight(strings.Join(out, "\n"), "\n") + "\n"
}

// withoutLinks returns a line without the addresses of its links.
func withoutLinks(line string) string {
	return markdownLink.ReplaceAllString(line, "$1")
}

// paintParagraph returns a paragraph, or an item of a list, in lines of the given number of
// columns.
func (w textWriter) paintParagraph(text string, most int) string {
	bullet := markdownListing.FindString(text)
	indent := strings.Repeat(" ", len(bullet))
	wrapped := wrapText(withoutLinks(w.escape(text[len(bullet):])), most-len(bullet))
	wrapped = bullet + strings.ReplaceAll(wrapped, "\n", "\n"+indent)
	if !w.coloured {
		return markdownStrong.ReplaceAllString(wrapped, "$1")
	}
	wrapped = markdownStrong.ReplaceAllStringFunc(wrapped, func(strong string) string { return textWriter{coloured: true}.paint(bold, strings.Trim(strong, "*")) })
	return markdownCode.ReplaceAllStringFunc(wrapped, func(code string) string { return textWriter{coloured: true}.paint(cyan, strings.Trim(code, "`")) })
}

// wrapText breaks a text between words, so that its lines take at most the given number of
// columns where words are not longer.
func wrapText(text string, most int) string {
	var b strings.Builder
	used := 0
	for i, word := range strings.Fields(text) {
		switch width := columns(word); {
		case i == 0:
			used = width
		case used+1+width > most:
			b.WriteByte('\n')
			used = width
		default:
			b.WriteByte(' ')
			used += 1 + width
		}
		b.WriteString(word)
	}
	return b.String()
}
