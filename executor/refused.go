package executor

import (
	"time"

	"github.com/abl-lsp/abl-lsp/tool"
)

// RefusedEnvelope returns the answer to a call that never reached the chain, because
// the tool could not be read. t may be nil.
func RefusedEnvelope(t *tool.Tool, err *Error) Envelope {
	e := newEnvelope(t, time.Now())
	e.Error = err
	return e
}
