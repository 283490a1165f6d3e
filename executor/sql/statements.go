package sql

import (
	"slices"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// maxStatements is how many statements are kept.
const maxStatements = 1000

// statementCache keeps the statements of tools that are the same for all calls: those that
// have no placeholders but marks. A tool is frozen, so its binding stands for it.
type statementCache struct {
	kept *lru.Cache[statementKey, keptStatement]
}

// statementKey is what the text of a statement depends on, but for the call.
type statementKey struct {
	spec    *tool.SQL
	source  string // by its name
	dialect *dialect
}

// keptStatement is a statement that was put together for a call of a tool with those
// parameters.
type keptStatement struct {
	params   []string
	prepared *preparedStatement
}

func newStatementCache() statementCache {
	kept, _ := lru.New[statementKey, keptStatement](maxStatements) // fails for a size below one alone
	return statementCache{kept}
}

// get is the statement of a call.
func (c statementCache) get(k statementKey, call executor.Call) (*preparedStatement, error) {
	if len(k.spec.TemplateParameters) > 0 || strings.Contains(k.spec.Statement, "{{") {
		return newPrepared(k, call)
	}
	sameName := func(name string, p tool.Param) bool { return name == p.Name }
	if known, ok := c.kept.Get(k); ok && slices.EqualFunc(known.params, call.Tool.Params, sameName) {
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
	c.kept.Add(k, keptStatement{names, p})
	return p, nil
}
