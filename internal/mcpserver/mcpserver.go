// Package mcpserver serves tools over the Model Context Protocol.
//
// It promises that a call runs as any other run does, through the executor; that what a
// call needs of a person is asked through the client, by elicitation, and that a call
// is refused where the client cannot ask; that a client is told when the tools change;
// that one tool with errors takes nothing from the others.
package mcpserver

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/dialect/model"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/invoke"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Options of a Server.
type Options struct {
	Run     func(context.Context, executor.Request) executor.Envelope
	Choice  invoke.Choice           // of every call; its arguments are the caller's
	Answer  func(*executor.Request) // adds what the person has said once for all calls
	Logger  *slog.Logger            // nil: nothing is logged
	Version string
}

// Server serves tools to any number of clients.
type Server struct {
	opts  Options
	sdk   *sdk.Server
	state sealer

	mu     sync.Mutex
	tools  map[string]invoke.Tool
	broken []Broken
	listed map[string][]byte // as clients were told of them
}

// Broken is a tool that cannot run, for the errors of its definition.
type Broken struct {
	Name   string
	Answer executor.Envelope // to a call of it
}

// New is a server that has no tools yet.
func New(o Options) *Server {
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	s := &Server{opts: o, tools: map[string]invoke.Tool{}, listed: map[string][]byte{}}
	_, _ = rand.Read(s.state.key[:]) // never fails
	s.sdk = sdk.NewServer(&sdk.Implementation{Name: "abl-lsp", Version: o.Version}, &sdk.ServerOptions{
		Logger:       o.Logger,
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{ListChanged: true}, Logging: &sdk.LoggingCapabilities{}}, //nolint:staticcheck // for as long as clients have it
	})
	s.sdk.AddReceivingMiddleware(s.tellBroken)
	return s
}

// Set replaces the tools, and tells the clients where that changes something for them.
// left are those that cannot be offered, and why.
func (s *Server) Set(tools []invoke.Tool, broken []Broken) (left []string) {
	plain := make([]tool.Tool, len(tools))
	for i, t := range tools {
		plain[i], _ = executor.WithSchemas(t.Tool) // a call says what is wrong there
	}
	list, left := model.ListMCP(plain)
	s.mu.Lock()
	defer s.mu.Unlock()
	next := map[string]invoke.Tool{}
	for _, l := range list {
		name, err := s.list(l.Object)
		if err != nil {
			left = append(left, err.Error())
			continue
		}
		next[name] = tools[l.Index]
	}
	for name := range s.listed {
		if _, has := next[name]; !has {
			delete(s.listed, name)
			s.sdk.RemoveTools(name)
		}
	}
	s.tools, s.broken = next, broken
	return left
}

// list has the clients know a tool.
func (s *Server) list(o tool.Object) (name string, err error) {
	raw, err := json.Marshal(o)
	if err != nil {
		return "", err
	}
	var t struct {
		Name         string               `json:"name"`
		Description  string               `json:"description"`
		InputSchema  json.RawMessage      `json:"inputSchema"`
		OutputSchema json.RawMessage      `json:"outputSchema"`
		Annotations  *sdk.ToolAnnotations `json:"annotations"`
	}
	if err := json.Unmarshal(raw, &t); err != nil {
		return "", err
	}
	if bytes.Equal(s.listed[t.Name], raw) {
		return t.Name, nil
	}
	listed := &sdk.Tool{Name: t.Name, Description: t.Description, InputSchema: t.InputSchema, Annotations: t.Annotations}
	if t.OutputSchema != nil {
		listed.OutputSchema = t.OutputSchema
	}
	if err := s.add(listed); err != nil {
		return "", err
	}
	s.listed[t.Name] = raw
	return t.Name, nil
}

// add adds a tool to those of the library, which panics at a schema that it cannot
// read.
func (s *Server) add(t *sdk.Tool) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%s: the whole tool: %v", t.Name, v)
		}
	}()
	s.sdk.AddTool(t, s.call)
	return nil
}

// named is the tool of that name as it reads now.
func (s *Server) named(name string) (invoke.Tool, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, ok := s.tools[name]
	return t, ok
}

// Serve serves one client over a pair of streams, until it goes away or ctx ends. What
// it asked before it went is answered first, unless nobody hears it any more.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	err := s.sdk.Run(ctx, streams{in, out, stop})
	gone := errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe) // it says, or hears, no more
	if err != nil && !gone && ctx.Err() == nil {
		return fmt.Errorf("reading from the client: %w", err)
	}
	return nil
}
