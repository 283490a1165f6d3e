package lambda

import (
	"bytes"
	"context"
	"crypto/rand"
	"os"
	"strings"
	"sync"
)

// output is what a function prints: of each call what is printed during it. Both
// its standard output and its standard error are the one pipe, so that lines keep
// their order.
type output struct {
	r, w *os.File
	over chan struct{} // closed when there is too much
	done chan struct{} // closed when nothing comes any more

	mu     sync.Mutex
	taking bool
	kept   []byte
	max    int64
	mark   []byte        // after it, nothing belongs to the call
	marked chan struct{} // closed when the mark came
}

func newOutput() (*output, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	o := &output{r: r, w: w, over: make(chan struct{}), done: make(chan struct{}), taking: true, max: usualMax}
	go o.read()
	return o, nil
}

func (o *output) close() {
	_ = o.w.Close()
	_ = o.r.Close() // what left its group may still have it open
	<-o.done
}

func (o *output) read() {
	defer close(o.done)
	buf := make([]byte, 32<<10)
	for {
		n, err := o.r.Read(buf)
		o.take(buf[:n])
		if err != nil {
			return
		}
	}
}

func (o *output) take(p []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.taking {
		return
	}
	if int64(len(o.kept)+len(p)) > o.max+int64(len(o.mark)) {
		o.taking = false
		close(o.over)
		return
	}
	from := max(0, len(o.kept)-len(o.mark))
	o.kept = append(o.kept, p...)
	if o.mark == nil {
		return
	}
	if at := bytes.Index(o.kept[from:], o.mark); at >= 0 {
		o.kept, o.taking = o.kept[:from+at], false
		close(o.marked)
	}
}

// begin has what is printed from now on kept; what a new process printed already
// is of its first call.
func (o *output) begin(most int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.taking {
		o.kept, o.taking = nil, true
	}
	o.max, o.mark = most, nil
}

// end gives what was printed, and whether it was too much. Behind all that the
// function has written into the pipe a mark follows, and all that comes before it
// has then arrived.
func (o *output) end(ctx context.Context) (string, bool) {
	mark, marked := []byte("\x00"+rand.Text()), make(chan struct{})
	o.mu.Lock()
	o.mark, o.marked = mark, marked
	o.mu.Unlock()
	go func() { _, _ = o.w.Write(mark) }()
	over := false
	select {
	case <-marked:
	case <-o.done:
	case <-ctx.Done():
	case <-o.over:
		over = true
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.taking = false
	return strings.ToValidUTF8(string(o.kept), "\ufffd"), over
}
