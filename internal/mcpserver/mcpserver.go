// Package mcpserver serves tools over the Model Context Protocol.
//
// Each call runs through the executor, like any other run. What a call needs from a person is asked
// through the client, by elicitation; the call is refused if the client cannot ask. Clients are
// told when the tools change. A tool with errors does not affect the others.
package mcpserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/time/rate"

	"github.com/abl-lsp/abl-lsp/dialect/model"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/state"
	"github.com/abl-lsp/abl-lsp/internal/callers"
	"github.com/abl-lsp/abl-lsp/internal/invoke"
	"github.com/abl-lsp/abl-lsp/internal/metrics"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Options of a Server.
type Options struct {
	Run          func(context.Context, executor.Request) executor.Envelope
	CallOptions  invoke.CallOptions      // of every call, and no case; its arguments are the caller's
	ApplyAnswers func(*executor.Request) // adds the person's answers that hold for all calls
	DescribeTool DescribeTool            // nil: tools are no resources
	State        state.Store             // stores tasks and answers for other processes; nil: they end with the process
	Resumer      Resumer                 // continues the calls of ended processes; nil: they are lost
	Identify     Identify                // verifies who gets the answer of an earlier call; nil: no caller is verified
	Metrics      *metrics.Metrics        // nil: nothing is counted
	Callers      *callers.Policy         // who may call over HTTP; nil: anyone
	Logger       *slog.Logger            // nil: nothing is logged
	Version      string
	Title        string // what clients call the server; "": the name of this program
	StateKey     string // seals what a client keeps between the rounds of a call; "": a random key
}

// Server serves tools to any number of clients. It is safe for concurrent use.
type Server struct {
	opts Options
	sdk  *sdk.Server
	common

	mu         sync.Mutex
	tools      map[string]servedTool
	broken     []BrokenTool
	advertised map[string][]byte // in the form that clients got
	prompts    map[string]servedPrompt
	resources  map[string]Resource      // by URI
	toolsets   map[string]toolsetServer // by name
}

// common is what the servers of all toolsets share.
type common struct {
	tasks    *tasks
	work     *work
	repeats  *repeats
	state    *sealer
	sessions *sessions
	refusals *boundedLog
	notReady *boundedLog
}

// servedTool is a tool with the request that its files define, in the version that was read.
type servedTool struct {
	tool        *tool.Tool
	request     func() (executor.Request, error) // without arguments; the same for all calls
	plainOutput bool                             // the outputSchema is not one of an object
}

// BrokenTool is a tool that cannot run because its definition has errors, and the answer
// to a call of it.
type BrokenTool struct {
	Name   string
	Answer executor.Envelope // to a call of it
}

// New returns a server without tools. The caller must call [Server.Close].
func New(o Options) *Server {
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	o.Run = o.Metrics.Count(o.Run)
	o.State = state.OrMemory(o.State)
	ts := newTasks(o.State)
	ts.server = newServer(o, common{tasks: ts, work: newWork(), repeats: newRepeats(ts, o.State), state: newSealer(o.StateKey), sessions: newSessions(maxCallerSessions, maxSessions),
		refusals: newBoundedLog(refusalsPerSecond, refusalsAtOnce), notReady: newBoundedLog(rate.Every(notReadyInterval), 1),
	})
	return ts.server
}

// newServer returns a server that shares c with others.
func newServer(o Options, c common) *Server {
	s := &Server{opts: o, common: c, tools: map[string]servedTool{}, advertised: map[string][]byte{}}
	s.sdk = sdk.NewServer(implementation(o), &sdk.ServerOptions{
		Logger: libraryLogger(o),
		Capabilities: &sdk.ServerCapabilities{ // also of what the files may have only later
			Tools:      &sdk.ToolCapabilities{ListChanged: true},
			Prompts:    &sdk.PromptCapabilities{ListChanged: true},
			Resources:  &sdk.ResourceCapabilities{ListChanged: true},
			Logging:    &sdk.LoggingCapabilities{}, //nolint:staticcheck // for as long as clients have it
			Extensions: map[string]any{tasksExtension: map[string]any{}},
		},
		CompletionHandler: s.complete,
		SetCacheable:      setCacheable,
	})
	if o.DescribeTool != nil {
		s.addToolTemplate()
	}
	s.sdk.AddReceivingMiddleware(s.announceBroken, s.hidePlainOutputs)
	s.addTasks()
	s.sdk.AddReceivingMiddleware(s.checkScopes)
	return s
}

// libraryLogger returns the logger of the library.
func libraryLogger(o Options) *slog.Logger { return slog.New(libraryHandler{o.Logger.Handler()}) }

// implementation describes this program to clients.
func implementation(o Options) *sdk.Implementation {
	return &sdk.Implementation{
		Name: "abl-lsp", Title: cmp.Or(o.Title, "abl-lsp"), Version: o.Version,
		Description: "Runs the tools of files in ABL, Toolbox, Corail and other formats",
	}
}

// listLifetime is how long clients may keep a list that they are not told about.
const listLifetime = 10 * time.Second

// setCacheable says how long a client may keep what it was listed. Others may be listed something
// else, so it is for this client only.
func setCacheable(_ context.Context, _ sdk.Request, c *sdk.Cacheable) {
	c.TTLMs, c.CacheScope = int(listLifetime.Milliseconds()), "private"
}

// Close ends the calls of tasks, and those that outlive the connection of their client. Another
// process continues those that wait for a callback.
func (s *Server) Close() {
	s.repeats.close()
	s.tasks.close()
}

// Set replaces the tools that are served and those that are broken, and tells the clients
// if that changes something for them. notOffered names the tools that cannot be offered,
// with the reason.
func (s *Server) Set(tools []invoke.Tool, broken []BrokenTool) (notOffered []string) {
	plain := make([]tool.Tool, len(tools))
	for i, t := range tools {
		plain[i], _ = executor.InlineSchemas(t.Tool) // a call says what is wrong there
	}
	list, notOffered := model.ListMCP(plain)
	s.mu.Lock()
	defer s.mu.Unlock()
	next := map[string]servedTool{}
	for _, l := range list {
		t := tools[l.Index]
		name, err := s.advertise(l, t)
		if err != nil {
			notOffered = append(notOffered, err.Error())
			continue
		}
		request := sync.OnceValues(func() (executor.Request, error) { return t.Request(s.opts.CallOptions) })
		next[name] = servedTool{&t.Tool, request, l.Output != nil}
	}
	for name := range s.advertised {
		if _, has := next[name]; !has {
			delete(s.advertised, name)
			s.sdk.RemoveTools(name)
		}
	}
	s.tools, s.broken = next, broken
	return notOffered
}

// addTool adds a tool to the library's server, which panics at a schema that it cannot read.
func (s *Server) addTool(t *sdk.Tool) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%s: the whole tool: %v", t.Name, v)
		}
	}()
	s.sdk.AddTool(t, s.handleCall)
	return nil
}

// currentTool returns the tool of that name in its current version. The second result is
// false if no such tool is served.
func (s *Server) currentTool(name string) (servedTool, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, ok := s.tools[name]
	return t, ok
}

// Serve serves one client over a pair of streams, until the client ends its input or ctx
// ends; then it returns nil. Calls that the client made before are still answered, unless
// no one reads the answers any more. It returns an error if reading from the client fails.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go s.tasks.takeOverAll(ctx)
	go s.repeats.sweep(ctx)
	err := s.serveStreams(ctx, &streams{server: s, in: in, out: out, cancelCalls: stop})
	clientEnded := errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe) // it says, or hears, no more
	if err != nil && !clientEnded && ctx.Err() == nil {
		return fmt.Errorf("reading from the client: %w", err)
	}
	return nil
}

// serveStreams serves one client, and returns when all its calls are answered.
func (s *Server) serveStreams(ctx context.Context, t *streams) error {
	session, err := s.sdk.Connect(ctx, t, nil)
	if err != nil {
		return err
	}
	defer t.connection.awaitUnwritten()
	t.connection.session.Store(session)
	defer context.AfterFunc(ctx, func() { _ = session.Close() })() // Wait says why
	return session.Wait()
}
