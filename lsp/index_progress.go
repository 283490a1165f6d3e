package lsp

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
)

// errStopped is the cause of a context that the person has cancelled by stopping the
// progress.
var errStopped = errors.New("stopped by the person")

// indexProgress shows how many files of the folders are read. It does not wait for the
// client.
type indexProgress struct {
	shown atomic.Pointer[progress] // nil until the client has a place for it
	end   context.CancelFunc
}

// showIndexing begins a progress report. The context it returns is cancelled with
// errStopped if the person stops the reading.
func (c *client) showIndexing(ctx context.Context) (context.Context, *indexProgress) {
	ctx, stop := context.WithCancelCause(ctx)
	ended, end := context.WithCancel(c.Context())
	x := &indexProgress{end: end}
	c.Go("progress", func(ctx context.Context) {
		token := c.createProgress(ctx) // a place that is asked for is used: Helix shows it from then on
		x.shown.Store(c.startProgress(token, "Reading the workspace", func() { stop(errStopped) }))
		<-ended.Done()
		x.shown.Load().end("")
	})
	return ctx, x
}

// reportEvery is after how many files the progress is reported again.
const reportEvery = 100

func (x *indexProgress) report(done, all int) {
	if x != nil && done > 0 && done%reportEvery == 0 {
		x.shown.Load().report(fmt.Sprintf("%d of %d files", done, all))
	}
}
