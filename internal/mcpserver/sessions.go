package mcpserver

import (
	"sync"
	"time"
)

// The numbers of sessions over HTTP that a process has at once. A session needs memory for as long as
// it exists, whether its client is there or not.
const (
	maxCallerSessions = 1000
	maxSessions       = 5000
)

// sessions bounds how many sessions there are over HTTP. A new one takes the place of the one that
// has not been used for the longest time. It is safe for concurrent use.
type sessions struct {
	perCaller, inAll int

	mu   sync.Mutex
	all  map[*openSession]struct{}
	byID map[string]*openSession
}

// openSession is a session, or the place of one that is about to begin.
type openSession struct {
	id      string // "" before it has begun
	caller  string
	used    time.Time // when its last request began or ended
	running int       // the requests under way, without those that listen for news
	end     func()    // closes it
}

func newSessions(perCaller, inAll int) *sessions {
	return &sessions{perCaller: perCaller, inAll: inAll, all: map[*openSession]struct{}{}, byID: map[string]*openSession{}}
}

// reserve returns the place of a new session of a caller. ok is false if all others of the caller, or
// all in all, have a request under way. The caller must call leave after the request.
func (s *sessions) reserve(caller string) (place *openSession, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ofCaller := func(o *openSession) bool { return o.caller == caller }
	ofAnyone := func(*openSession) bool { return true }
	if !s.makeRoom(s.perCaller, ofCaller) || !s.makeRoom(s.inAll, ofAnyone) {
		return nil, false
	}
	place = &openSession{caller: caller, used: time.Now(), running: 1}
	s.all[place] = struct{}{}
	return place, true
}

// makeRoom closes the session that has not been used for the longest time, if there are limit sessions
// of those that counts accepts. It returns false if all of them are in use.
func (s *sessions) makeRoom(limit int, counts func(*openSession) bool) bool {
	n := 0
	var oldest *openSession
	for o := range s.all {
		if !counts(o) {
			continue
		}
		n++
		if o.running == 0 && (oldest == nil || o.used.Before(oldest.used)) {
			oldest = o
		}
	}
	if n < limit {
		return true
	}
	if oldest == nil {
		return false
	}
	s.delete(oldest)
	go oldest.end() // which waits for a request that has just begun
	return true
}

// begin makes a place that of the session with an id. end closes the session.
func (s *sessions) begin(place *openSession, id string, end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	place.id, place.end = id, end
	s.byID[id] = place
}

// leave ends a request of a session, or the one that reserved a place, which is free again if no
// session has begun.
func (s *sessions) leave(place *openSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if place.id == "" {
		s.delete(place)
	}
	place.used = time.Now()
	place.running--
}

func (s *sessions) delete(o *openSession) {
	delete(s.all, o)
	delete(s.byID, o.id)
}

// use marks the session with an id as used by a request of a caller. done must be called after the
// request.
func (s *sessions) use(id, caller string) (done func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.byID[id]
	if o == nil || o.caller != caller {
		return func() {}
	}
	o.used = time.Now()
	o.running++
	return func() { s.leave(o) }
}
