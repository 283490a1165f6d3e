package lsp

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// progressReports are the progress reports that the client can cancel, by token.
type progressReports struct {
	count   atomic.Int64
	byToken sync.Map // values are context.CancelFunc
}

// end calls the cancel function of a report, and forgets the report.
func (p *progressReports) end(token protocol.ProgressToken) {
	known, _ := p.byToken.LoadAndDelete(token)
	if cancel, ok := known.(context.CancelFunc); ok {
		cancel()
	}
}

func cancelProgress(s *server, params *protocol.WorkDoneProgressCancelParams) error {
	s.client.progress.end(params.Token)
	return nil
}

// progress shows the progress of one piece of work to the person. A nil progress, for a
// client that shows none, does nothing.
type progress struct {
	client *client
	token  protocol.ProgressToken
}

// beginProgress starts a report under the token of a request, or under a new token if
// that is nil. The report's cancel button cancels the returned context. The caller must
// end the report.
func (c *client) beginProgress(ctx context.Context, token protocol.ProgressToken, title string) (context.Context, *progress) {
	ctx, cancel := context.WithCancel(ctx)
	if token == nil {
		token = c.createProgress(ctx)
	}
	return ctx, c.startProgress(token, title, cancel)
}

// startProgress starts a report with a title. The report's cancel button and the end of
// the report call cancel. startProgress returns nil if token is nil.
func (c *client) startProgress(token protocol.ProgressToken, title string, cancel context.CancelFunc) *progress {
	if token == nil {
		return nil
	}
	c.progress.byToken.Store(token, cancel)
	p := &progress{c, token}
	p.send(&protocol.WorkDoneProgressBegin{Kind: "begin", Title: title, Cancellable: new(true)})
	return p
}

// createProgress asks the client for a new report and returns its token, or nil if the
// client shows none. It waits for the client.
func (c *client) createProgress(ctx context.Context) protocol.ProgressToken {
	if !c.session.load().capabilities.Window.WorkDoneProgress {
		return nil
	}
	token := protocol.String(fmt.Sprintf("abl-lsp/%d", c.progress.count.Add(1)))
	params := &protocol.WorkDoneProgressCreateParams{Token: token}
	if err := c.Call(ctx, protocol.MethodWindowWorkDoneProgressCreate, params, nil); err != nil {
		c.log.Debug("no progress is shown", zap.Error(err))
		return nil
	}
	return token
}

// report shows a message about the work.
func (p *progress) report(message string) {
	if p != nil {
		p.send(&protocol.WorkDoneProgressReport{Kind: "report", Message: &message})
	}
}

// end ends the report with a last message. It must be called once.
func (p *progress) end(message string) {
	if p == nil {
		return
	}
	p.client.progress.end(p.token)
	p.send(&protocol.WorkDoneProgressEnd{Kind: "end", Message: &message})
}

func (p *progress) send(value any) {
	raw, err := protocol.Marshal(value)
	if err != nil {
		p.client.log.Error("progress", zap.Error(err))
		return
	}
	p.client.Notify(protocol.MethodProgress, &protocol.ProgressParams{Token: p.token, Value: raw})
}
