package process

import (
	"bytes"
	"context"
	"crypto/rand"
	"os"
	"sync"
)

// Spool is a pipe for the output of a child. A caller that hears from the child in
// another way can [Spool.Flush] to get all earlier output first. It is safe for
// concurrent use, and must be closed.
type Spool struct {
	File *os.File // for Stdout, for Stderr, or for both

	r      *os.File
	handle func([]byte)
	mark   []byte        // behind what was printed so far
	done   chan struct{} // closed when nothing comes any more

	mu      sync.Mutex
	waiting []chan struct{} // one for each mark on its way
}

// NewSpool makes one. All that is printed goes to a function, which must not keep
// the bytes.
func NewSpool(to func([]byte)) (*Spool, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	s := &Spool{File: w, r: r, handle: to, mark: []byte("\x00" + rand.Text()), done: make(chan struct{})}
	go s.read()
	return s, nil
}

// Flush waits until all has arrived that is in the pipe by now. For this a mark is
// written behind it.
func (s *Spool) Flush(ctx context.Context) {
	if ctx.Err() != nil {
		return
	}
	arrived := make(chan struct{})
	s.mu.Lock()
	s.waiting = append(s.waiting, arrived)
	s.mu.Unlock()
	go func() { _, _ = s.File.Write(s.mark) }() // there may be no room yet
	select {
	case <-arrived:
	case <-s.done:
	case <-ctx.Done():
	}
}

// Close has what was printed arrive, and ends it: what left the child's group may
// still have the pipe open.
func (s *Spool) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), outputGrace)
	defer cancel()
	s.Flush(ctx)
	_ = s.File.Close()
	_ = s.r.Close()
	<-s.done
}

func (s *Spool) read() {
	defer close(s.done)
	buf := make([]byte, 32<<10)
	held := 0 // bytes at the beginning, which may be those of a mark
	for {
		n, err := s.r.Read(buf[held:])
		rest := s.passOutput(buf[:held+n])
		if err != nil {
			s.handle(rest)
			return
		}
		held = copy(buf, rest)
	}
}

// passOutput hands on what was printed, without the marks. What may be the beginning of
// one is left.
func (s *Spool) passOutput(p []byte) (rest []byte) {
	for {
		at := bytes.Index(p, s.mark)
		if at < 0 {
			break
		}
		s.handle(p[:at])
		s.markArrived()
		p = p[at+len(s.mark):]
	}
	n := min(len(p), len(s.mark)-1)
	for !bytes.HasSuffix(p, s.mark[:n]) {
		n--
	}
	s.handle(p[:len(p)-n])
	return p[len(p)-n:]
}

// markArrived is called for a mark. Which one it is does not matter: all that the first
// of those who wait is waiting for was in the pipe before any of them was written.
func (s *Spool) markArrived() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.waiting[0])
	s.waiting = s.waiting[1:]
}
