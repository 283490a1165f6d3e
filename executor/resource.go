package executor

import (
	"context"

	"github.com/abl-lsp/abl-lsp/tool"
)

// resourceSteps are the steps of reading a resource, in order. No tool is called, so there is nothing
// to confirm.
var resourceSteps = []step{
	locateError,
	requireTrust,
	findRunner,
	bindArguments,
	requirePermissions,
	useSecrets,
	prepareRunner,
	limitCall,
	makeAttempt,
	readResource,
}

// ReadResource reads a resource of the server of the request's tool, to which an answer of that tool
// has linked; the arguments do not matter. The envelope has it as its value and content.
func (e *Executor) ReadResource(ctx context.Context, req Request, uri string) Envelope {
	if req.Tool != nil {
		req.Tool = &tool.Tool{Name: req.Tool.Name, Kind: req.Tool.Kind, Spec: req.Tool.Spec, Origin: req.Tool.Origin}
	}
	req.Args, req.resource = nil, uri
	return e.runChain(ctx, req, chain(resourceSteps))
}

// readResource is the last step of [Executor.ReadResource]: it calls [ResourceReader.ReadResource].
func readResource(ctx context.Context, r *run, _ handler) (Result, error) {
	reader, ok := r.runner.(ResourceReader)
	if !ok {
		return Result{}, Errorf(KindDefinition, "no-resources", "type: %s has no server with resources", r.req.Tool.Kind)
	}
	return reader.ReadResource(ctx, r.call, r.req.resource)
}
