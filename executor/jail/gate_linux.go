package jail

import (
	"fmt"
	"os"
	"strconv"
)

// A gate is what a program waits behind until it is sure to end with this process.
// Bubblewrap asks the kernel for that a moment after it has begun; were this process
// killed before, the program would run on for good. By the time it starts anything, it
// has asked. It is not to be ended sooner either: its child would wait for it for good.
type gate struct {
	said, says   *os.File // there is somebody at the gate
	waits, opens *os.File // who may go on
}

func newGate() (*gate, error) {
	said, says, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("its gate: %w", err)
	}
	waits, opens, err := os.Pipe()
	if err != nil {
		_, _ = said.Close(), says.Close()
		return nil, fmt.Errorf("its gate: %w", err)
	}
	return &gate{said: said, says: says, waits: waits, opens: opens}, nil
}

// theirs are the files that bubblewrap hands on.
func (g *gate) theirs() []*os.File { return []*os.File{g.says, g.waits} }

// words are those of a program behind the gate, where theirs begin at a descriptor.
func (*gate) words(first int, program []string) []string {
	says, waits := strconv.Itoa(first), strconv.Itoa(first+1)
	script := fmt.Sprintf(`echo >&%s && read -r _ <&%s && exec "$@" %[1]s>&- %[2]s<&-`, says, waits)
	return append([]string{"/bin/sh", "-c", script, "sh"}, program...)
}

// open opens it in time. It ends at the latest when it is closed.
func (g *gate) open() {
	if _, err := g.said.Read(make([]byte, 1)); err == nil {
		_, _ = g.opens.WriteString("\n") // a program that is gone does not wait
	}
}

func (g *gate) close() {
	for _, f := range append(g.theirs(), g.said, g.opens) {
		_ = f.Close()
	}
}
