package process

import (
	"bytes"
	"context"
	"crypto/rand"
	"os"
	"sync"
)

// Spool is a pipe for the output of a child. If the child also communicates in another way, the
// caller can [Spool.Flush] to get all earlier output first. It is safe for concurrent use. The
// caller must close it.
type Spool struct {
	File *os.File // for Stdout, for Stderr, or for both

	r      *os.File
	handle func([]byte)
	mark   []byte        // follows what was printed so far
	done   chan struct{} // closed when no more output comes

	mu      sync.Mutex
	waiting []chan struct{} // one for each mark that has not arrived
}

// NewSpool returns a Spool that passes all output to the function to, which must not keep the
// bytes.
func NewSpool(to func([]byte)) (*Spool, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	s := &Spool{File: w, r: r, handle: to, mark: []byte("\x00" + rand.Text()), done: make(chan struct{})}
	go s.read()
	return s, nil
}

// Flush waits until everything that is now in the pipe has arrived. To find out, it writes a mark
// into the pipe.
func (s *Spool) Flush(ctx context.Context) {
	if ctx.Err() != nil {
		return
	}
	arrived := make(chan struct{})
	s.mu.Lock()
	s.waiting = append(s.waiting, arrived)
	s.mu.Unlock()
	go func() { _, _ = s.File.Write(s.mark) }() // it may have to wait for room
	select {
	case <-arrived:
	case <-s.done:
	case <-ctx.Done():
	}
}

// Close waits for the printed output to arrive, and closes the pipe. It does not wait for the
// pipe's end, because a process that left the child's group may still have it open.
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
	pending := 0 // bytes at the beginning of buf that may belong to a mark
	for {
		n, err := s.r.Read(buf[pending:])
		rest := s.passOutput(buf[:pending+n])
		if err != nil {
			s.handle(rest)
			return
		}
		pending = copy(buf, rest)
	}
}

// passOutput passes the output on without the marks. It returns the end of p if that may be the
// beginning of a mark.
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

// markArrived is called for each mark, and wakes the first waiting Flush. It does not matter which
// mark it was: the output that the first Flush waits for was in the pipe before any of the marks.
func (s *Spool) markArrived() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.waiting[0])
	s.waiting = s.waiting[1:]
}
