package executor

import (
	"crypto/sha256"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Results are kept so long and, all together, so large. They are in memory
// alone.
const (
	resultsAge   = time.Minute
	resultsBytes = 64 << 20
	resultBytes  = 4 << 20 // of one
	resultsCount = 10_000
)

type resultKey [sha256.Size]byte

// resultCache holds results that may be given again, in memory alone. If it is full,
// the result that was not asked for the longest is dropped first. It is safe for
// concurrent use.
type resultCache struct {
	mu    sync.Mutex
	lru   *simplelru.LRU[resultKey, cachedResult]
	bytes int
}

// cachedResult is a result with the time until which it may be given again.
type cachedResult struct {
	Result
	until time.Time
}

func newResultCache() *resultCache {
	s := &resultCache{}
	// It fails for a size below one alone.
	s.lru, _ = simplelru.NewLRU(resultsCount, func(_ resultKey, r cachedResult) { s.bytes -= r.size() })
	return s
}

func (s *resultCache) get(key resultKey) (Result, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.lru.Get(key)
	if ok && !time.Now().Before(r.until) {
		s.lru.Remove(key)
		return Result{}, false
	}
	return r.Result, ok
}

// addResult keeps a result unless it is too large.
func (s *resultCache) addResult(key resultKey, result Result) {
	r := cachedResult{result, time.Now().Add(resultsAge)}
	if r.size() > resultBytes {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lru.Remove(key)
	s.bytes += r.size()
	s.lru.Add(key, r)
	for s.bytes > resultsBytes {
		s.lru.RemoveOldest()
	}
}

func (s *resultCache) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lru.Purge()
}

// size is about what a result takes.
func (r Result) size() int {
	const around = 512
	n := around + len(r.Value) + len(r.Text) + len(r.Console)
	for _, w := range r.Warnings {
		n += len(w)
	}
	return n
}
