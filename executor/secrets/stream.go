package secrets

import (
	"strings"
	"sync"
)

// Stream removes secrets from a text that arrives in pieces, even if a secret is split
// between two pieces. Write holds back what may be the beginning of a secret until more has
// arrived. It is safe for concurrent use.
type Stream struct {
	Redactor *Redactor

	mu      sync.Mutex
	pending string
}

// widest is the most bytes of a text that may encode one byte of a secret: %5C%5C%5C%22
// in JSON that is in JSON that is in a query.
const widest = 12

// Write adds a piece and returns the text that can be shown now.
func (s *Stream) Write(piece string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending += piece
	spans := s.Redactor.find(s.pending, escapeDepth)
	far := max(len(s.pending)-s.Redactor.longest()*widest, 0)
	end := far + s.Redactor.incompleteStart(s.pending[far:], escapeDepth)
	for _, p := range mergeSpans(spans) {
		if p.from < end && (end < p.to || p.to == len(s.pending)) { // it may be part of a longer secret
			end = p.from
		}
	}
	shown := replaceSpans(s.pending[:end], within(spans, end))
	s.pending = s.pending[end:]
	return shown
}

// Rest returns the text that was held back. Call it after the last piece.
func (s *Stream) Rest() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	rest := s.Redactor.String(s.pending)
	s.pending = ""
	return rest
}

// longest returns the length of the longest secret. It is 0 if there are none.
func (r *Redactor) longest() int {
	n := 0
	for _, s := range r.secrets() {
		n = max(n, len(s.value))
	}
	return n
}

// incompleteStart returns the index of the end part of text that more text could complete to a secret, in
// any form. It is the length of text if there is none.
func (r *Redactor) incompleteStart(text string, depth int) int {
	from := len(text)
	known := r.secrets()
	for i := range known {
		if s := &known[i]; !s.plain || depth == escapeDepth {
			from = min(from, s.incompleteStart(text))
		}
	}
	for _, e := range escapes {
		if !e.isAt(depth) {
			continue
		}
		whole := e.completeLength(text)
		plain := e.decode(text[:whole])
		if plain == text {
			continue
		}
		if !e.isWrap() { // a line break has no meaning, so it begins no secret
			from = min(from, whole)
		}
		if n := r.incompleteStart(plain, depth-1); n < len(plain) {
			from = min(from, int(e.offsets(text[:whole])[n]))
		}
	}
	return from
}

// incompleteStart returns the index of the end part of text that may be the beginning of the value. It is
// the length of text if there is none.
func (s *secret) incompleteStart(text string) int {
	from := len(text) - beginning(text, s.value)
	for _, form := range s.forms {
		from = min(from, len(text)-beginning(text, form))
	}
	if s.isInSequences() {
		from = min(from, decimal.incompleteStart(text, s.value), hexadecimal.incompleteStart(text, s.value))
	}
	run := len(text)
	for run > 0 && isBase64(text[run-1]) {
		run--
	}
	for _, c := range s.base64Forms {
		if beginning(text[run:], c) > 0 {
			return min(from, run)
		}
	}
	return from
}

// beginning returns how many bytes at the end of text are the beginning of form, but not all of
// it.
func beginning(text, form string) int {
	for n := min(len(form)-1, len(text)); n > 0; n-- {
		if form[n-1] == text[len(text)-1] && strings.HasSuffix(text, form[:n]) {
			return n
		}
	}
	return 0
}

// within returns the spans that end at or before end.
func within(spans []span, end int) []span {
	var out []span
	for _, p := range spans {
		if p.to <= end {
			out = append(out, p)
		}
	}
	return out
}
