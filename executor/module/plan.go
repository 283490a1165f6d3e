package module

import (
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/template"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// megabytes are what a call may take of memory.
const megabytes = 512

// plan is what a call means: all that a run needs.
type plan struct {
	executor.Call
	name           string // the module, as a person finds it
	path           string // of its file
	handler        string
	args           map[string]any
	settings, auth any
	max            int64 // bytes of console output, and of an answer
}

func planOf(call executor.Call) (plan, error) {
	s, err := executor.SpecOf[*tool.Module](call)
	if err != nil {
		return plan{}, err
	}
	name := serviceOf(call, s)
	service := call.Environment.Services[name]
	if service.Fault != nil {
		return plan{}, service.Fault
	}
	if s.Module == "" {
		return plan{}, executor.DefinitionError("module", "module is missing: give the path of the file that exports the handler")
	}
	p := plan{
		Call: call, name: nameOf(call, s), path: pathOf(call, s), handler: handlerOf(call, s),
		args: arguments(call), max: call.Environment.Limits.MaxBytes(),
	}
	if p.settings, err = fillEntry(call, "services."+name+".settings", service.Settings); err != nil {
		return plan{}, err
	}
	p.auth, err = fillEntry(call, "services."+name+".auth", service.Auth)
	return p, err
}

// serviceOf is the name of the service whose settings the handler gets.
func serviceOf(call executor.Call, s *tool.Module) string {
	return cmp.Or(s.Service, call.Tool.ServiceName())
}

// handlerOf is the name of the function.
func handlerOf(call executor.Call, s *tool.Module) string { return cmp.Or(s.Handler, call.Tool.Name) }

// pathOf is the file of the module.
func pathOf(call executor.Call, s *tool.Module) string {
	path := filepath.FromSlash(s.Module)
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(call.Tool.Origin.File), path)
	}
	return path
}

// nameOf is the module's path from the folder of the project.
func nameOf(call executor.Call, s *tool.Module) string {
	path := pathOf(call, s)
	if rel, err := filepath.Rel(call.Environment.Root, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

// arguments are those of the call, and the session values that the tool reads where
// no argument has their name.
func arguments(call executor.Call) map[string]any {
	args := maps.Clone(call.Scope.Args)
	if args == nil {
		args = map[string]any{}
	}
	for _, m := range call.SessionValues {
		if _, given := args[m.Name]; !given {
			args[m.Name] = m.Value
		}
	}
	return args
}

// fillEntry fills the placeholders in the texts of an entry of the project's file. An
// argument stands for nothing there.
func fillEntry(call executor.Call, property string, written json.RawMessage) (any, error) {
	if len(written) == 0 {
		return map[string]any{}, nil
	}
	value, err := exactjson.Decode[any](written)
	if err != nil {
		return nil, executor.DefinitionError("service", "%s: %w", property, err)
	}
	scope := &template.Scope{Session: call.Scope.Session, Variables: call.Scope.Variables, Secrets: call.Scope.Secrets}
	return fillValue(scope, property, value)
}

func fillValue(scope *template.Scope, property string, value any) (any, error) {
	var err error
	switch v := value.(type) {
	case string:
		text, err := scope.Expand(v, nil)
		if err != nil {
			return nil, executor.TemplateError(property, err)
		}
		return text, nil
	case []any:
		for i := range v {
			if v[i], err = fillValue(scope, property, v[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if v[name], err = fillValue(scope, property+"."+name, v[name]); err != nil {
				return nil, err
			}
		}
	}
	return value, nil
}

// realPath is the file of the module, links followed.
func (p plan) realPath() (string, error) {
	path, err := filepath.EvalSymlinks(p.path)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	var info os.FileInfo
	if err == nil {
		info, err = os.Stat(path)
	}
	switch {
	case err != nil:
		return "", executor.DefinitionError("module", "module: there is no file %s", p.path).
			WithHint("The path of `module:` starts at the folder of the file that it stands in.")
	case !info.Mode().IsRegular():
		return "", executor.DefinitionError("module", "module: %s is no file", p.path)
	}
	return path, nil
}
