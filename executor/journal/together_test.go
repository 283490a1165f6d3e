package journal

import (
	"fmt"
	"sync"
	"testing"
)

// TestRowsWhileOthersEnd checks that reading the journal while runs end finds all runs that have
// ended before.
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
