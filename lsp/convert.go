package lsp

import (
	"context"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis/convert"
)

// convertArgument is the argument of abl.convert.
type convertArgument struct {
	fileArgument
	To    string `json:"to"`
	Lossy bool   `json:"lossy"`
}

// convertAnswer is the answer to abl.convert.
type convertAnswer struct {
	Text *string         `json:"text"` // nil if something would be lost, and the client did not say that it may be
	Lost []convertedLoss `json:"lost"`
}

type convertedLoss struct {
	Message string         `json:"message"`
	Range   protocol.Range `json:"range"`
}

// convertAgent answers with an agent in the dialect that argument.To names, and with what is lost.
func convertAgent(ctx context.Context, x execution, path string, argument *convertArgument) (any, error) {
	if !slices.Contains(convert.Dialects(), argument.To) {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the command's argument: to is one of %v, not %q", convert.Dialects(), argument.To)
	}
	f := x.snap.workspace.File(path)
	converted, err := convert.To(argument.To, f, x.check(ctx, x.snap, path))
	if err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", err)
	}
	answer := convertAnswer{Lost: []convertedLoss{}}
	in := converter{f.Written().Doc.Lines().Positions(), x.snap.encoding}
	for _, loss := range converted.Lost {
		answer.Lost = append(answer.Lost, convertedLoss{loss.Message, in.rangeOf(loss.Span)})
	}
	if len(converted.Lost) == 0 || argument.Lossy {
		answer.Text = &converted.Text
	}
	return answer, nil
}
