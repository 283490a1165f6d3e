package executor

import (
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/abl-lsp/abl-lsp/executor/dial"
)

// maxRemembered bounds of how many things something is remembered between runs.
// The one that was not asked for the longest is forgotten first.
const maxRemembered = 1024

func newLRU[K comparable, V any]() *lru.Cache[K, V] {
	c, _ := lru.New[K, V](maxRemembered) // fails for a size below one alone
	return c
}

// getOrMake is what c has under a key, made where it has nothing.
func getOrMake[K comparable, V any](c *lru.Cache[K, V], key K, fresh func() V) V {
	if v, ok := c.Get(key); ok {
		return v
	}
	v := fresh()
	if earlier, ok, _ := c.PeekOrAdd(key, v); ok {
		return earlier
	}
	return v
}

// endpointKey names what a tool calls in an environment. description is what the tool
// says of its limits there: another description is another key.
func (r *run) endpointKey(said string) string {
	t, env := r.req.Tool, &r.req.Environment
	parts := []string{t.Origin.File, t.Namespace, t.Name, t.Version, string(t.Kind), env.Root, env.Name, r.reach.Receiver, said}
	return strings.Join(parts, "\x00")
}

// guard lets through to the hosts that a person allows besides the public ones. The
// list rarely changes.
func (e *Executor) guard(req *Request) (*dial.Guard, error) {
	key := req.Proxy + "\x00" + strings.Join(req.AllowHosts, "\x00")
	if g, ok := e.guards.Get(key); ok {
		return g, nil
	}
	g, err := dial.NewGuard(req.AllowHosts)
	if err != nil {
		return nil, Errorf(KindArguments, "allow-host", "%w", err)
	}
	if g, err = g.WithProxy(req.Proxy); err != nil {
		return nil, Errorf(KindArguments, "proxy", "%w", err)
	}
	e.guards.Add(key, g)
	return g, nil
}
