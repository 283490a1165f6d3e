package lsp

import (
	"context"

	"go.lsp.dev/jsonrpc2"

	"github.com/abl-lsp/abl-lsp/executor"
)

// resourceArgument is the argument of abl.readResource: a tool, and the resource of its server to which
// an answer of the tool has linked.
type resourceArgument struct {
	runArgument
	Resource string `json:"resource"`
}

// readResource answers with the envelope of a resource. The tool is not called.
func readResource(ctx context.Context, x execution, argument *resourceArgument) (any, error) {
	if argument.Resource == "" {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the command's argument: resource is missing")
	}
	req, refused, err := x.prepareRun(ctx, &argument.runArgument)
	return answerCall(refused, err, func() executor.Envelope {
		return x.runCall(ctx, req, "Opening a resource of ", func(ctx context.Context, req executor.Request) executor.Envelope {
			return x.opts.Executor.ReadResource(ctx, req, argument.Resource)
		})
	})
}
