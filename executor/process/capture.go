package process

import (
	"bytes"
	"errors"
	"strings"
	"sync"
)

// ErrTooMuch is the error of a process that prints more than its caller accepts.
var ErrTooMuch = errors.New("it prints too much")

// Head keeps the first Max bytes that are written to it. It is safe for concurrent use.
type Head struct {
	Max  int
	Full func() // called when there is more; may be nil

	mu   sync.Mutex
	kept bytes.Buffer
}

// Write keeps what fits, and returns [ErrTooMuch] if not everything does.
func (h *Head) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := min(len(p), h.Max-h.kept.Len())
	h.kept.Write(p[:n])
	if n == len(p) {
		return n, nil
	}
	if h.Full != nil {
		h.Full()
	}
	return n, ErrTooMuch
}

// Bytes returns a copy of the kept bytes.
func (h *Head) Bytes() []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	return bytes.Clone(h.kept.Bytes())
}

func (h *Head) String() string { return string(h.Bytes()) }

// Tail keeps the last Max bytes that are written to it, in whole lines if it can. It is
// safe for concurrent use.
type Tail struct {
	Max int // bytes

	mu   sync.Mutex
	kept []byte
	cut  bool
}

// Write keeps the end of p. It never fails.
func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p[max(0, len(p)-t.Max):]...)
	t.cut = t.cut || len(p) > t.Max
	if excess := len(t.kept) - t.Max; excess > 0 {
		t.kept, t.cut = append(t.kept[:0], t.kept[excess:]...), true
	}
	return len(p), nil
}

// String returns the kept bytes. It begins with … if earlier ones were dropped.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.cut {
		return string(t.kept)
	}
	text := string(t.kept)
	if _, rest, ok := strings.Cut(text, "\n"); ok && rest != "" {
		return "…\n" + rest
	}
	return "…" + strings.ToValidUTF8(text, "")
}
