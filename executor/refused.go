package executor

import (
	"time"

	"github.com/abl-lsp/abl-lsp/tool"
)

// RefusedEnvelope is the answer to a call that never reached the chain, since the tool
// could not even be read.
func RefusedEnvelope(t *tool.Tool, err *Error) Envelope {
	e := newEnvelope(t, time.Now())
	e.Error = err
	return e
}
