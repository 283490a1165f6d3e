package model

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax/script"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Handler is the function that runs a tool.
type Handler struct {
	Name   string
	Module string    // the path as written, by the tool or by abl.yaml
	Target string    // the path that it means
	Span   text.Span // what names the function: the property, else the tool
	Own    bool      // it is the tool's own property
}

// Handlers returns the handlers of the file's tools: those that the tools declare, and for tools of
// a service without one those that abl.yaml declares, in each of its environments.
func Handlers(w Workspace, f *File) (found []Handler) {
	if f == nil {
		return nil
	}
	for t := range f.ToolsWith(IsModule) {
		switch {
		case t.IsForeign():
			if m, ok := t.Foreign.Spec.(*tool.Module); ok {
				h := Handler{Name: m.Handler, Module: m.Module, Target: Resolve(f.Path, m.Module), Span: t.NameSpan()}
				if h.Name == "" {
					h.Name = t.Name
				}
				found = append(found, h)
			}
		case t.Kind() == tool.KindModule:
			found = append(found, handlerOf(f, t)...)
		}
	}
	return slices.DeleteFunc(append(found, serviceHandlers(w, w.files.Get(f.Path))...), func(h Handler) bool {
		return h.Module == "" || strings.Contains(h.Module+h.Name, "{{") || !isProgram(h.Target)
	})
}

// handlerOf returns the handler that a tool of ABL declares.
func handlerOf(f *File, t PositionedTool) []Handler {
	module, _ := t.Property("module")
	path, ok := module.PlainName()
	if !ok {
		return nil
	}
	h := Handler{Name: t.Name, Module: path.Text, Target: Resolve(f.Path, path.Text), Span: t.NameSpan()}
	if p, ok := t.Property("handler"); ok {
		name, ok := p.PlainName()
		if !ok {
			return nil
		}
		h.Name, h.Span, h.Own = name.Text, name.Span.Shift(t.Offset), true
	}
	return []Handler{h}
}

// serviceHandlers returns the handlers that abl.yaml declares for the tools of services.
func serviceHandlers(w Workspace, h *Handle) (found []Handler) {
	in, _ := w.Project(h.Path)
	if in == nil || in.YAML == nil || in.Path == h.Path {
		return nil
	}
	modules := projectfile.ModulesByService(in.YAML)
	if len(modules) == 0 {
		return nil
	}
	f := h.File()
	for _, t := range f.Tools {
		service, ok := serviceOf(w, f, t)
		if !ok {
			continue
		}
		for _, m := range modules[service] {
			found = append(found, Handler{Name: t.Name, Module: m, Target: Resolve(in.Path, m), Span: t.NameSpan()})
		}
	}
	return found
}

// serviceOf returns the service of t, if t does not declare itself how it runs. ok is false if it
// does, and if t has no service.
func serviceOf(w Workspace, f *File, t PositionedTool) (name string, ok bool) {
	if t.IsForeign() && t.Foreign.Kind != "" || !t.IsForeign() && t.Kind() != "" {
		return "", false
	}
	name = LowerTool(w, f.Path, ScopedTool{PositionedTool: t, File: f}).Tool.ServiceName()
	return name, name != ""
}

// ExportedFunctions returns the names of the functions that the module exports. complete is false
// if its text does not tell all of them, or f is no module that could be read.
func (f *File) ExportedFunctions() (names []string, complete bool) {
	if f == nil || f.exported == nil {
		return nil, false
	}
	return f.exported()
}

func readExported(f *File) ([]string, bool) {
	if !isProgram(f.Path) {
		return nil, false
	}
	return script.Exports(f.Doc.Text(), strings.HasSuffix(strings.ToLower(f.Path), "ts"))
}

// isProgram reports whether a foreign file can be a module, by its name.
func isProgram(path string) bool {
	lower := strings.ToLower(path)
	return IsForeign(path) && (strings.HasSuffix(lower, "ts") || strings.HasSuffix(lower, "js"))
}

// WantedTools returns a note on which tools of a file are read, "" if all are.
func WantedTools(path string) string {
	if !isProgram(path) {
		return ""
	}
	return "; they are read from `export const TOOLS = {…}` or `export default {…}`"
}
