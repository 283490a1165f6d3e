package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/zap"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/invoke"
	"github.com/abl-lsp/abl-lsp/tool"
)

// resultMethod is the notification with which the result of a run comes that an
// earlier session began.
const resultMethod = "abl/runResult"

// runResult is that result.
type runResult struct {
	URI      uri.URI         `json:"uri"` // of the file that declares the tool
	Envelope json.RawMessage `json:"envelope"`
}

// lookAgain is after how long those are looked for whose process may have ended
// meanwhile.
const lookAgain = 2 * time.Second

// awaitCallbacks waits for what earlier sessions of these folders were waiting
// for. It is called whenever the person may have come to trust them.
func (s *server) awaitCallbacks() {
	if s.opts.Executor == nil || !orZero(s.session.load().settings.Trusted) {
		return
	}
	s.client.GoLasting("callbacks", func(ctx context.Context) {
		if !s.claiming.TryLock() {
			return // somebody does
		}
		defer s.claiming.Unlock()
		told := map[string]bool{}
		for s.claimCallbacks(ctx, told) {
			select {
			case <-ctx.Done():
				return
			case <-time.After(lookAgain):
			}
		}
	})
}

// claimCallbacks reports whether others still wait for some. told are the runs
// of which the person knows that they cannot be waited for.
func (s *server) claimCallbacks(ctx context.Context, told map[string]bool) (again bool) {
	at := s.session.load()
	if !orZero(at.settings.Trusted) {
		return false
	}
	claimed, busy, err := s.opts.Executor.Claim(ctx, func(p executor.Pending) bool { return at.folderOf(p.File) != "" })
	if err != nil {
		s.client.inform(protocol.MessageTypeWarning, "What earlier sessions wait for is not known: %v", err)
	}
	for _, p := range claimed {
		switch {
		case p.Fault == nil:
			s.client.GoLasting("callback", func(ctx context.Context) { s.awaitCallback(ctx, p) })
		case !told[p.Run]:
			told[p.Run] = true
			s.client.inform(protocol.MessageTypeWarning, "The result of %s, which an earlier session began, cannot come: %v", p.Tool, p.Fault)
		}
	}
	return busy > 0
}

// awaitCallback waits for one, and tells the person what came.
func (s *server) awaitCallback(ctx context.Context, p executor.Pending) {
	ctx, progress := s.client.beginProgress(ctx, nil, "Running "+p.Tool)
	req := s.pendingRequest(ctx, p)
	req.Trusted = true
	req.Report = progress.follow
	envelope := s.opts.Executor.Resume(ctx, req, p)
	progress.end(outcome(envelope))
	if s.client.Context().Err() != nil {
		return // the session is over
	}
	raw, err := wire(envelope)
	if err != nil {
		s.log.Error("result", zap.Error(err))
		return
	}
	s.client.Notify(resultMethod, runResult{uri.File(p.File), json.RawMessage(raw)})
	kind := protocol.MessageTypeInfo
	if !envelope.OK {
		kind = protocol.MessageTypeWarning
	}
	s.log.Info("callback", zap.String("tool", p.Tool), zap.String("run", p.Run), zap.Bool("ok", envelope.OK)) // what went wrong may quote what came
	s.client.show(kind, fmt.Sprintf("%s, which an earlier session began: %s", p.Tool, outcome(envelope)))
}

// pendingRequest is what is known of the tool by now. Of one that is gone, or
// broken, nothing is checked, and nothing kept.
func (s *server) pendingRequest(ctx context.Context, p executor.Pending) executor.Request {
	at := s.workspace.completed(s.client.Context(), s.session.load(), p.File)
	t, ok := invoke.Find(at.workspace, p.File, p.Tool, func(path string) []analysis.Diagnostic { return s.checkAll(ctx, at, path) })
	if ok && len(t.Broken) == 0 && t.Tool.Kind == p.Kind {
		if req, err := t.Request(invoke.Choice{Environment: p.Environment}); err == nil {
			return req
		}
	}
	s.client.inform(protocol.MessageTypeWarning, "%s is not what it was when it was run; its result is not checked", p.Tool)
	gone := &tool.Tool{Name: p.Tool, Kind: p.Kind, Spec: &tool.AsyncWebhook{}}
	gone.Origin.File = p.File
	gone.StoreResult, gone.PIIAccess = "false", "user"
	return executor.Request{Tool: gone, Environment: executor.Environment{Name: p.Environment}}
}
