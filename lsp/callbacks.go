package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/zap"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/invoke"
	"github.com/abl-lsp/abl-lsp/tool"
)

// resultMethod is the notification with the result of a run that an earlier session
// began.
const resultMethod = "abl/runResult"

// runResult holds the parameters of a resultMethod notification.
type runResult struct {
	URI      uri.URI         `json:"uri"` // of the file that declares the tool
	Envelope json.RawMessage `json:"envelope"`
}

// claimInterval is how long to wait before looking again for callbacks whose process may
// have ended.
const claimInterval = 2 * time.Second

// callbacks waits for the callbacks of runs that earlier sessions began.
type callbacks struct {
	*checker
	opts     *Options
	client   *client
	session  *session
	files    *workspaceFiles
	claiming sync.Mutex // is held by the job that looks for callbacks
}

// startWaiting starts to wait for the callbacks of runs of files in the session's
// folders. It is called whenever the workspace may have become trusted.
func (c *callbacks) startWaiting() {
	if c.opts.Executor == nil || !orZero(c.session.load().settings.Trusted) {
		return
	}
	c.client.GoUntilDone("callbacks", func(ctx context.Context) {
		if !c.claiming.TryLock() {
			return // another job does
		}
		defer c.claiming.Unlock()
		reported := map[string]bool{}
		for c.claimCallbacks(ctx, reported) {
			select {
			case <-ctx.Done():
				return
			case <-time.After(claimInterval):
			}
		}
	})
}

// claimCallbacks takes over callbacks whose processes have ended, and reports whether
// other processes still wait for some. reported are the runs about whose failure the
// person knows.
func (c *callbacks) claimCallbacks(ctx context.Context, reported map[string]bool) (again bool) {
	snap := c.session.load()
	if !orZero(snap.settings.Trusted) {
		return false
	}
	claimed, busy, err := c.opts.Executor.ClaimPending(ctx, func(p executor.PendingCall) bool {
		return p.Task == "" && p.Repeat == "" && snap.folderOf(p.File) != ""
	})
	if err != nil {
		c.client.logAndShow(protocol.MessageTypeWarning, "What earlier sessions wait for is not known: %v", err)
	}
	for _, p := range claimed {
		switch {
		case p.Fault == nil:
			c.client.GoUntilDone("callback", func(ctx context.Context) { c.resumeCall(ctx, p) })
		case !reported[p.Run]:
			reported[p.Run] = true
			c.client.logAndShow(protocol.MessageTypeWarning, "The result of %s, which an earlier session began, cannot come: %v", p.Tool, p.Fault)
		}
	}
	return busy > 0
}

// resumeCall waits for one callback, and sends the client the result.
func (c *callbacks) resumeCall(ctx context.Context, p executor.PendingCall) {
	ctx, progress := c.client.beginProgress(ctx, nil, "Running "+p.Tool)
	req := c.pendingRequest(ctx, p)
	req.Trusted = true
	req.Report = progress.showRun
	envelope := c.opts.Executor.Resume(ctx, req, p)
	progress.end(outcomeMessage(envelope))
	if c.client.Context().Err() != nil {
		return // the session is over
	}
	raw, err := encodeEnvelope(envelope)
	if err != nil {
		c.client.log.Error("result", zap.Error(err))
		return
	}
	c.client.Notify(resultMethod, runResult{uri.File(p.File), json.RawMessage(raw)})
	kind := protocol.MessageTypeInfo
	if !envelope.OK {
		kind = protocol.MessageTypeWarning
	}
	c.client.log.Info("callback", zap.String("tool", p.Tool), zap.String("run", p.Run), zap.Bool("ok", envelope.OK)) // without the error, which may quote the result
	c.client.showMessage(kind, fmt.Sprintf("%s, which an earlier session began: %s", p.Tool, outcomeMessage(envelope)))
}

// pendingRequest returns the request for the run of p, built from the tool as it is now.
// If the tool does not exist any more, has errors or has another kind, pendingRequest
// warns the person, and returns a request whose result is neither checked nor stored.
func (c *callbacks) pendingRequest(ctx context.Context, p executor.PendingCall) executor.Request {
	snap := c.files.withFile(c.session.load(), p.File)
	t, ok := invoke.Find(snap.workspace, p.File, p.Tool, c.checkAllIn(ctx, snap))
	if ok && len(t.Broken) == 0 && t.Tool.Kind == p.Kind {
		if req, err := t.Request(invoke.CallOptions{Environment: p.Environment}); err == nil {
			return req
		}
	}
	c.client.logAndShow(protocol.MessageTypeWarning, "%s is not what it was when it was run; its result is not checked", p.Tool)
	gone := &tool.Tool{Name: p.Tool, Kind: p.Kind, Spec: &tool.AsyncWebhook{}}
	gone.Origin.File = p.File
	gone.StoreResult, gone.PIIAccess = "false", "user"
	return executor.Request{Tool: gone, Environment: executor.Environment{Name: p.Environment}}
}
