package lsp

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
)

// errStopped is why the files of the folders are not read to the end where the
// person has stopped that.
var errStopped = errors.New("stopped by the person")

// indexing shows that the files of the folders are read. It waits for no client.
type indexing struct {
	shown atomic.Pointer[progress] // nil until the client has a place for it
	end   context.CancelFunc
}

// showIndexing begins. The context it returns is done with errStopped where the
// person stops the reading.
func (c *client) showIndexing(ctx context.Context) (context.Context, *indexing) {
	ctx, stop := context.WithCancelCause(ctx)
	ended, end := context.WithCancel(c.Context())
	x := &indexing{end: end}
	c.Go("progress", func(ctx context.Context) {
		token := c.createProgress(ctx) // a place that is asked for is used: Helix shows it from then on
		x.shown.Store(c.startProgress(token, "Reading the workspace", func() { stop(errStopped) }))
		<-ended.Done()
		x.shown.Load().end("")
	})
	return ctx, x
}

// reportEvery is after how many files the person hears of it.
const reportEvery = 100

func (x *indexing) report(done, all int) {
	if x != nil && done > 0 && done%reportEvery == 0 {
		x.shown.Load().report(fmt.Sprintf("%d of %d files", done, all))
	}
}
