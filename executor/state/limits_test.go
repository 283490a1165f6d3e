package state

import (
	"fmt"
	"testing"
	"time"
)

// TestLimitsAreBounded checks that the number of remembered keys is bounded.
func TestLimitsAreBounded(t *testing.T) {
	l := NewLocalLimits()
	for i := range maxLimits + 10 {
		key := fmt.Sprint(i)
		l.Reserve(t.Context(), key, Rate{PerSecond: 1e6}, time.Second)
		l.Acquire(t.Context(), key, Breaker{Threshold: 1 << 40, Reset: 1})
	}
	if l.circuits.Len() != maxLimits || l.limiters.Len() != maxLimits {
		t.Errorf("%d, %d", l.circuits.Len(), l.limiters.Len())
	}
}
