package lsp

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/abl-lsp/abl-lsp/internal/disk"
)

// poll looks at those files from time to time of whose changes the client does
// not tell: soon after it has said something, then ever more rarely, and then no
// more until it says something again.
type poll struct {
	awake chan struct{} // holds that the client has said something
	after func(time.Duration) <-chan time.Time
}

// How long to wait before a look, and the one after which nobody looks again.
const (
	firstLook = time.Second
	lastLook  = 32 * time.Second
)

func newPoll() poll { return poll{make(chan struct{}, 1), time.After} }

// wake says that somebody is there.
func (p poll) wake() {
	select {
	case p.awake <- struct{}{}:
	default: // it is known already
	}
}

// pollDisk looks until the session ends.
func (s *server) pollDisk(ctx context.Context) {
	for {
		select {
		case <-s.poll.awake:
			s.lookAgain(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// lookAgain looks ever more rarely, until there is nothing to look at or the
// client has said nothing for long.
func (s *server) lookAgain(ctx context.Context) {
	for wait := firstLook; wait <= lastLook && s.mustPoll(); wait *= 2 {
		awake := s.poll.awake
		if wait == firstLook {
			awake = nil // a look is near
		}
		select {
		case <-s.poll.after(wait):
		case <-awake:
			wait = firstLook / 2
			continue
		case <-ctx.Done():
			return
		}
		if s.differs(ctx) {
			s.changedOnDisk()
			wait = firstLook / 2
		}
	}
}

// mustPoll reports whether there is something to look at: a document is open
// that depends on files of whose changes nobody tells.
func (s *server) mustPoll() bool {
	return len(s.session.load().documents) > 0 && (!s.workspace.index.watched.Load() || len(s.unwatched()) > 0)
}

// differs reports whether the disk has something else than what the server knows.
func (s *server) differs(ctx context.Context) bool {
	for path, then := range s.unwatched() {
		if !then.Still(disk.StampOf(path)) {
			return true
		}
	}
	return !s.workspace.index.watched.Load() && s.workspace.index.differs(ctx)
}

// unwatched are the files that were read, as far as the client does not tell of
// their changes.
func (s *server) unwatched() files {
	s.session.mu.Lock()
	defer s.session.mu.Unlock()
	at, out := s.session.load(), files{}
	for path, stamp := range s.session.files {
		below := func(folder string) bool { return strings.HasPrefix(path, folder+string(filepath.Separator)) }
		if !s.workspace.index.watched.Load() || !slices.ContainsFunc(at.folders, below) {
			out[path] = stamp
		}
	}
	return out
}
