package sql

import (
	"slices"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// maxStatements bounds the number of cached statements.
const maxStatements = 1000

// statementCache caches the statements that are the same for all calls of a tool: those without
// {{…}} and template parameters. A tool is frozen, so its binding can be the key.
type statementCache struct {
	entries *lru.Cache[statementKey, cachedStatement]
}

// statementKey holds everything that the text of a statement depends on, except the call.
type statementKey struct {
	spec    *tool.SQL
	source  string // by its name
	dialect *dialect
}

// cachedStatement is a cached statement, with the parameter names of the tool it was composed for.
type cachedStatement struct {
	params   []string
	prepared *preparedStatement
}

func newStatementCache() statementCache {
	entries, _ := lru.New[statementKey, cachedStatement](maxStatements) // fails only for a size below 1
	return statementCache{entries}
}

// get returns the statement of a call, from the cache if possible.
func (c statementCache) get(k statementKey, call executor.Call) (*preparedStatement, error) {
	if len(k.spec.TemplateParameters) > 0 || strings.Contains(k.spec.Statement, "{{") {
		return newPrepared(k, call)
	}
	sameName := func(name string, p tool.Param) bool { return name == p.Name }
	if known, ok := c.entries.Get(k); ok && slices.EqualFunc(known.params, call.Tool.Params, sameName) {
		return known.prepared, nil
	}
	p, err := newPrepared(k, call)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, param := range call.Tool.Params {
		names = append(names, param.Name)
	}
	c.entries.Add(k, cachedStatement{names, p})
	return p, nil
}
