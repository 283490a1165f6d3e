package mcpserver

import (
	"context"
	"io"
	"os"
	"time"
)

// hangUpInterval is how often it is looked whether a client that says no more still hears.
const hangUpInterval = 200 * time.Millisecond

// watchHangUp calls stop once nobody can read what is written to out, as after the death
// of a client. It can be told of the pipes of a process.
func watchHangUp(ctx context.Context, out io.Writer, stop func()) {
	file, ok := out.(*os.File)
	if !ok {
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(hangUpInterval):
		}
		if isHungUp(file) {
			stop()
			return
		}
	}
}
