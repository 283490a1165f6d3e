package executor

import (
	"context"
	"crypto/tls"
	"net/http/httptrace"
	"sync"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/dial"
)

// Phase is a part of the time that an attempt took. The first attempt also has the phases that
// prepare the call.
type Phase struct {
	Name       string  `json:"name"`
	StartMS    float64 `json:"start_ms"` // since the attempt started
	DurationMS float64 `json:"duration_ms"`
}

// The names of phases.
const (
	PhaseSecrets   = "secrets" // the secrets are looked up
	PhaseSignIn    = "sign-in" // a token is obtained; a person may sign in
	PhaseDNS       = "dns"
	PhaseConnect   = "connect"
	PhaseTLS       = "tls"
	PhaseFirstByte = "first-byte" // the request is sent, and the answer begins
	PhaseBody      = "body"       // the body of the answer is read
)

// phaseRecorder collects the phases of a run, attempt by attempt. It is safe for concurrent use.
type phaseRecorder struct {
	mu      sync.Mutex
	phases  []timedPhase // of the current attempt, in the order of their start
	attempt int          // the number of attempts that have ended
	signIns int          // sign-ins that have not ended: their connections are no phases of the attempt
}

// timedPhase is a phase as the clock measured it.
type timedPhase struct {
	name       string // "": it was removed
	start, end time.Time
}

// phaseRef names a phase of an attempt. The zero value names none.
type phaseRef struct{ attempt, number int }

// usualPhases is the number of phases that most attempts do not exceed.
const usualPhases = 6

type phaseRecorderKey struct{}

func (r *run) withPhases(ctx context.Context) context.Context {
	return context.WithValue(ctx, phaseRecorderKey{}, r.phases)
}

func phaseRecorderOf(ctx context.Context) *phaseRecorder {
	p, _ := ctx.Value(phaseRecorderKey{}).(*phaseRecorder)
	return p
}

// StartPhase starts a phase of the attempt that ctx belongs to, and returns the function that ends
// it. A phase that has not ended when the attempt ends, ends with it. Within a sign-in there are
// no other phases.
func StartPhase(ctx context.Context, name string) (end func()) {
	p := phaseRecorderOf(ctx)
	if p == nil {
		return func() {}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	ref := p.begin(name)
	signIn := 0
	if name == PhaseSignIn {
		signIn = 1
	}
	p.signIns += signIn
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.signIns -= signIn
		p.finish(ref)
	}
}

// begin adds a phase that starts now. The caller of this and the following methods holds the lock.
func (p *phaseRecorder) begin(name string) phaseRef {
	if p.signIns > 0 {
		return phaseRef{}
	}
	if p.phases == nil {
		p.phases = make([]timedPhase, 0, usualPhases)
	}
	p.phases = append(p.phases, timedPhase{name: name, start: time.Now()})
	return phaseRef{p.attempt, len(p.phases)}
}

// finish ends a phase now, unless it has ended or belongs to an earlier attempt.
func (p *phaseRecorder) finish(ref phaseRef) {
	if phase := p.find(ref); phase != nil && phase.end.IsZero() {
		phase.end = time.Now()
	}
}

// remove removes a phase that did not take place after all.
func (p *phaseRecorder) remove(ref phaseRef) {
	if phase := p.find(ref); phase != nil {
		phase.name = ""
	}
}

// find returns the phase of the current attempt that ref names, else nil.
func (p *phaseRecorder) find(ref phaseRef) *timedPhase {
	if ref.number == 0 || ref.attempt != p.attempt {
		return nil
	}
	return &p.phases[ref.number-1]
}

// endAttempt returns the phases of the attempt that began at start and ends at end. Those that
// prepared the call come first, without the time between them: began is start less their time.
func (p *phaseRecorder) endAttempt(start, end time.Time) (began time.Time, phases []Phase) {
	p.mu.Lock()
	defer p.mu.Unlock()
	ended := p.phases
	p.phases, p.attempt = nil, p.attempt+1
	began = start
	for i := range ended {
		t := &ended[i]
		if t.end.IsZero() {
			t.end = end
		}
		if t.start.Before(start) {
			began = began.Add(-t.duration())
		}
	}
	next := began // the start of the next phase that prepared the call
	phases = make([]Phase, 0, len(ended))
	for _, t := range ended {
		at := t.start
		if at.Before(start) {
			at, next = next, next.Add(t.duration())
		}
		if t.name != "" {
			phases = append(phases, Phase{t.name, milliseconds(at.Sub(began)), milliseconds(t.duration())})
		}
	}
	return began, phases
}

func (t timedPhase) duration() time.Duration { return t.end.Sub(t.start) }

// TraceRequest returns a context with which an HTTP client records the phases of a request and of
// those to which it is redirected. onConnect is called whenever one gets a connection: from then
// on the other side may have received it.
func TraceRequest(ctx context.Context, onConnect func()) context.Context {
	t := &requestTrace{recorder: phaseRecorderOf(ctx), onConnect: onConnect}
	if t.recorder == nil {
		t.hooks.GotConn = func(httptrace.GotConnInfo) { onConnect() }
		return httptrace.WithClientTrace(ctx, &t.hooks)
	}
	t.hooks = httptrace.ClientTrace{
		GetConn:              t.getConn,
		DNSStart:             t.dnsStart,
		DNSDone:              t.dnsDone,
		ConnectStart:         t.connectStart,
		ConnectDone:          t.connectDone,
		TLSHandshakeStart:    t.tlsStart,
		TLSHandshakeDone:     t.tlsDone,
		GotConn:              t.gotConn,
		GotFirstResponseByte: t.gotFirstByte,
	}
	t.attempt = t.recorder.currentAttempt()
	return httptrace.WithClientTrace(ctx, &t.hooks)
}

func (p *phaseRecorder) currentAttempt() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.attempt
}

// requestTrace records the phases of HTTP requests. The recorder's lock guards its fields.
type requestTrace struct {
	hooks     httptrace.ClientTrace
	recorder  *phaseRecorder
	attempt   int
	onConnect func()

	dns, connect, tls, firstByte phaseRef

	connecting int  // the addresses that are being tried
	connected  bool // the request has a connection; one that is still being made is for other requests
}

// lock returns false if the attempt of the request has ended. Otherwise the caller unlocks the recorder.
func (t *requestTrace) lock() bool {
	t.recorder.mu.Lock()
	if t.recorder.attempt == t.attempt {
		return true
	}
	t.recorder.mu.Unlock()
	return false
}

func (t *requestTrace) begin(ref *phaseRef, name string) {
	if !t.connected && *ref == (phaseRef{}) {
		*ref = t.recorder.begin(name)
	}
}

func (t *requestTrace) finish(ref *phaseRef) {
	t.recorder.finish(*ref)
	*ref = phaseRef{}
}

func (t *requestTrace) remove(ref *phaseRef) {
	t.recorder.remove(*ref)
	*ref = phaseRef{}
}

func (t *requestTrace) getConn(string) {
	if t.lock() {
		defer t.recorder.mu.Unlock()
		t.connecting, t.connected = 0, false
	}
}

func (t *requestTrace) dnsStart(httptrace.DNSStartInfo) {
	if t.lock() {
		defer t.recorder.mu.Unlock()
		t.begin(&t.dns, PhaseDNS)
	}
}

func (t *requestTrace) dnsDone(httptrace.DNSDoneInfo) {
	if t.lock() {
		defer t.recorder.mu.Unlock()
		t.finish(&t.dns)
	}
}

func (t *requestTrace) connectStart(string, string) {
	if t.lock() {
		defer t.recorder.mu.Unlock()
		t.connecting++
		t.begin(&t.connect, PhaseConnect)
	}
}

// connectDone ends the phase when one address is connected or all have failed. An address that was
// only checked leaves no phase.
func (t *requestTrace) connectDone(_, _ string, err error) {
	if !t.lock() {
		return
	}
	defer t.recorder.mu.Unlock()
	t.connecting--
	switch {
	case err != nil && t.connecting > 0:
	case err != nil && dial.OnlyChecked(err):
		t.remove(&t.connect)
	default:
		t.finish(&t.connect)
	}
}

func (t *requestTrace) tlsStart() {
	if t.lock() {
		defer t.recorder.mu.Unlock()
		t.begin(&t.tls, PhaseTLS)
	}
}

func (t *requestTrace) tlsDone(tls.ConnectionState, error) {
	if t.lock() {
		defer t.recorder.mu.Unlock()
		t.finish(&t.tls)
	}
}

// gotConn begins the wait for the answer. Phases that have not ended are those of a connection
// that another request will use.
func (t *requestTrace) gotConn(httptrace.GotConnInfo) {
	t.onConnect()
	if !t.lock() {
		return
	}
	defer t.recorder.mu.Unlock()
	for _, ref := range []*phaseRef{&t.dns, &t.connect, &t.tls} {
		t.remove(ref)
	}
	t.begin(&t.firstByte, PhaseFirstByte)
	t.connected = true
}

func (t *requestTrace) gotFirstByte() {
	if t.lock() {
		defer t.recorder.mu.Unlock()
		t.finish(&t.firstByte)
	}
}
