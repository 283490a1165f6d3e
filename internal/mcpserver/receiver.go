package mcpserver

import (
	"io"
	"sync"
	"sync/atomic"
)

// receiver reads what a client sends. The goroutine that has read a message answers it if that can
// be done at once, while another goroutine goes on reading: waking a goroutine for each message
// takes longer than most answers. The library gets all other messages through Read.
type receiver struct {
	lines  *lineReader
	direct func(line []byte) (answer func()) // nil: the library answers it
	closed chan struct{}                     // closed when messages are no longer wanted

	libraryLines chan []byte // for the library; closed at the end
	partialLine  []byte      // of the line that the library reads

	readLock sync.Mutex   // the reading goroutine holds it
	readers  atomic.Int32 // the goroutines that read, or wait for their turn
	err      error        // why there are no more messages, once libraryLines is closed
	ended    bool
}

// maxReaders limits the goroutines that read or wait to read.
const maxReaders = 2

func newReceiver(l *lineReader, direct func(line []byte) (answer func()), closed chan struct{}) *receiver {
	return &receiver{lines: l, direct: direct, closed: closed, libraryLines: make(chan []byte)}
}

// start begins to read.
func (r *receiver) start() {
	r.readers.Store(1)
	go r.receive()
}

// receive reads messages for as long as this goroutine is needed.
func (r *receiver) receive() {
	for r.receiveOne() {
	}
}

// receiveOne reads one message, and answers it if that can be done at once. again says whether to
// go on reading.
func (r *receiver) receiveOne() (again bool) {
	answer, ok := r.readOne()
	switch {
	case !ok:
		return false
	case answer == nil:
		return true
	}
	answer()
	return r.addReader()
}

// addReader counts a goroutine that has answered among the readers, unless there are enough. The
// goroutine must then read: the last reader relies on it.
func (r *receiver) addReader() (ok bool) {
	for {
		n := r.readers.Load()
		if n >= maxReaders {
			return false
		}
		if r.readers.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// readOne waits for the lock and reads one message. If it returns an answer to make, it makes sure
// that another goroutine goes on reading.
func (r *receiver) readOne() (answer func(), ok bool) {
	r.readLock.Lock()
	defer r.readLock.Unlock()
	if r.ended {
		return nil, false
	}
	line, err := r.lines.nextMessage()
	if err != nil {
		r.finish(err)
		return nil, false
	}
	if answer = r.direct(line); answer == nil {
		return nil, r.passToLibrary(line)
	}
	if r.readers.Add(-1) == 0 {
		r.readers.Add(1)
		go r.receive()
	}
	return answer, true
}

// passToLibrary leaves a line to the library. ok is false if the library reads no more.
func (r *receiver) passToLibrary(line []byte) (ok bool) {
	select {
	case r.libraryLines <- append(line, '\n'):
		return true
	case <-r.closed:
		r.finish(io.EOF)
		return false
	}
}

func (r *receiver) finish(err error) {
	r.err, r.ended = err, true
	close(r.libraryLines)
}

// Read implements [io.Reader] for the library.
func (r *receiver) Read(p []byte) (int, error) {
	if len(r.partialLine) == 0 {
		line, ok := <-r.libraryLines
		if !ok {
			return 0, r.err
		}
		r.partialLine = line
	}
	n := copy(p, r.partialLine)
	r.partialLine = r.partialLine[n:]
	return n, nil
}
