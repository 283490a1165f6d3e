package module

import (
	"errors"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// permit answers a handler that asks whether it may do something. Where nobody has
// said so yet the call ends.
func (v *visit) permit(id int, p permission) {
	err := v.Ask(v.doors.ctx, tool.Permission{Kind: p.Kind, Op: p.Op, Resource: p.Resource})
	if e, ok := errors.AsType[*executor.Error](err); err != nil && (!ok || e.Kind != executor.KindDenied) {
		v.stop(err)
		return
	}
	v.tell(permitted{id, err == nil})
}
