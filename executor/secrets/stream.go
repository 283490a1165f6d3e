package secrets

import (
	"sync"
)

// Stream takes secrets out of a text that comes in pieces, also where one is cut in
// two: as much is held back as a secret may still grow into. It is safe for
// concurrent use.
type Stream struct {
	Redactor *Redactor

	mu   sync.Mutex
	held string
}

// widest is how many bytes of a text may stand for one byte of a secret: \u00e9, or
// its percent escape escaped once more.
const widest = 6

// Write gives what can be shown now that a piece has come.
func (s *Stream) Write(piece string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held += piece
	spans := s.Redactor.find(s.held, escapeDepth)
	end := max(len(s.held)-s.Redactor.longest()*widest, 0)
	for _, p := range merged(spans) {
		if p.from < end && end < p.to {
			end = p.from
		}
	}
	shown := cut(s.held[:end], within(spans, end))
	s.held = s.held[end:]
	return shown
}

// Rest gives what was held back; nothing follows.
func (s *Stream) Rest() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	rest := s.Redactor.String(s.held)
	s.held = ""
	return rest
}

// longest is the length of the longest secret, 0 without any.
func (r *Redactor) longest() int {
	n := 0
	for _, s := range r.secrets() {
		n = max(n, len(s.value))
	}
	return n
}

// within are the spans that end before a place.
func within(spans []span, end int) []span {
	var out []span
	for _, p := range spans {
		if p.to <= end {
			out = append(out, p)
		}
	}
	return out
}
