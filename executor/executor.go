// Package executor runs a frozen [tool.Tool].
//
// It promises one chain of steps for every caller and every kind (chain.go): what
// is asked of a person comes before secrets are looked up, and these before
// anything is sent. It trusts no text: it gets a tool, arguments and the person's
// answers, and what is missing is its answer ([Needs]), never a dialogue.
// [Executor.Run] always gives an [Envelope]: it does not fail, does not panic, and
// shows no secret.
//
// What runs a kind of tool is a [Runner], one folder each below this one.
package executor

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"go.opentelemetry.io/otel/trace"
	"golang.org/x/time/rate"

	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/journal"
	"github.com/abl-lsp/abl-lsp/executor/schema"
	"github.com/abl-lsp/abl-lsp/executor/secrets"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Options of an Executor.
type Options struct {
	Runners          map[tool.Kind]Runner
	LookupEnv        func(name string) (string, bool) // for secrets; nil: the process environment
	IdentityVerifier IdentityVerifier                 // of those who call; nil: nobody can be identified
	OnDiscovery      func(Discovery)                  // is told what servers say of their tools, during runs; may be nil
	OnVerdict        func(Verdict)                    // is told what databases say of statements; may be nil
	StateDir         string                           // where what outlives the process is kept; "": nothing is
	Tracer           trace.Tracer                     // makes a span of each run; nil: nobody wants any
	OnClose          func() error                     // is called when all that is kept alive has ended; may be nil
}

// Executor runs tools. It is safe for concurrent use.
type Executor struct {
	schemas       schema.Cache // of arguments and results
	opts          Options
	runners       runners
	run           handler
	preview       handler
	journal       *journal.Journal // of runs; nil: none is kept
	confirmations *confirmations
	journalFailed atomic.Bool                       // a run has said that it cannot be written
	results       *resultCache                      // of cacheable tools
	breakers      *lru.Cache[string, *circuit]      // by endpoint
	limiters      *lru.Cache[string, *rate.Limiter] // likewise
	named         *lru.Cache[tool.Spec, []string]   // the secrets of bindings
	guards        *lru.Cache[string, *dial.Guard]   // by the hosts that a person allows
}

// New makes an Executor.
func New(o Options) *Executor {
	if o.LookupEnv == nil {
		o.LookupEnv = os.LookupEnv
	}
	if o.OnDiscovery == nil {
		o.OnDiscovery = func(Discovery) {}
	}
	if o.OnVerdict == nil {
		o.OnVerdict = func(Verdict) {}
	}
	e := &Executor{
		opts:          o,
		runners:       runners{byKind: map[tool.Kind]Runner{}},
		run:           chain(runSteps),
		preview:       chain(previewSteps),
		results:       newResultCache(),
		confirmations: newConfirmations(o.StateDir),
		breakers:      newLRU[string, *circuit](),
		limiters:      newLRU[string, *rate.Limiter](),
		named:         newLRU[tool.Spec, []string](),
		guards:        newLRU[string, *dial.Guard](),
	}
	maps.Copy(e.runners.byKind, o.Runners)
	if o.StateDir != "" {
		e.journal = journal.New(JournalDir(o.StateDir))
	}
	return e
}

// Run runs a tool once, retries included, and ends when ctx does.
func (e *Executor) Run(ctx context.Context, req Request) Envelope {
	return e.runInSpan(ctx, req, func(ctx context.Context) Envelope { return e.runChain(ctx, req, e.run) })
}

// Preview shows as the value what Run would send. It sends nothing, and needs
// no trust, confirmation or secret.
func (e *Executor) Preview(ctx context.Context, req Request) Envelope {
	return e.runChain(ctx, req, e.preview)
}

// Close ends what the Runners keep alive between runs, clears the cached results, and
// writes the journal to its end. No run may follow.
func (e *Executor) Close() error {
	e.results.clear()
	var errs []error
	for _, r := range e.runners.all() {
		if c, ok := r.(Closer); ok {
			errs = append(errs, c.Close())
		}
	}
	if e.journal != nil {
		if err := e.journal.Close(); err != nil {
			errs = append(errs, &JournalError{err, e.journalFailed.Load()})
		}
	}
	if e.opts.OnClose != nil {
		errs = append(errs, e.opts.OnClose())
	}
	return errors.Join(errs...)
}

// run is one run on its way through the steps.
type run struct {
	executor         *Executor
	req              Request
	call             Call
	runner           Runner
	pace             Pace
	binder           *argumentBinder   // its arguments
	foundSecretNames []string          // of the secrets; nil: not looked for yet
	redactor         *secrets.Redactor // its own, or that of the run that it verifies
	writtenSecrets   writtenSecrets
	reach            Reach             // what it reaches for
	askLock          sync.Mutex        // held while a tool asks for an access
	unansweredAsks   []tool.Permission // what it asked for, and nobody could be asked
	verification     *run              // of the binding that will verify it; nil: none
	stepContext      *stepContext      // what it checks or undoes; nil: nothing
	reverts          string            // the run of the journal that it undoes; "": none
	signInSubject    string            // the sign-in with which it is made; "": none
	identity         json.RawMessage   // for whom, as auth services say it; nil: nobody asks
	started          time.Time
	confirmationUsed bool         // the digest that the request has, by this run
	recorded         bool         // it is in the journal
	unrecorded       bool         // or would be, if that could be written
	pending          *PendingCall // an earlier process began it; nil: this one
	output           secrets.Stream
	logged           string // by actions of on_result and on_error
	envelope         Envelope
}

func (e *Executor) runChain(ctx context.Context, req Request, steps handler) Envelope {
	return e.newRun(req, time.Now()).execute(ctx, steps)
}

// newRun returns a run that has not started its steps yet.
func (e *Executor) newRun(req Request, start time.Time) *run {
	r := &run{executor: e, req: req, redactor: new(secrets.Redactor), started: start, envelope: newEnvelope(req.Tool, start)}
	r.output.Redactor = r.redactor
	r.envelope.Environment = req.Environment.Name
	return r
}

// execute calls the steps and returns the envelope, redacted.
func (r *run) execute(ctx context.Context, steps handler) Envelope {
	result, err := r.callSteps(ctx, steps)
	if over := ctx.Err(); over != nil && errors.Is(err, over) && asError(err).Kind == KindDefinition {
		err = contextError(ctx) // in an expression, of which nothing is wrong
	}
	r.flushOutput()
	r.fillEnvelope(result, err)
	r.redact()
	r.envelope.DurationMS = milliseconds(time.Since(r.started))
	r.recordEnd()
	return r.envelope
}

// reportProgress shows how far the run is.
func (r *run) reportProgress(p Progress) {
	if r.req.Report == nil {
		return
	}
	p.Message = r.redactor.String(p.Message)
	if p.Chunk != "" {
		p.Chunk = r.output.Write(p.Chunk)
	}
	if p.Message != "" || p.Chunk != "" {
		r.req.Report(p)
	}
}

// flushOutput shows the part of the output that was held back to find secrets in it.
func (r *run) flushOutput() {
	if r.req.Report == nil {
		return
	}
	if rest := r.output.Rest(); rest != "" {
		r.req.Report(Progress{Chunk: rest})
	}
}

// callSteps calls the steps. It returns a panic of a step or a Runner as an error.
func (r *run) callSteps(ctx context.Context, steps handler) (_ Result, err error) {
	defer func() {
		if v := recover(); v != nil {
			p := &PanicError{Value: v, Stack: debug.Stack()}
			err = &Error{Kind: KindInternal, Code: "panic", Message: p.Error(), Err: p}
		}
	}()
	return steps(ctx, r)
}
