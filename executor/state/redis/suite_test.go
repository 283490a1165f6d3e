package redis

import (
	"testing"

	"github.com/abl-lsp/abl-lsp/executor/state"
	"github.com/abl-lsp/abl-lsp/executor/state/statetest"
	"github.com/abl-lsp/abl-lsp/internal/redistest"
)

// open returns the store of one more process.
func open(t *testing.T, server *redistest.Server, prefix string) *Store {
	t.Helper()
	s, err := Open(Options{URL: server.URL(), Prefix: prefix, Key: "the state key"})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSuite(t *testing.T) {
	server := redistest.Start(t)
	statetest.Run(t, func(t *testing.T) (one, other state.Store) {
		return open(t, server, t.Name()), open(t, server, t.Name())
	}, statetest.Options{})
}
