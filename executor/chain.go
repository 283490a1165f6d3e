package executor

import "context"

// A step does its part of a run, and calls next for the rest.
type step func(ctx context.Context, r *run, next handler) (Result, error)

// handler is what is left of a run.
type handler func(ctx context.Context, r *run) (Result, error)

// What a run does, in order. A further step is a file and a line.
var runSteps = []step{
	outcome,     // on_result, on_error
	blame,       // says where the definition is that is at fault
	trust,       // the person trusts what the tool was read from
	binding,     // there is something that runs it
	arguments,   // decoded, and of the declared types
	judge,       // what the run tells of the statement
	identify,    // whoever calls, where the tool wants to know
	derive,      // arguments that follow from others
	before,      // process.before
	choose,      // one of the requests that the binding holds
	showRequest, // kept as it will be sent, without secrets
	foresee,     // of the binding that will check the call
	gate,        // blocked, or to be confirmed
	useSecrets,  // looked up last, and tracked
	prepare,     // waits for a person, where that must be
	cache,       // what was answered lately
	verify,      // whether it did what it should
	checkResult, // of the declared type
	after,       // process.after
	record,      // in the journal, from here on
	wholeCall,   // has its time
	retry,
	breaker,   // leaves alone what keeps failing
	rateLimit, // waits for its turn
	useConfirmation,
	attempt, // has its time, and a row in the envelope
	runKind,
}

// What a preview does.
var previewSteps = []step{
	blame,
	binding,
	arguments,
	unidentified,
	derive,
	before,
	choose,
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

// onward is the step that does what is left.
func onward(next handler) step {
	return func(ctx context.Context, r *run, _ handler) (Result, error) { return next(ctx, r) }
}

// trust stops a run in a workspace that the person does not trust. Who cancels the
// question has not said so.
func trust(ctx context.Context, r *run, next handler) (Result, error) {
	if !r.req.Trusted && ctx.Err() != nil {
		return Result{}, ended(ctx)
	}
	if !r.req.Trusted {
		return Result{}, needs(Needs{Trust: true}, "trust", "this workspace is not trusted; nothing in it is run")
	}
	return next(ctx, r)
}

// runKind is the end of the chain.
func runKind(ctx context.Context, r *run, _ handler) (Result, error) {
	result, err := r.runner.Run(ctx, r.call)
	if missing := r.unanswered(); len(missing) > 0 && ctx.Err() == nil {
		return Result{}, r.mustAllow(missing...)
	}
	return result, err
}

// preview answers with the request instead of sending it.
func preview(_ context.Context, r *run, _ handler) (Result, error) {
	return Result{Value: r.envelope.Request, ContentType: "application/json"}, nil
}
