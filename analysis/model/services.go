package model

import (
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/tool"
)

// WithServiceHandler returns t, a tool of the file at path, with the handler that abl.yaml declares
// for t's service. It returns t as it is if t has a binding of its own, or there is no such
// handler.
func WithServiceHandler(w Workspace, path string, t tool.Tool) tool.Tool {
	if t.Kind != "" {
		return t
	}
	f, _ := w.Project(path)
	if f == nil || f.YAML == nil {
		return t
	}
	if module := projectfile.Module(f.YAML, t.ServiceName()); module != "" {
		t.Kind, t.Spec = tool.KindModule, &tool.Module{Module: module, Handler: t.Name, Service: t.ServiceName()}
	}
	return t
}
