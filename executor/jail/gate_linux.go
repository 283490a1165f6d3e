package jail

import (
	"fmt"
	"os"
	"strconv"
)

// A gate makes a program wait until it is certain to end with this process. Bubblewrap
// asks the kernel for that shortly after it begins: if this process were killed before,
// the program would run for ever. Bubblewrap starts the program only after it has
// asked. Bubblewrap must not be killed earlier either, or its child would wait for ever.
type gate struct {
	readyReader, readyWriter *os.File // says that a program waits at the gate
	goReader, goWriter       *os.File // says that the program may go on
}

func newGate() (*gate, error) {
	readyReader, readyWriter, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("its gate: %w", err)
	}
	goReader, goWriter, err := os.Pipe()
	if err != nil {
		_, _ = readyReader.Close(), readyWriter.Close()
		return nil, fmt.Errorf("its gate: %w", err)
	}
	return &gate{readyReader: readyReader, readyWriter: readyWriter, goReader: goReader, goWriter: goWriter}, nil
}

// childFiles returns the ends of the pipes that bubblewrap passes to the program.
func (g *gate) childFiles() []*os.File { return []*os.File{g.readyWriter, g.goReader} }

// gatedCommand returns the words that run a program after the gate has opened. first is the
// descriptor of the first of the gate's files.
func (*gate) gatedCommand(first int, program []string) []string {
	ready, mayGo := strconv.Itoa(first), strconv.Itoa(first+1)
	script := fmt.Sprintf(`echo >&%s && read -r _ <&%s && exec "$@" %[1]s>&- %[2]s<&-`, ready, mayGo)
	return append([]string{"/bin/sh", "-c", script, "sh"}, program...)
}

// allowStart waits for the program and lets it go on. It returns when the gate is closed at the latest.
func (g *gate) allowStart() {
	if _, err := g.readyReader.Read(make([]byte, 1)); err == nil {
		_, _ = g.goWriter.WriteString("\n") // the program may have ended
	}
}

func (g *gate) close() {
	for _, f := range append(g.childFiles(), g.readyReader, g.goWriter) {
		_ = f.Close()
	}
}
