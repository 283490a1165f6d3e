package executor

import "context"

// A step does one part of a run and calls next for the rest.
type step func(ctx context.Context, r *run, next handler) (Result, error)

// A handler runs the remaining steps of a run.
type handler func(ctx context.Context, r *run) (Result, error)

// runSteps are the steps of a run, in order. A new step needs one file and one line here.
var runSteps = []step{
	applyOutcome,    // on_result, on_error
	locateError,     // adds the place of the tool to errors of its definition
	requireTrust,    // the person trusts the workspace
	findRunner,      // finds the Runner of the kind
	bindArguments,   // decodes them and checks their types
	reportVerdict,   // publishes whether the statement is valid
	identifyCaller,  // verifies the caller's tokens, if the tool asks for them
	deriveArguments, // computes arguments from others
	processBefore,   // process.before
	selectVariant,   // selects one of the binding's requests
	showRequest,     // keeps the request as it will be sent, without secrets
	previewCheck,    // prepares the verification
	gate,            // stops what is blocked, or asks for a confirmation
	useSecrets,      // looks secrets up and tracks them
	prepareRunner,   // waits for the person, for example to sign in
	reuseResult,     // answers from the cache
	verifyResult,    // verifies that the call had its effect
	checkResult,     // checks the result against the declared type
	processAfter,    // process.after
	recordRun,       // writes the journal; earlier steps leave no row
	limitCall,       // bounds the time of all attempts together
	retry,
	applyBreaker,   // refuses calls of an endpoint that keeps failing
	awaitRateLimit, // waits until the rate limit allows the attempt
	announceStart,  // tells a caller who may repeat the call that it begins
	useConfirmation,
	makeAttempt, // bounds the time of one attempt and adds it to the envelope
	runKind,
}

// previewSteps are the steps of a preview, in order.
var previewSteps = []step{
	locateError,
	findRunner,
	bindArguments,
	useClaimStandIns,
	deriveArguments,
	processBefore,
	selectVariant,
	showRequest,
	preview,
}

// chain returns a handler that runs the steps in order. The last step gets a nil handler as next.
// chain returns nil if there are no steps.
func chain(steps []step) handler {
	if len(steps) == 0 {
		return nil
	}
	first, rest := steps[0], chain(steps[1:])
	return func(ctx context.Context, r *run) (Result, error) { return first(ctx, r, rest) }
}

// continueWith returns a step that calls next. It joins one chain to the rest of another.
func continueWith(next handler) step {
	return func(ctx context.Context, r *run, _ handler) (Result, error) { return next(ctx, r) }
}

// requireTrust stops a run in a workspace that the person does not trust. If ctx has ended
// already, the run ends as cancelled and does not ask for trust.
func requireTrust(ctx context.Context, r *run, next handler) (Result, error) {
	if !r.req.Trusted && ctx.Err() != nil {
		return Result{}, contextError(ctx)
	}
	if !r.req.Trusted {
		return Result{}, needsError(Needs{Trust: true}, "trust", "this workspace is not trusted; nothing in it is run")
	}
	return next(ctx, r)
}

// runKind is the last step of a run: it calls [Runner.Run].
func runKind(ctx context.Context, r *run, _ handler) (Result, error) {
	result, err := r.runner.Run(ctx, r.call)
	if missing := r.unansweredPermissions(); len(missing) > 0 && ctx.Err() == nil {
		return Result{}, r.permissionError(missing...)
	}
	return result, err
}

// preview is the last step of a preview: its result is the request that would be sent.
func preview(_ context.Context, r *run, _ handler) (Result, error) {
	return Result{Value: r.envelope.Request, ContentType: "application/json"}, nil
}
