package lambda

import (
	"context"
	"strings"
	"sync"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/process"
)

// output collects what a function prints during each call. Standard output and standard error share
// one pipe, so that their lines keep their order.
type output struct {
	spool *process.Spool
	over  chan struct{} // closed when there is too much output

	mu        sync.Mutex
	capturing bool
	kept      []byte
	max       int64
}

func newOutput() (o *output, err error) {
	o = &output{over: make(chan struct{}), capturing: true, max: executor.Limits{}.MaxBytes()}
	o.spool, err = process.NewSpool(o.capture)
	return o, err
}

func (o *output) capture(p []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case !o.capturing:
	case int64(len(o.kept)+len(p)) > o.max:
		o.capturing = false
		close(o.over)
	default:
		o.kept = append(o.kept, p...)
	}
}

// begin starts to collect output, at most most bytes. What a new process has printed before
// belongs to its first call.
func (o *output) begin(most int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.capturing {
		o.kept, o.capturing = nil, true
	}
	o.max = most
}

// end stops collecting. It returns the output, and whether there was too much.
func (o *output) end(ctx context.Context) (string, bool) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		select {
		case <-o.over: // the function may go on printing
			stop()
		case <-ctx.Done():
		}
	}()
	o.spool.Flush(ctx)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.capturing = false
	select {
	case <-o.over:
		return strings.ToValidUTF8(string(o.kept), "\ufffd"), true
	default:
		return strings.ToValidUTF8(string(o.kept), "\ufffd"), false
	}
}
