package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/abl-lsp/abl-lsp/executor"
)

// streamPrinter prints what a tool streams as it arrives.
type streamPrinter struct {
	out io.Writer

	mu      sync.Mutex
	printed strings.Builder
}

func (l *streamPrinter) printOutput(p executor.Progress) {
	if p.Chunk == "" {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprint(l.out, p.Chunk)
	l.printed.WriteString(p.Chunk)
}

// withoutPrinted returns an envelope without what has been printed already: without the
// text that was streamed in pieces, and without a value that was a single piece.
func (l *streamPrinter) withoutPrinted(e executor.Envelope) executor.Envelope {
	l.mu.Lock()
	defer l.mu.Unlock()
	printed := l.printed.String()
	if printed != "" && !strings.HasSuffix(printed, "\n") {
		fmt.Fprintln(l.out)
	}
	if printed != "" && (printed == e.Text || sameJSON([]byte(printed), e.Value)) {
		e.Text, e.Value = "", nil
	}
	return e
}

func sameJSON(a, b []byte) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}
