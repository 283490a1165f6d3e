package executor

import "context"

// A step does its part of a run, and calls next for the rest.
type step func(ctx context.Context, r *run, next handler) (Result, error)

// A handler is the rest of a run, after a step.
type handler func(ctx context.Context, r *run) (Result, error)

// What a run does, in order. A further step is a file and a line.
var runSteps = []step{
	applyOutcome,    // on_result, on_error
	locateError,     // says where the definition is that is at fault
	requireTrust,    // the person trusts what the tool was read from
	findRunner,      // there is something that runs it
	bindArguments,   // decoded, and of the declared types
	reportVerdict,   // what the run tells of the statement
	identifyCaller,  // whoever calls, where the tool wants to know
	deriveArguments, // arguments that follow from others
	processBefore,   // process.before
	selectVariant,   // one of the requests that the binding holds
	showRequest,     // kept as it will be sent, without secrets
	previewCheck,    // of the binding that will check the call
	gate,            // blocked, or to be confirmed
	useSecrets,      // looked up last, and tracked
	prepareRunner,   // waits for a person, where that must be
	reuseResult,     // what was answered lately
	verifyResult,    // whether it did what it should
	checkResult,     // of the declared type
	processAfter,    // process.after
	recordRun,       // in the journal, from here on
	limitCall,       // has its time
	retry,
	applyBreaker,   // leaves alone what keeps failing
	awaitRateLimit, // waits for its turn
	useConfirmation,
	makeAttempt, // has its time, and a row in the envelope
	runKind,
}

// What a preview does.
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

// chain makes one handler of steps; the last one has nothing to call.
func chain(steps []step) handler {
	if len(steps) == 0 {
		return nil
	}
	first, rest := steps[0], chain(steps[1:])
	return func(ctx context.Context, r *run) (Result, error) { return first(ctx, r, rest) }
}

// continueWith returns a step that calls next, so that a chain can go on with another one.
func continueWith(next handler) step {
	return func(ctx context.Context, r *run, _ handler) (Result, error) { return next(ctx, r) }
}

// requireTrust stops a run in a workspace that the person does not trust. If ctx is done, the
// run ends as cancelled and does not ask for trust.
func requireTrust(ctx context.Context, r *run, next handler) (Result, error) {
	if !r.req.Trusted && ctx.Err() != nil {
		return Result{}, contextError(ctx)
	}
	if !r.req.Trusted {
		return Result{}, needsError(Needs{Trust: true}, "trust", "this workspace is not trusted; nothing in it is run")
	}
	return next(ctx, r)
}

// runKind is the end of the chain.
func runKind(ctx context.Context, r *run, _ handler) (Result, error) {
	result, err := r.runner.Run(ctx, r.call)
	if missing := r.unansweredPermissions(); len(missing) > 0 && ctx.Err() == nil {
		return Result{}, r.permissionError(missing...)
	}
	return result, err
}

// preview answers with the request instead of sending it.
func preview(_ context.Context, r *run, _ handler) (Result, error) {
	return Result{Value: r.envelope.Request, ContentType: "application/json"}, nil
}
