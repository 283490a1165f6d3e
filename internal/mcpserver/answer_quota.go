package mcpserver

import (
	"sync"
	"time"
)

// Limits of the stored answers of one process. What is beyond them is not stored.
const (
	maxAnswer          = 8 << 20   // bytes of one answer
	maxAnswersOfCaller = 32 << 20  // bytes of a known caller's answers in [repeatLifetime]
	maxAnswers         = 128 << 20 // bytes of all answers in [repeatLifetime]
	answerOverhead     = 1 << 10   // bytes that an answer takes besides its own
)

// quotaSlots is the number of parts of [repeatLifetime] whose answers are counted apart.
const quotaSlots = 24

// answerQuota counts the answers that are stored, so that no caller fills a store that all servers
// share. The zero value has counted none. It is safe for concurrent use.
type answerQuota struct {
	mu     sync.Mutex
	now    func() time.Time // nil: the time of this machine
	slot   int64            // the current one, counted from the beginning of time
	stored map[string]*[quotaSlots]int64
}

// reserve counts an answer of a caller, who is "" if that is not known. ok is false if it may not be stored.
func (q *answerQuota) reserve(caller string, size int) (ok bool) {
	if size > maxAnswer {
		return false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.advance()
	all, own := int64(0), int64(0)
	for name, slots := range q.stored {
		sum := sumOf(slots)
		all += sum
		if name == caller {
			own = sum
		}
	}
	cost := int64(size) + answerOverhead
	if all+cost > maxAnswers || caller != "" && own+cost > maxAnswersOfCaller {
		return false
	}
	slots := q.stored[caller]
	if slots == nil {
		slots = new([quotaSlots]int64)
		q.stored[caller] = slots
	}
	slots[q.slot%quotaSlots] += cost
	return true
}

// advance forgets the slots whose answers are not stored any more. The caller holds the lock.
func (q *answerQuota) advance() {
	now := time.Now()
	if q.now != nil {
		now = q.now()
	}
	slot := now.UnixNano() / int64(repeatLifetime/quotaSlots)
	if q.stored == nil {
		q.slot, q.stored = slot, map[string]*[quotaSlots]int64{}
	}
	for ended := max(q.slot+1, slot-quotaSlots+1); ended <= slot; ended++ {
		for caller, slots := range q.stored {
			slots[ended%quotaSlots] = 0
			if sumOf(slots) == 0 {
				delete(q.stored, caller)
			}
		}
	}
	q.slot = max(q.slot, slot)
}

func sumOf(slots *[quotaSlots]int64) (sum int64) {
	for _, size := range slots {
		sum += size
	}
	return sum
}
