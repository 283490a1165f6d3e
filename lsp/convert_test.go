package lsp

import (
	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// span is what a range of an answer means in the text.
func (c converter) span(r protocol.Range) text.Span {
	start, end := c.offset(r.Start), c.offset(r.End)
	return text.Span{Start: min(start, end), End: max(start, end)}
}
