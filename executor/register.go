package executor

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/abl-lsp/abl-lsp/tool"
)

// Register adds a kind of tool for a Go program that embeds the executor; abl-lsp itself
// names all of its kinds in [Options.Runners]. It may be called while runs go on. It returns
// an error, and changes nothing, when kind is "", r is nil, or the kind has a Runner already.
// [Executor.Close] closes r if r is a [Closer].
func (e *Executor) Register(kind tool.Kind, r Runner) error {
	switch {
	case kind == "":
		return errors.New("register a kind of tool: it has no name")
	case r == nil:
		return fmt.Errorf("register %s: nothing runs it", kind)
	case !e.runners.addRunner(kind, r):
		return fmt.Errorf("register %s: there is such a kind already", kind)
	}
	return nil
}

// runners holds the Runner of each kind. It is safe for concurrent use.
type runners struct {
	mu     sync.RWMutex
	byKind map[tool.Kind]Runner
}

func (r *runners) addRunner(kind tool.Kind, runner Runner) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byKind[kind] != nil {
		return false
	}
	r.byKind[kind] = runner
	return true
}

// get returns the Runner of a kind. It is nil if the kind has none.
func (r *runners) get(kind tool.Kind) Runner {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.byKind[kind]
}

func (r *runners) all() []Runner {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Collect(maps.Values(r.byKind))
}
