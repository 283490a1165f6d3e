package jail

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor/process"
	"github.com/abl-lsp/abl-lsp/internal/testdeps"
)

// TestGate checks that a program whose parent has ended before it began does not run.
func TestGate(t *testing.T) {
	path := testdeps.FindProgram(t, Bubblewrap.Command())
	for _, gone := range []bool{false, true} {
		t.Run(fmt.Sprint(gone), func(t *testing.T) {
			g, err := newGate()
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(g.close)
			if gone {
				_ = g.goWriter.Close() // as the kernel does for one that is killed
			}
			c, done, err := startGated(g, path, Program{Words: []string{"/bin/echo", "ran"}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(done)
			var out bytes.Buffer
			c.Stdout = &out
			p, err := process.Start(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Wait(); (err != nil) != gone || (out.String() == "ran\n") == gone {
				t.Errorf("its parent gone: %v; it printed %q, %v", gone, out.String(), err)
			}
		})
	}
}
