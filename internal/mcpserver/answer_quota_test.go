package mcpserver

import (
	"strings"
	"testing"
	"time"
)

// TestAnswerQuota checks that neither one answer nor one caller nor all callers together can fill the
// store, and that there is room again after a day.
func TestAnswerQuota(t *testing.T) {
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	q := &answerQuota{now: func() time.Time { return now }}
	const large = maxAnswer - answerOverhead
	if q.reserve("ann", maxAnswer+1) {
		t.Error("one answer is too large")
	}
	for i := range maxAnswers / maxAnswersOfCaller {
		caller := strings.Repeat("c", i+1)
		for range maxAnswersOfCaller / maxAnswer {
			if !q.reserve(caller, large) {
				t.Fatalf("%s has room", caller)
			}
		}
		if q.reserve(caller, 1) {
			t.Errorf("%s has no room", caller)
		}
	}
	if q.reserve("ann", 1) {
		t.Error("there is no room")
	}
	now = now.Add(repeatLifetime - time.Hour)
	if q.reserve("c", 1) {
		t.Error("they are still stored")
	}
	now = now.Add(2 * time.Hour)
	if !q.reserve("c", large) || len(q.stored) != 1 {
		t.Errorf("there is room again: %d callers are counted", len(q.stored))
	}
}

// TestRepeatBeyondQuota checks that a call whose answer was not stored has no second effect.
func TestRepeatBeyondQuota(t *testing.T) {
	s := newShop(t)
	r := newReplica(t, t.TempDir(), s)
	for r.server.repeats.quota.reserve("", maxAnswer-answerOverhead) {
	}
	for name, again := range map[string]string{
		"order":        "result: the first call with this idempotency key has ended, but its answer is gone: there was no room to store it",
		"order_by_key": `"item":"tea"`,
	} {
		t.Run(name, func(t *testing.T) {
			before := s.counted()
			if got := r.order(name, "tea", name); !strings.Contains(got, `"item":"tea"`) {
				t.Error(got)
			}
			if got := r.order(name, "tea", name); !strings.Contains(got, again) {
				t.Error(got)
			}
			if n := s.counted() - before; n != 1 {
				t.Errorf("%d orders", n)
			}
		})
	}
}
