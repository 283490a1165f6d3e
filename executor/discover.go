package executor

import (
	"context"
	"slices"

	"github.com/abl-lsp/abl-lsp/tool"
)

// discoverSteps are the steps of asking a server for its tools, in order. No tool is called,
// so there is nothing to confirm.
var discoverSteps = []step{
	locateError,
	requireTrust,
	findRunner,
	bindArguments,
	requirePermissions,
	useSecrets,
	prepareDiscoverer,
	limitCall,
	makeAttempt,
	discover,
}

// Discover asks the server of the request's tool which tools it has; the arguments do
// not matter. The answer goes to [Options.OnDiscovery]; the envelope says whether the server
// answered.
func (e *Executor) Discover(ctx context.Context, req Request) Envelope {
	if req.Tool != nil {
		req.Tool = &tool.Tool{Name: req.Tool.Name, Kind: req.Tool.Kind, Spec: req.Tool.Spec, Origin: req.Tool.Origin}
	}
	req.Args = nil
	return e.runChain(ctx, req, chain(discoverSteps))
}

// requirePermissions stops a call that the project denies or that no one has allowed.
func requirePermissions(ctx context.Context, r *run, next handler) (Result, error) {
	if err := r.checkPermissions(); err != nil {
		return Result{}, err
	}
	return next(ctx, r)
}

// prepareDiscoverer is [prepareRunner] for a Runner that can ask a server. No other one has to be
// prepared.
func prepareDiscoverer(ctx context.Context, r *run, next handler) (Result, error) {
	if _, ok := r.runner.(Discoverer); !ok {
		return next(ctx, r)
	}
	return prepareRunner(ctx, r, next)
}

// discover is the last step of [Executor.Discover]: it calls [Discoverer.Discover]. It returns an
// error if the Runner is no Discoverer.
func discover(ctx context.Context, r *run, _ handler) (Result, error) {
	d, ok := r.runner.(Discoverer)
	if !ok {
		return Result{}, Errorf(KindDefinition, "no-discovery", "type: %s has no server that could be asked for its tools", r.req.Tool.Kind)
	}
	found, err := d.Discover(ctx, r.call)
	if err != nil {
		return Result{}, err
	}
	r.publishDiscovery(found)
	return Result{}, nil
}

// publishDiscovery passes the tools of a server to [Options.OnDiscovery], without secrets.
func (r *run) publishDiscovery(d Discovery) {
	s := r.redactor.String
	d.Info = tool.ServerInfo{Title: s(d.Info.Title), Version: s(d.Info.Version), Instructions: s(d.Info.Instructions)}
	d.Tools = slices.Clone(d.Tools)
	for i, t := range d.Tools {
		t.Name, t.Title, t.Description = s(t.Name), s(t.Title), s(t.Description)
		t.InputSchema, t.OutputSchema, t.Icons = r.redactor.JSON(t.InputSchema), r.redactor.JSON(t.OutputSchema), r.redactor.JSON(t.Icons)
		d.Tools[i] = t
	}
	r.executor.opts.OnDiscovery(d)
}
