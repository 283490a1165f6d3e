package module

import (
	"errors"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// maxPermission is the most bytes that the texts of a permission may have together.
const maxPermission = 8 << 10

// permit answers a handler that asks for a permission. If no one has decided about it yet, the call
// ends.
func (v *invocation) permit(id int, p permissionRequest) {
	if len(p.Kind)+len(p.Op)+len(p.Resource) > maxPermission {
		v.stop(executor.Errorf(executor.KindLimit, "permission", "%s asks for a permission of more than %d bytes", v.name, maxPermission))
		return
	}
	err := v.Ask(v.broker.ctx, tool.Permission{Kind: p.Kind, Op: p.Op, Resource: p.Resource})
	if e, ok := errors.AsType[*executor.Error](err); err != nil && (!ok || e.Kind != executor.KindDenied) {
		v.stop(err)
		return
	}
	v.send(permissionReply{id, err == nil})
}
