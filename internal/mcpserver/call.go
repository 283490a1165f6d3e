package mcpserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
)

// handleCall answers a call of a tool. A failure of the tool is its result, which a model can read;
// only what no caller can fix is an error of the protocol.
func (s *Server) handleCall(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	t, ok := s.currentTool(r.Params.Name)
	if !ok {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("there is no tool %q any more", r.Params.Name)}
	}
	req, fault := s.requestOf(t, r.Extra)
	if fault != nil {
		return failureResult(executor.RefusedEnvelope(t.tool, fault)), nil
	}
	req.Args = r.Params.Arguments
	addTrace(&req, r)
	c := &conversation{server: s, call: r, client: clientOf(r.Session, r.Params.Meta), task: taskOf(ctx)}
	c.reportProgress(ctx, &req, t.tool.ModelContext() != nil)
	return c.answerOnce(ctx, t, req)
}

// requestOf returns the request for calls of a tool that a caller makes, without arguments.
func (s *Server) requestOf(t servedTool, caller *sdk.RequestExtra) (executor.Request, *executor.Error) {
	req, err := t.request()
	if err != nil {
		fault, ok := errors.AsType[*executor.Error](err)
		if !ok {
			fault = executor.Errorf(executor.KindDefinition, "environment", "%w", err)
		}
		return req, fault
	}
	s.opts.ApplyAnswers(&req)
	req.FromModel = true
	addIdentityTokens(&req, caller)
	return req, nil
}

// answerOnce answers the call: by the answer of an earlier call if that had the same idempotency key.
func (c *conversation) answerOnce(ctx context.Context, t servedTool, req executor.Request) (*sdk.CallToolResult, error) {
	key, err := clientKey(c.call)
	switch {
	case err != nil:
		return failureResult(executor.RefusedEnvelope(t.tool, err)), nil
	case key == "":
		return c.runCall(ctx, t, req)
	}
	return c.server.repeats.answer(ctx, newRepeatableCall(c, t, req, key))
}

// addIdentityTokens takes the caller's identity tokens from the headers of the request, and the
// identity from the access token by which the caller is known. Tokens of the command line do not stand
// for a caller with an identity of the same issuer.
func addIdentityTokens(req *executor.Request, caller *sdk.RequestExtra) {
	if caller == nil {
		return
	}
	if c := knownCaller(caller); c != nil && c.Claims != nil {
		req.Identity = &executor.Identity{Issuer: c.Issuer, Claims: c.Claims}
		req.AuthTokens = maps.Clone(req.AuthTokens)
		for name, service := range req.Environment.AuthServices {
			if service.Issuer == c.Issuer {
				delete(req.AuthTokens, name)
			}
		}
	}
	tokens := map[string]string{}
	for service := range req.Environment.AuthServices {
		if token := caller.Header.Get(tokenHeader(service)); token != "" {
			tokens[service] = strings.TrimPrefix(token, "Bearer ")
		}
	}
	if len(tokens) > 0 {
		req.AuthTokens = tokens
	}
}

// tokenHeader returns the header for the identity token of an auth service.
func tokenHeader(service string) string { return service + "_token" }

// withTokenHeader adds the name of the HTTP header to the refusal for a missing identity token.
func withTokenHeader(e executor.Envelope, r *sdk.CallToolRequest) executor.Envelope {
	if e.Error == nil || e.Error.Code != executor.CodeMissingToken || r.Extra == nil || r.Extra.Header == nil {
		return e
	}
	services, _ := e.Error.Details["services"].([]string)
	headers := make([]string, len(services))
	for i, service := range services {
		headers[i] = tokenHeader(service)
	}
	refusal := *e.Error
	e.Error, e.Needs = refusal.WithHint("Send it in the request's header %s.", strings.Join(headers, " or ")), nil
	return e
}

// conversation is one call, with the questions that are asked meanwhile.
type conversation struct {
	server   *Server
	call     *sdk.CallToolRequest
	client   client
	task     *task        // nil: the client waits for the call
	progress atomic.Int64 // the number of notifications so far

	last *executor.Envelope // of the last run; nil: there is none
}

// taskID returns the id of the call's task; "" if the client waits for the call.
func (c *conversation) taskID() string {
	if c.task == nil {
		return ""
	}
	return c.task.record.Task.ID
}

// runCall runs the call, and again with each answer of the person.
func (c *conversation) runCall(ctx context.Context, t servedTool, req executor.Request) (*sdk.CallToolResult, error) {
	given, err := c.server.state.openState(c.call)
	if err != nil {
		return nil, err
	}
	c.allowQuestions(ctx, &req)
	running, release := c.runContext(ctx)
	defer release()
	for !given.declined {
		envelope, err := c.run(running, t, given.applyTo(req))
		if c.task == nil && t.tool.ModelContext() == nil {
			c.logConsole(ctx, envelope)
		}
		if err != nil {
			return nil, err
		}
		questions := c.client.questions(t.tool, envelope.Needs)
		switch {
		case len(questions) == 0:
			if err := c.client.missingCapability(envelope); err != nil {
				return nil, err
			}
			return toolResult(t.tool, withTokenHeader(envelope, c.call), c.client.usesRounds), nil
		case c.client.usesRounds && c.task == nil:
			return c.server.state.sealQuestions(c.call, given, questions)
		}
		err = c.askAll(ctx, &given, questions)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			return failureResult(executor.RefusedEnvelope(t.tool, executor.Errorf(executor.KindDenied, "unasked", "%w", err))), nil
		}
	}
	return failureResult(executor.RefusedEnvelope(t.tool, executor.Errorf(executor.KindDenied, "declined", "the person has said no to %s", t.tool.QualifiedName()))), nil
}

// run runs the call once.
func (c *conversation) run(ctx context.Context, t servedTool, req executor.Request) (executor.Envelope, error) {
	if c.task != nil {
		leave, err := c.server.tasks.takePlace(ctx, callerName(c.call.Extra), t.tool)
		if err != nil {
			return executor.Envelope{}, err
		}
		defer leave()
	}
	envelope := c.server.opts.Run(ctx, req)
	c.logRun(ctx, req, &envelope)
	c.last = &envelope
	return envelope, ctx.Err()
}

// reportProgress sends the client the call's progress and streamed output: as progress if the
// client wants that, else as a log message. Streamed output is not sent if the result is truncated
// for models (isCut).
func (c *conversation) reportProgress(ctx context.Context, req *executor.Request, isCut bool) {
	if c.task != nil {
		req.Task, req.Report = c.task.record.Task.ID, c.task.report
		return
	}
	token := c.call.Params.GetProgressToken()
	req.Report = func(p executor.Progress) {
		if isCut {
			p.Chunk = ""
		}
		for _, message := range []string{p.Message, p.Chunk} {
			switch {
			case message == "":
			case token != nil:
				_ = c.call.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
					ProgressToken: token, Progress: float64(c.progress.Add(1)), Message: message,
				}) // a client that is gone needs none
			default:
				_ = c.call.Session.Log(ctx, &sdk.LoggingMessageParams{Level: "info", Logger: c.call.Params.Name, Data: message}) //nolint:staticcheck // for as long as clients have it
			}
		}
	}
}

// runContext returns the context of the run, which ends with ctx. Over HTTP it has none of ctx's
// values: by those the library would take a call of another MCP server for one of this client. release
// must be called after the run.
func (c *conversation) runContext(ctx context.Context) (running context.Context, release func()) {
	if c.call.Extra == nil || c.call.Extra.Header == nil {
		return ctx, func() {}
	}
	running, cancel := context.WithCancelCause(context.Background())
	stop := context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })
	return running, func() {
		stop()
		cancel(nil)
	}
}

// withValues is a context with the values of another one.
type withValues struct {
	context.Context
	values context.Context
}

// Value implements [context.Context].
func (c withValues) Value(key any) any { return c.values.Value(key) }

// logConsole sends the client what the run printed, as log messages.
func (c *conversation) logConsole(ctx context.Context, e executor.Envelope) {
	e.EachLine(func(level, line string) {
		_ = c.call.Session.Log(ctx, &sdk.LoggingMessageParams{Level: sdk.LoggingLevel(level), Logger: c.call.Params.Name, Data: line}) //nolint:staticcheck // for as long as clients have it
	})
}

// warningsKey is the key of a run's warnings in the result's _meta. They are not part of its text.
const warningsKey = "abl-lsp/warnings"

// describeNeeds says how a person can provide what is missing, if the client cannot ask.
func describeNeeds(n *executor.Needs) string {
	switch {
	case n == nil:
		return ""
	case n.Confirmation != nil:
		return n.Confirmation.Summary + "\nNobody has confirmed it. Use a client that can ask (elicitation), or start the server with --yes."
	case len(n.Permission) > 0:
		return "Use a client that can ask (elicitation), or allow it under permissions in abl.yaml."
	case len(n.Secrets) > 0:
		return "Whoever runs the server sets " + strings.Join(n.Secrets, ", ") + ": in the environment, in .env, or by `abl-lsp secrets set`. A secret is never asked for here."
	case n.Input != nil:
		return "Use a client that can ask its person for another server (elicitation)."
	case n.Browser != "":
		return "Open this page, sign in, and call again: " + n.Browser
	}
	return ""
}

// textContents returns a result's text, or else its value, as contents.
func textContents(text, value string) []sdk.Content {
	return []sdk.Content{&sdk.TextContent{Text: cmp.Or(text, value)}}
}
