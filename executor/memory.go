package executor

import (
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/abl-lsp/abl-lsp/executor/dial"
)

// maxRemembered is the size of each cache of [newLRU].
const maxRemembered = 1024

func newLRU[K comparable, V any]() *lru.Cache[K, V] {
	c, _ := lru.New[K, V](maxRemembered) // fails only for a size below 1
	return c
}

// endpointKey returns the key under which the limits of an endpoint are remembered. It names
// the tool, the environment and the host. limits describes the tool's limits, so that changed
// limits have a new key.
func (r *run) endpointKey(limits string) string {
	t, env := r.req.Tool, &r.req.Environment
	parts := []string{t.Origin.File, t.Namespace, t.Name, t.Version, string(t.Kind), env.Root, env.Name, r.reach.Receiver, limits}
	return strings.Join(parts, "\x00")
}

// guard returns the guard for a request: it permits public hosts and those that the person
// allows. Guards are cached.
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
