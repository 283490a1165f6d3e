package mcpserver

import (
	"io"
	"sync"
	"sync/atomic"
)

// receiver reads what a client sends. A message that can be answered at once is answered
// by the goroutine that has read it, while another one goes on reading: to wake a
// goroutine for each message takes longer than most answers. All other messages are
// left to the library, which gets them by Read.
type receiver struct {
	lines  *lines
	direct func(line []byte) (answer func()) // nil: the library answers it
	closed chan struct{}                     // nobody wants any more

	others chan []byte // for the library; closed at the end
	rest   []byte      // of the line that the library reads

	turn  sync.Mutex   // is held while reading
	ready atomic.Int32 // the goroutines that read, or wait for their turn
	err   error        // why there is no more, once others is closed
	ended bool
}

// maxReady is how many goroutines wait for their turn.
const maxReady = 2

func newReceiver(l *lines, direct func(line []byte) (answer func()), closed chan struct{}) *receiver {
	return &receiver{lines: l, direct: direct, closed: closed, others: make(chan []byte)}
}

// start begins to read.
func (r *receiver) start() {
	r.ready.Store(1)
	go r.receive()
}

// receive takes turns in reading, for as long as it is needed.
func (r *receiver) receive() {
	for r.next() {
	}
}

// next reads one message, and answers it where that can be done at once.
func (r *receiver) next() (again bool) {
	answer, ok := r.read()
	switch {
	case !ok:
		return false
	case answer == nil:
		return true
	}
	answer()
	return r.getReady()
}

// getReady counts a goroutine that has answered among those that read, unless there are
// enough. It never counts one that does not read then: the last reader would rely on it.
func (r *receiver) getReady() (ok bool) {
	for {
		n := r.ready.Load()
		if n >= maxReady {
			return false
		}
		if r.ready.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// read waits for its turn and reads one message. Where there is an answer to make, the
// turn is another one's from then on.
func (r *receiver) read() (answer func(), ok bool) {
	r.turn.Lock()
	defer r.turn.Unlock()
	if r.ended {
		return nil, false
	}
	line, err := r.lines.next()
	if err != nil {
		r.end(err)
		return nil, false
	}
	if answer = r.direct(line); answer == nil {
		return nil, r.leave(line)
	}
	if r.ready.Add(-1) == 0 {
		r.ready.Add(1)
		go r.receive()
	}
	return answer, true
}

// leave leaves a line to the library. ok is false where that wants none any more.
func (r *receiver) leave(line []byte) (ok bool) {
	select {
	case r.others <- append(line, '\n'):
		return true
	case <-r.closed:
		r.end(io.EOF)
		return false
	}
}

func (r *receiver) end(err error) {
	r.err, r.ended = err, true
	close(r.others)
}

// Read implements [io.Reader] for the library.
func (r *receiver) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		line, ok := <-r.others
		if !ok {
			return 0, r.err
		}
		r.rest = line
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
