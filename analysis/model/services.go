package model

import (
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/tool"
)

// WithServiceHandler returns a tool of the file at path with its binding: the project's file says
// what handles the tools of a service that have none of their own.
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
