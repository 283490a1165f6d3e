package lazyregexp_test

import (
	"sync"
	"testing"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

func TestNew(t *testing.T) {
	r := lazyregexp.New(`^a+$`)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if !r.MatchString("aaa") || r.MatchString("b") {
				t.Error("it does not match as regexp does")
			}
		})
	}
	group.Wait()
	if r.String() != `^a+$` {
		t.Errorf("String is %q", r)
	}
}

// TestNewPanics holds that a test finds a pattern that cannot be compiled.
func TestNewPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a broken pattern does not panic")
		}
	}()
	lazyregexp.New(`(`)
}
