package mcpserver

import (
	"context"
	"io"
	"os"
	"time"
)

// lookAgain is how often it is looked whether a client that says no more still hears.
const lookAgain = 200 * time.Millisecond

// awaitUnheard calls stop once nobody can read what is written to out, as after the death
// of a client. It can be told of the pipes of a process.
func awaitUnheard(ctx context.Context, out io.Writer, stop func()) {
	file, ok := out.(*os.File)
	if !ok {
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(lookAgain):
		}
		if unheard(file) {
			stop()
			return
		}
	}
}
