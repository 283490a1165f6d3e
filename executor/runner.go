package executor

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/template"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Runner runs the tools of one kind.
type Runner interface {
	// Run tries a call once and returns soon after ctx ends. An error that is
	// an [*Error] says what kind it is; any other is an internal one.
	Run(ctx context.Context, call Call) (Result, error)
}

// Previewer is a Runner that can show what it would send. Where a secret
// would stand, the call holds a stand-in that the executor removes later.
type Previewer interface {
	// Preview gives a value that marshals to JSON. It does no I/O.
	Preview(call Call) (any, error)
}

// VariantSelector is a Runner whose bindings may hold more than one request.
type VariantSelector interface {
	// SelectVariant returns the binding with the one request that a call makes.
	SelectVariant(ctx context.Context, call Call) (tool.Spec, error)
}

// GateDecider is a selected binding by which the gate decides about a call, in place of
// everything that the tool could do. SQL statements are such: a statement that the
// caller writes is known only then.
type GateDecider interface{ DecidesGate() bool }

// Pacer is a Runner whose bindings say how often a call is tried, and how long.
type Pacer interface {
	Pace(call Call) (Pace, error)
}

// Pace is how one call is tried.
type Pace struct {
	Timeout             time.Duration // of one attempt; 0: as long as the call has
	TimeoutIsDefault    bool          // the tool sets no timeout, so that the agent's holds as well
	Bounded             bool          // an attempt ends by itself, so that the default timeout does not bound the call
	Retries             int           // further attempts after the first
	Delay               time.Duration // before the second attempt
	Factor              float64       // each further delay is the last one times this; 0: they are equal
	MaxDelay            time.Duration // 0: the default limit
	Jitter              bool          // each delay is a random part of itself
	SendsIdempotencyKey bool          // attempts carry one key, so that the other side acts only once
	Rate                float64       // most attempts in a second; 0: any number
	Breaker             Breaker
}

// Breaker says when an endpoint that keeps failing is no longer called. Threshold 0
// means never.
type Breaker struct {
	Threshold int           // failures in a row
	Reset     time.Duration // after which it is tried again
}

// Reacher is a Runner that says, before a call is made, what the call will access.
type Reacher interface {
	Reach(call Call) (Reach, error)
}

// Reach is what a call will access, and who receives its secrets.
type Reach struct {
	Accesses  []tool.Permission   // that follow from the binding
	Receiver  string              // who gets the secrets: a host, or a process
	Receivers map[string][]string // who gets those secrets that go elsewhere, by the name of the secret
	Project   any                 // what the binding stands for in the project's file, to be confirmed with it; nil: nothing
	Programs  []string            // the local files that run: a confirmation covers their content
	Uncovered []string            // what decides what happens and no confirmation covers, such as "the program git of PATH"
	Unjailed  string              // why nothing bounds what the call does, so that it is confirmed whatever is said of its effects; "": something does
}

// Preparer is a Runner that may have to wait for a person before a call is made.
type Preparer interface {
	// Prepare is called once, before the time of the call begins to run. The
	// subject names the sign-in with which the call is made, so that nobody gets
	// an answer that was another one's; "" where nobody signs in.
	Prepare(ctx context.Context, call Call) (subject string, err error)
}

// SecretUser is a Runner whose calls need secrets that no template names.
type SecretUser interface {
	Secrets(call Call) ([]string, error)
}

// Discovery is what a server said of its tools.
type Discovery struct {
	Server string // its name in the project
	Root   string // the folder of that project
	Tools  []tool.ServerTool
	More   bool // it has others
}

// Discoverer is a Runner that can ask a server what it has.
type Discoverer interface {
	// Discover asks the server that the tool of a call names.
	Discover(ctx context.Context, call Call) (Discovery, error)
}

// Destroyer is a Runner that may know, from what the other side said earlier, that a
// call destroys something. Destroys does no I/O. A Runner that learns it only while it
// runs a call that no one confirmed returns [ErrUnconfirmed].
type Destroyer interface {
	Destroys(call Call) bool
}

// ErrUnconfirmed is the error of a call that was not made because it turned out to need
// a confirmation.
var ErrUnconfirmed = errors.New("the other side says that this destroys something, and nobody has confirmed it")

// Closer is a Runner that keeps something alive between calls.
type Closer interface {
	// Close ends all of it. No call is made afterwards.
	Close() error
}

// Call is what a Runner gets: arguments are checked, defaults filled in.
type Call struct {
	Run            string // its id
	IdempotencyKey string // random, and the same in all of its attempts
	Tool           *tool.Tool
	Scope          *template.Scope // the values that templates may name
	SessionValues  []tool.Member   // session values that the tool reads, by path; sent like arguments
	NamedOnly      bool            // a request does not send arguments that no template names
	Mutates        bool            // it changes something, or may
	Confirmed      bool            // a person has said that this very call may be made
	Unjailed       string          // what Reach said of it
	Guard          *dial.Guard     // which hosts it may reach
	Environment    *Environment    // the part of the project file that holds
	ToolTimeout    time.Duration   // the timeout where the tool sets none
	Previewed      any             // what Preview gave for this call; nil: not asked

	Host
	OpenURL    func(ctx context.Context, url string) error // has the person's browser show a page; nil: nothing can
	Unattended bool                                        // nobody will sign in, now or later
}

// SpecOf returns the binding of a call as an S. It is an error if the binding is of
// another kind.
func SpecOf[S tool.Spec](call Call) (S, error) {
	s, ok := call.Tool.Spec.(S)
	if !ok {
		return s, Errorf(KindInternal, "spec", "%s is no %s tool", call.Tool.Name, s.Kind())
	}
	return s, nil
}

// Arguments returns the arguments of the call in the order of the signature, followed
// by the session values that the tool reads.
func (c Call) Arguments() tool.Object {
	out := tool.Object{}
	for _, name := range c.Scope.Params {
		if v, ok := c.Scope.Args[name]; ok {
			out = append(out, tool.Member{Name: name, Value: v})
		}
	}
	return append(out, c.SessionValues...)
}

// Host is what a Runner may ask of the run that it is a part of. It is safe for concurrent
// use.
type Host interface {
	// Permit gives an error where the project denies one of some accesses.
	Permit(accesses ...tool.Permission) error

	// Ask asks for an access while the tool runs. nil: it is allowed. An error of
	// [KindDenied] is for the tool, which may go on without; any other ends the call,
	// which is made again once the person has answered.
	Ask(ctx context.Context, p tool.Permission) error

	// Redact takes the secrets out of text, before it is cut.
	Redact(text string) string

	// Track has a value that was obtained treated as a secret.
	Track(name, value string)

	// TrackLiteral has one that the tool's own file writes out treated likewise.
	TrackLiteral(name, value string)

	// PublishDiscovery is told what a server says of its tools.
	PublishDiscovery(d Discovery)

	// Report shows how far the call is, while it runs.
	Report(p Progress)
}

// Progress is how far a call is. Both parts may be empty.
type Progress struct {
	Message string // for a person; replaces the last one
	Chunk   string // of the output; follows the last one
}

// Result is the outcome of a call that succeeded.
type Result struct {
	Value       json.RawMessage // valid JSON; nil where the answer was none
	Text        string          // the answer, where it was no JSON
	ContentType string
	Encoding    string // Base64 where the text is of bytes that are none
	Status      int    // of HTTP; 0: none
	Console     string
	Truncated   *Truncation
	Render      *Render // how to show it; what the tool itself says comes first
	Warnings    []string
}
