package journal

import (
	"fmt"
	"sync"
	"testing"
)

// Runs end while others look at the journal, and each look finds those that had ended.
func TestRowsWhileOthersEnd(t *testing.T) {
	j := New(t.TempDir())
	var wg sync.WaitGroup
	for n := range 4 {
		wg.Go(func() {
			for i := range 300 {
				j.End(Row{Run: fmt.Sprintf("%d-%d", n, i)})
				if i%50 > 0 {
					continue
				}
				rows, err := j.Rows()
				if err != nil || len(rows) <= i {
					t.Errorf("%d rows after %d, %v", len(rows), i, err)
				}
			}
		})
	}
	wg.Wait()
	if err := j.Close(); err != nil {
		t.Error(err)
	}
}
