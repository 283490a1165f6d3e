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
	// Run makes one attempt of a call and returns soon after ctx ends. An error becomes an
	// internal one unless its chain has an [*Error], a refusal of package dial or a
	// [*process.StartError].
	Run(ctx context.Context, call Call) (Result, error)
}

// Previewer is a Runner that can show what it would send. The call then holds stand-ins for
// secrets, which the executor removes later.
type Previewer interface {
	// Preview returns a value that marshals to JSON, and does no I/O.
	Preview(call Call) (any, error)
}

// VariantSelector is a Runner whose bindings may hold several requests.
type VariantSelector interface {
	// SelectVariant returns a binding with only the request that the call makes.
	SelectVariant(ctx context.Context, call Call) (tool.Spec, error)
}

// GateDecider is a binding that may decide, once it is selected, whether a call needs a
// confirmation. An SQL statement that the caller writes is an example: its effects are known
// only then. If DecidesGate is false, the gate considers all requests of the tool.
type GateDecider interface{ DecidesGate() bool }

// Pacer is a Runner whose bindings set the number of attempts and their time limits.
type Pacer interface {
	Pace(call Call) (Pace, error)
}

// Pace holds the time limits, retries and rate of one call.
type Pace struct {
	Timeout             time.Duration // of one attempt; 0: only the call is bounded
	TimeoutIsDefault    bool          // the tool sets no timeout, so that the agent's applies as well
	Bounded             bool          // an attempt ends by itself, so that the default timeout does not bound the call
	Retries             int           // further attempts after the first
	Delay               time.Duration // before the second attempt
	Factor              float64       // each further delay is the last one times this; 0: they are equal
	MaxDelay            time.Duration // 0: the default limit
	Jitter              bool          // each delay is a random fraction of its full length
	SendsIdempotencyKey bool          // all attempts carry the same key, so that the other side acts only once
	Rate                float64       // the most attempts per second; 0: no limit
	Breaker             Breaker
}

// Breaker says when calls of a failing endpoint stop. Threshold 0 means never.
type Breaker struct {
	Threshold int           // failures in a row
	Reset     time.Duration // after which it is tried again
}

// Reacher is a Runner that knows before a call what the call will access.
type Reacher interface {
	Reach(call Call) (Reach, error)
}

// Reach describes what a call will access, and who receives its secrets.
type Reach struct {
	Accesses  []tool.Permission   // the accesses that follow from the binding
	Receiver  string              // who receives the secrets: a host, or a process
	Host      string              // the host with its port, for people; "": Receiver says it
	Receivers map[string][]string // other receivers of single secrets, by the secret's name
	Project   any                 // the binding's entry in the project file, which a confirmation covers; nil: none
	Programs  []string            // the local files that run: a confirmation covers their content
	Uncovered []string            // things that affect the call but no confirmation covers, such as "the program git of PATH"
	Unjailed  string              // why no jail limits the call, so that it must always be confirmed; "": one does
}

// Preparer is a Runner that may have to wait for a person before a call is made.
type Preparer interface {
	// Prepare is called before the time limit of the call begins, and again after Run returned an
	// error with the cause [ErrUnprepared]. subject names the
	// sign-in that the call uses, so that a cached answer is reused only for the same sign-in.
	// subject is "" if there is no sign-in.
	Prepare(ctx context.Context, call Call) (subject string, err error)
}

// SecretUser is a Runner whose calls need secrets that no template names. Secrets returns their
// names.
type SecretUser interface {
	Secrets(call Call) ([]string, error)
}

// Discovery lists the tools of a server.
type Discovery struct {
	Server string // its name in the project
	Root   string // the folder of that project
	Info   tool.ServerInfo
	Tools  []tool.ServerTool
	More   bool // the server has further tools
}

// Discoverer is a Runner that can ask a server for its tools.
type Discoverer interface {
	// Discover asks the server that the call's tool names.
	Discover(ctx context.Context, call Call) (Discovery, error)
}

// ResourceReader is a Runner that can read resources of a server.
type ResourceReader interface {
	// ReadResource reads a resource of the server that the call's tool names.
	ReadResource(ctx context.Context, call Call, uri string) (Result, error)
}

// Destroyer is a Runner that may know from earlier answers of the other side that a call
// destroys something. Destroys does no I/O. If the Runner learns it only during a call that no
// one confirmed, it does not make the call and returns [ErrUnconfirmed].
type Destroyer interface {
	Destroys(call Call) bool
}

// ErrUnconfirmed is the error of a call that was not made because it turned out to need
// a confirmation.
var ErrUnconfirmed = errors.New("the other side says that this destroys something, and nobody has confirmed it")

// Closer is a Runner that keeps connections or processes alive between calls.
type Closer interface {
	// Close ends these connections and processes. No call may follow.
	Close() error
}

// Call is one call of a tool, as a Runner gets it. Its arguments are checked and include
// defaults.
type Call struct {
	Run            string // the id of the run
	Task           string // [Request.Task]
	Repeat         string // [Repeatable.ID]; "": the call is not repeated
	IdempotencyKey string // random, and the same in all attempts and repeats
	Tool           *tool.Tool
	Scope          *template.Scope // the values that templates may name
	SessionValues  []tool.Member   // session values that the tool reads, by path; sent like arguments
	NamedOnly      bool            // a request does not send arguments that no template names
	Mutates        bool            // it may change something
	Confirmed      bool            // the person has confirmed this call
	Unjailed       string          // [Reach.Unjailed] of this call
	Guard          *dial.Guard     // permits the hosts that it may reach
	Environment    *Environment    // the settings of the project file
	ToolTimeout    time.Duration   // the timeout where the tool sets none
	Input          *Input          // the person's answers to an [InputError] of this call; nil: none
	Folders        []string        // the folders of the workspace
	Previewed      any             // the value of Preview for this call; nil: it was not called

	Host
	OpenURL    func(ctx context.Context, url string) error // opens a page in the person's browser; nil: there is none
	Unattended bool                                        // no one will sign in
}

// SpecOf returns the binding of a call as an S. It returns an error if the binding has another
// type.
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

// Host gives a Runner access to the run that it is a part of. It is safe for concurrent use.
type Host interface {
	// Permit returns an error if the project denies one of the accesses.
	Permit(accesses ...tool.Permission) error

	// Ask asks for an access that the tool wants while it runs. It returns nil if the access is
	// allowed. An error of [KindDenied] is for the tool, which may continue without the access.
	// Any other error ends the call; the call is made again after the person has answered.
	Ask(ctx context.Context, p tool.Permission) error

	// Redact returns text without secrets. Call it before text is cut, since a part of a
	// secret is not recognised.
	Redact(text string) string

	// Track marks a value that the call obtained as secret. name is shown in its place.
	Track(name, value string)

	// TrackLiteral marks a value that the tool's own file contains in plain text as secret.
	TrackLiteral(name, value string)

	// PublishDiscovery passes on the tools that a server listed during the call.
	PublishDiscovery(d Discovery)

	// Report shows the progress of the call.
	Report(p Progress)
}

// Progress describes the progress of a call. Both parts may be empty.
type Progress struct {
	Message string // for the person; replaces the previous one
	Chunk   string // a part of the output; follows the previous one
}

// Result is the outcome of a call that succeeded.
type Result struct {
	Value       json.RawMessage // valid JSON; nil if the answer was not JSON
	Text        string          // the answer, if it was not JSON
	ContentType string
	Encoding    string    // [Base64] if the answer is not valid text
	Content     Blocks    // what an MCP server answered, if Value and Text do not say all of it; else nil
	Status      int       // of HTTP; 0: none
	Response    *Response // of HTTP; nil: none
	Console     string

	ConsoleLevels ConsoleLevels // of the lines of Console

	Truncated *Truncation
	Render    *Render // how to show it; the tool's own render wins
	Warnings  []string
}
