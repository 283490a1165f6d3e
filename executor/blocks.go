package executor

import (
	"encoding/json"

	"github.com/abl-lsp/abl-lsp/executor/secrets"
)

// Blocks are the content blocks of an MCP answer, each a JSON object as the server wrote it: a text,
// a picture, a sound, an embedded resource or a link to a resource, with its annotations.
type Blocks []json.RawMessage

// redacted returns the blocks without secrets.
func (b Blocks) redacted(r *secrets.Redactor) Blocks {
	if b == nil {
		return nil
	}
	clean := make(Blocks, len(b))
	for i, block := range b {
		clean[i] = r.JSON(block)
	}
	return clean
}
