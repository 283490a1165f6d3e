package secrets

import (
	"strings"
	"sync"
)

// Stream removes secrets from a text that comes in pieces, even if a secret is split
// between two. Write holds back what may be the beginning of a secret until more has
// come. It is safe for concurrent use.
type Stream struct {
	Redactor *Redactor

	mu      sync.Mutex
	pending string
}

// widest is how many bytes of a text may stand for one byte of a secret: %5C%5C%5C%22
// in JSON that is in JSON that is in a query.
const widest = 12

// Write gives what can be shown now that a piece has come.
func (s *Stream) Write(piece string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending += piece
	spans := s.Redactor.find(s.pending, escapeDepth)
	far := max(len(s.pending)-s.Redactor.longest()*widest, 0)
	end := far + s.Redactor.growing(s.pending[far:], escapeDepth)
	for _, p := range mergeSpans(spans) {
		if p.from < end && (end < p.to || p.to == len(s.pending)) { // it may be part of a longer one
			end = p.from
		}
	}
	shown := replaceSpans(s.pending[:end], within(spans, end))
	s.pending = s.pending[end:]
	return shown
}

// Rest gives what was held back; nothing follows.
func (s *Stream) Rest() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	rest := s.Redactor.String(s.pending)
	s.pending = ""
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

// growing is where the last part of text begins that more text can make a secret of, in
// any form; the end of text where there is none.
func (r *Redactor) growing(text string, depth int) int {
	from := len(text)
	known := r.secrets()
	for i := range known {
		if s := &known[i]; !s.plain || depth == escapeDepth {
			from = min(from, s.growing(text))
		}
	}
	for _, e := range escapes {
		if !e.isAt(depth) {
			continue
		}
		whole := e.whole(text)
		plain := e.decode(text[:whole])
		if plain == text {
			continue
		}
		if !e.isWrap() { // which means nothing, and so begins nothing
			from = min(from, whole)
		}
		if n := r.growing(plain, depth-1); n < len(plain) {
			from = min(from, int(e.places(text[:whole])[n]))
		}
	}
	return from
}

// growing is where in text the last part begins that may be the beginning of the value.
func (s *secret) growing(text string) int {
	from := len(text) - beginning(text, s.value)
	for _, form := range s.forms {
		from = min(from, len(text)-beginning(text, form))
	}
	if s.isInSequences() {
		from = min(from, decimal.growing(text, s.value), hexadecimal.growing(text, s.value))
	}
	run := len(text)
	for run > 0 && isBase64(text[run-1]) {
		run--
	}
	for _, c := range s.cores {
		if beginning(text[run:], c) > 0 {
			return min(from, run)
		}
	}
	return from
}

// beginning is how many bytes at the end of text are the beginning of form, and not all of
// it.
func beginning(text, form string) int {
	for n := min(len(form)-1, len(text)); n > 0; n-- {
		if form[n-1] == text[len(text)-1] && strings.HasSuffix(text, form[:n]) {
			return n
		}
	}
	return 0
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
