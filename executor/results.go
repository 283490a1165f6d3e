package executor

import (
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Limits of the cached results: how long one is kept, and the bytes and number of all of them.
const (
	resultsAge   = time.Minute
	resultsBytes = 64 << 20
	resultBytes  = 4 << 20 // of one result
	resultsCount = 10_000
)

type resultKey [sha256.Size]byte

func (k resultKey) String() string { return hex.EncodeToString(k[:]) }

// resultCache caches results in memory. When it is full, it drops the least recently used one.
// It is safe for concurrent use.
type resultCache struct {
	mu    sync.Mutex
	lru   *simplelru.LRU[resultKey, cachedResult]
	bytes int
}

// cachedResult is a result and the time until which it may be reused.
type cachedResult struct {
	Result
	until time.Time
}

func newResultCache() *resultCache {
	s := &resultCache{}
	// It fails only for a size below 1.
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

// addResult caches a result until a time, unless it is larger than resultBytes.
func (s *resultCache) addResult(key resultKey, result Result, until time.Time) {
	r := cachedResult{result, until}
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

// size returns about how many bytes of memory a result takes.
func (r Result) size() int {
	const around = 512
	n := around + len(r.Value) + len(r.Text) + len(r.Console)
	for _, w := range r.Warnings {
		n += len(w)
	}
	for _, b := range r.Content {
		n += len(b)
	}
	return n
}
