package mcpserver

import (
	"context"
	"io"
	"os"
	"time"
)

// hangUpInterval is the interval of the checks whether a client that has ended its input still
// reads answers.
const hangUpInterval = 200 * time.Millisecond

// watchHangUp calls stop when no one can read out any more, for example after the client's death.
// It can find that out only about the pipes of a process.
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
