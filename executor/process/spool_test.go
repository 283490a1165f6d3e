package process

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// outputCollector collects what a spool passes on.
type outputCollector struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (h *outputCollector) collect(p []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text.Write(p)
}

func (h *outputCollector) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.String()
}

// TestSpool checks that Flush returns after all earlier output has arrived, and that nothing else
// arrives.
func TestSpool(t *testing.T) {
	var h outputCollector
	s, err := NewSpool(h.collect)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 50 {
				line := fmt.Sprintf("%d of %d says %s\n", j, i, strings.Repeat("🧀", 500))
				if _, err := s.File.WriteString(line); err != nil {
					t.Error(err)
				}
				s.Flush(t.Context())
				if !strings.Contains(h.String(), line) {
					t.Errorf("%d of %d is not there", j, i)
				}
			}
		})
	}
	all.Wait()
	if _, err := s.File.WriteString("the last words"); err != nil {
		t.Error(err)
	}
	s.Close()
	if !strings.HasSuffix(h.String(), "the last words") {
		t.Error("the last words are lost")
	}
	if text := h.String(); strings.Count(text, "\n") != 400 || strings.Contains(text, "\x00") {
		t.Errorf("%d lines, a mark is %t", strings.Count(text, "\n"), strings.Contains(text, "\x00"))
	}
	s.Flush(t.Context()) // of what is closed waits for nothing
}

// TestSpoolInPieces checks that a mark may arrive in pieces, and that similar text is passed on.
func TestSpoolInPieces(t *testing.T) {
	var h outputCollector
	s := &Spool{handle: h.collect, mark: []byte("\x00AB"), waiting: []chan struct{}{make(chan struct{})}}
	arrived := s.waiting[0]
	var rest []byte
	for _, piece := range []string{"a\x00", "\x00A", "A\x00A", "Bb", "\x00"} {
		rest = s.passOutput(append(bytes.Clone(rest), piece...))
	}
	if got := h.String() + string(rest); got != "a\x00\x00AAb\x00" {
		t.Errorf("%q", got)
	}
	select {
	case <-arrived:
	default:
		t.Error("the mark was not seen")
	}
}

// TestSpoolGivesUp checks that Flush ends with its context, whatever the pipe does.
func TestSpoolGivesUp(t *testing.T) {
	entered, release := make(chan struct{}, 10), make(chan struct{})
	s, err := NewSpool(func([]byte) { entered <- struct{}{}; <-release })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.File.WriteString("x"); err != nil {
		t.Fatal(err)
	}
	<-entered
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	s.Flush(ctx)
	close(release)
	s.Close()
}
