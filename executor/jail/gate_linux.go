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
	readyReader, readyWriter *os.File // there is somebody at the gate
	goReader, goWriter       *os.File // who may go on
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
	return &gate{readyReader: said, readyWriter: says, goReader: waits, goWriter: opens}, nil
}

// childFiles are the files that bubblewrap hands on.
func (g *gate) childFiles() []*os.File { return []*os.File{g.readyWriter, g.goReader} }

// gatedCommand are those of a program behind the gate, where theirs begin at a descriptor.
func (*gate) gatedCommand(first int, program []string) []string {
	says, waits := strconv.Itoa(first), strconv.Itoa(first+1)
	script := fmt.Sprintf(`echo >&%s && read -r _ <&%s && exec "$@" %[1]s>&- %[2]s<&-`, says, waits)
	return append([]string{"/bin/sh", "-c", script, "sh"}, program...)
}

// open opens it in time. It ends at the latest when it is closed.
func (g *gate) open() {
	if _, err := g.readyReader.Read(make([]byte, 1)); err == nil {
		_, _ = g.goWriter.WriteString("\n") // a program that is gone does not wait
	}
}

func (g *gate) close() {
	for _, f := range append(g.childFiles(), g.readyReader, g.goWriter) {
		_ = f.Close()
	}
}
