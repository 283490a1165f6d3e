package lsp

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
)

// errStopped is the cause of a context that was cancelled because the person cancelled
// the progress.
var errStopped = errors.New("stopped by the person")

// indexProgress shows how many files of the folders have been read. It never waits for
// the client. A nil indexProgress does nothing on report.
type indexProgress struct {
	shown atomic.Pointer[progress] // nil until the client has created the progress
	end   context.CancelFunc
}

// showIndexing begins a progress report. The returned context is cancelled with
// errStopped if the person cancels the report. The caller must call end.
func (c *client) showIndexing(ctx context.Context) (context.Context, *indexProgress) {
	ctx, stop := context.WithCancelCause(ctx)
	ended, end := context.WithCancel(c.Context())
	x := &indexProgress{end: end}
	c.Go("progress", func(ctx context.Context) {
		token := c.createProgress(ctx) // a progress that was created must be used: Helix shows it until it ends
		x.shown.Store(c.startProgress(token, "Reading the workspace", func() { stop(errStopped) }))
		<-ended.Done()
		x.shown.Load().end("")
	})
	return ctx, x
}

// reportEvery is the number of files between two reports of the progress.
const reportEvery = 100

// report shows that some of all files are read. Most calls send nothing.
func (x *indexProgress) report(done, all int) {
	if x != nil && done > 0 && done%reportEvery == 0 {
		x.shown.Load().report(fmt.Sprintf("%d of %d files", done, all))
	}
}
