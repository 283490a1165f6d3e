// Package executor runs a frozen [tool.Tool].
//
// Every caller and every kind of tool share one chain of steps (chain.go). The person is asked
// before secrets are looked up, and secrets are looked up before anything is sent. The executor
// trusts no text: it gets a tool, arguments and the person's answers. It never opens a dialogue;
// its answer names what is missing ([Needs]). [Executor.Run] always returns an [Envelope]: it
// does not fail, does not panic, and shows no secret.
//
// A [Runner] runs the tools of one kind. Each has its own folder below this one.
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

	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/journal"
	"github.com/abl-lsp/abl-lsp/executor/schema"
	"github.com/abl-lsp/abl-lsp/executor/secrets"
	"github.com/abl-lsp/abl-lsp/executor/state"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Options configure an Executor.
type Options struct {
	Runners          map[tool.Kind]Runner
	LookupEnv        func(name string) (string, bool) // for secrets; nil: the process environment
	IdentityVerifier IdentityVerifier                 // verifies callers' tokens; nil: no caller can be identified
	OnDiscovery      func(Discovery)                  // gets the tools that servers list, during runs; may be nil
	OnVerdict        func(Verdict)                    // gets the verdicts of databases on statements; may be nil
	StateDir         string                           // the folder of the journal; "": none is kept
	State            state.Store                      // what outlives the process or is shared; nil: the one in StateDir
	Tracer           trace.Tracer                     // makes a span of each run; nil: none are made
	OnClose          func() error                     // is called at the end of Close; may be nil
}

// Executor runs tools. It is safe for concurrent use.
type Executor struct {
	schemas       schema.Cache // of arguments and results
	opts          Options
	runners       runners
	run           handler
	preview       handler
	journal       *journal.Journal // of runs; nil: none is kept
	state         state.Store
	confirmations confirmations
	journalFailed atomic.Bool                     // a run has warned that the journal cannot be written
	results       *resultCache                    // of cacheable tools
	named         *lru.Cache[tool.Spec, []string] // the names of the secrets in bindings
	guards        *lru.Cache[string, *dial.Guard] // by the proxy and the hosts that the person allows
}

// New returns an Executor. The caller must call [Executor.Close].
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
	if o.State == nil {
		o.State = state.OrMemory(state.New(o.StateDir))
	}
	e := &Executor{
		opts:          o,
		runners:       runners{byKind: map[tool.Kind]Runner{}},
		run:           chain(runSteps),
		preview:       chain(previewSteps),
		results:       newResultCache(),
		state:         o.State,
		confirmations: confirmations{o.State},
		named:         newLRU[tool.Spec, []string](),
		guards:        newLRU[string, *dial.Guard](),
	}
	maps.Copy(e.runners.byKind, o.Runners)
	if o.StateDir != "" {
		e.journal = journal.New(JournalDir(o.StateDir))
	}
	return e
}

// Run runs a tool once, with its retries, and returns soon after ctx ends.
func (e *Executor) Run(ctx context.Context, req Request) Envelope {
	return e.runInSpan(ctx, req, func(ctx context.Context) Envelope { return e.runChain(ctx, req, e.run) })
}

// Preview returns an envelope whose value is the request that Run would send. It sends nothing,
// and needs no trust, confirmation or secret.
func (e *Executor) Preview(ctx context.Context, req Request) Envelope {
	return e.runChain(ctx, req, e.preview)
}

// Close ends what the Runners keep alive between runs, clears the cached results, finishes writing
// the journal, and then calls [Options.OnClose]. No run may follow. The returned error joins all
// of their errors; a failure to write the journal is a [*JournalError] in it.
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

// run holds the state of one run while the steps work on it.
type run struct {
	executor         *Executor
	req              Request
	call             Call
	runner           Runner
	pace             Pace
	binder           *argumentBinder   // collects the arguments
	foundSecretNames []string          // names of the secrets; nil: not looked for yet
	redactor         *secrets.Redactor // its own, or shared with the run that it verifies
	writtenSecrets   writtenSecrets
	reach            Reach             // what it will access
	askLock          sync.Mutex        // held while a tool asks for an access
	unansweredAsks   []tool.Permission // accesses that the tool asked for while no one could answer
	verification     *run              // the run that will verify it; nil: none
	stepContext      *stepContext      // the run that it verifies or reverts; nil: none
	reverts          string            // the id of the run that it reverts; "": none
	signInSubject    string            // the sign-in that it uses; "": none
	identity         json.RawMessage   // the caller, according to auth services; nil: the tool does not ask
	started          time.Time
	confirmationUsed bool         // this run has used up the request's digest
	startAnnounced   bool         // [Repeatable.Started] was called
	recorded         bool         // it appears in the journal
	unrecorded       bool         // it should appear there, but the journal cannot be written
	pending          *PendingCall // the call that an earlier process began; nil: this process began it
	output           secrets.Stream
	phases           *phaseRecorder // not a part of the run, since connections outlive it
	logged           string         // what LOG actions of on_result and on_error wrote
	envelope         Envelope
}

func (e *Executor) runChain(ctx context.Context, req Request, steps handler) Envelope {
	return e.newRun(req, time.Now()).execute(ctx, steps)
}

// newRun returns a run of req that began at start and has not started its steps.
func (e *Executor) newRun(req Request, start time.Time) *run {
	r := &run{executor: e, req: req, redactor: new(secrets.Redactor), started: start, phases: new(phaseRecorder), envelope: newEnvelope(req.Tool, start)}
	r.output.Redactor = r.redactor
	r.envelope.Environment = req.Environment.Name
	return r
}

// execute runs the steps and returns the envelope, without secrets.
func (r *run) execute(ctx context.Context, steps handler) Envelope {
	result, err := r.callSteps(ctx, steps)
	if ended := ctx.Err(); ended != nil && errors.Is(err, ended) && asError(err).Kind == KindDefinition {
		err = contextError(ctx) // an expression was interrupted; it is not wrong
	}
	r.flushOutput()
	r.fillEnvelope(result, err)
	r.redact()
	r.envelope.DurationMS = milliseconds(time.Since(r.started))
	r.recordEnd()
	return r.envelope
}

// reportProgress passes p to [Request.Report], without secrets. It keeps back an end of the output
// that may be the beginning of a secret, until there is more output or flushOutput is called.
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

// flushOutput passes to [Request.Report] the output that reportProgress has kept back.
func (r *run) flushOutput() {
	if r.req.Report == nil {
		return
	}
	if rest := r.output.Rest(); rest != "" {
		r.req.Report(Progress{Chunk: rest})
	}
}

// callSteps runs the steps. A panic of a step or a Runner becomes an error.
func (r *run) callSteps(ctx context.Context, steps handler) (_ Result, err error) {
	defer func() {
		if v := recover(); v != nil {
			p := &PanicError{Value: v, Stack: debug.Stack()}
			err = &Error{Kind: KindInternal, Code: "panic", Message: p.Error(), Err: p}
		}
	}()
	return steps(ctx, r)
}
