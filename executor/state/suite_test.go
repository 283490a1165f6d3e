package state_test

import (
	"testing"

	"github.com/abl-lsp/abl-lsp/executor/state"
	"github.com/abl-lsp/abl-lsp/executor/state/statetest"
)

func TestSuite(t *testing.T) {
	t.Run("memory", func(t *testing.T) {
		statetest.Run(t, func(t *testing.T) (one, other state.Store) {
			s := state.NewMemory()
			return s, s
		}, statetest.Options{OwnCache: true})
	})
	t.Run("file", func(t *testing.T) {
		statetest.Run(t, func(t *testing.T) (one, other state.Store) {
			dir := t.TempDir()
			return state.New(dir), state.New(dir)
		}, statetest.Options{OwnLimits: true, OwnCache: true})
	})
}

// TestNone checks that a store without a folder is none, for which memory serves.
func TestNone(t *testing.T) {
	if s := state.New(""); s != nil {
		t.Errorf("%T", s)
	}
	if _, ok := state.OrMemory(nil).(*state.Memory); !ok {
		t.Errorf("%T", state.OrMemory(nil))
	}
}
