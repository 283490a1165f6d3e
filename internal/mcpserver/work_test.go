package mcpserver

import (
	"context"
	"testing"
)

// TestDrain checks that a drain waits for the calls under way, and no others begin.
func TestDrain(t *testing.T) {
	w := newWork()
	first, _ := w.begin()
	second, _ := w.begin()
	first()
	first() // which counts once
	drained := make(chan struct{})
	go func() {
		w.drain(t.Context())
		close(drained)
	}()
	for !w.isDraining() {
	}
	if _, ok := w.begin(); ok {
		t.Error("a new call begins")
	}
	late, cancel := context.WithCancel(t.Context())
	cancel()
	w.drain(late) // returns, although a call is under way
	select {
	case <-drained:
		t.Error("drained before the call has ended")
	default:
	}
	second()
	<-drained
}
