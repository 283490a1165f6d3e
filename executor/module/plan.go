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

// megabytes is the memory limit of a call.
const megabytes = 512

// plan is a call with what its module needs: the path of the module's file, the handler, the
// arguments, and the settings and auth of the service.
type plan struct {
	executor.Call
	name           string // the module's path for messages
	path           string // the path of its file
	handler        string
	args           map[string]any
	settings, auth any
	max            int64 // the most bytes of console output, and of an answer
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

// serviceOf returns the name of the service whose settings the handler gets.
func serviceOf(call executor.Call, s *tool.Module) string {
	return cmp.Or(s.Service, call.Tool.ServiceName())
}

// handlerOf returns the name of the function.
func handlerOf(call executor.Call, s *tool.Module) string { return cmp.Or(s.Handler, call.Tool.Name) }

// pathOf returns the path of the module's file.
func pathOf(call executor.Call, s *tool.Module) string {
	path := filepath.FromSlash(s.Module)
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(call.Tool.Origin.File), path)
	}
	return path
}

// nameOf returns the module's path relative to the project's folder, or the whole path if the
// module is elsewhere.
func nameOf(call executor.Call, s *tool.Module) string {
	path := pathOf(call, s)
	if rel, err := filepath.Rel(call.Environment.Root, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

// arguments returns the arguments of the call, and the session values that the tool reads. An
// argument wins over a session value of the same name.
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

// fillEntry returns written, an entry of the project's file, with its placeholders filled in.
// Arguments cannot be used there. property names the entry in messages.
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

// realPath returns the absolute path of the module's file, with links resolved.
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
