package module

import (
	"github.com/abl-lsp/abl-lsp/tool"
)

// permit answers a handler that asks whether it may do something.
func (v *visit) permit(id int, p permission) {
	err := v.Permit(tool.Permission{Kind: p.Kind, Op: p.Op, Resource: p.Resource})
	go v.tell(permitted{id, err == nil})
}
