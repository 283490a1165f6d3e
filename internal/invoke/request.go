package invoke

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/secrets"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// CallOptions are the choices of a caller for a call.
type CallOptions struct {
	Case        string          // the name of a saved case; "": none
	Environment string          // "": the case's
	Usual       string          // the environment if neither the call nor the case names one; "": the project's
	Args        json.RawMessage // override those of the case, key by key
	Session     json.RawMessage // likewise
}

// Request returns the request for a call, from the tool, its project and the options. The
// caller adds the person's answers. An [*executor.Error] is the answer to a call that
// cannot be made; any other error is a mistake in the options.
func (t Tool) Request(c CallOptions) (executor.Request, error) {
	if c.Case == "" {
		return t.request(c)
	}
	saved, err := t.FindCase(c.Case)
	if err != nil {
		return executor.Request{}, err
	}
	return t.CaseRequest(saved, c)
}

// CaseRequest returns the request of a saved case, overridden by the options. It is an error
// if the case could not be read completely.
func (t Tool) CaseRequest(saved projectfile.Case, c CallOptions) (executor.Request, error) {
	if saved.Misread != nil {
		return executor.Request{}, executor.Errorf(executor.KindDefinition, "case", "the case %q: line %w", saved.Name, saved.Misread)
	}
	return t.request(c.mergedOver(saved))
}

func (t Tool) request(c CallOptions) (executor.Request, error) {
	environment, err := t.environment(c)
	if err != nil {
		return executor.Request{}, err
	}
	bound := t.boundTool(environment)
	if err := t.checkBound(bound); err != nil {
		return executor.Request{}, err
	}
	return executor.Request{
		Tool:        bound,
		File:        t.asked,
		Args:        c.Args,
		Session:     c.Session,
		ToolTimeout: t.ToolTimeout,
		Environment: environment,
	}, nil
}

// boundTool returns the tool with its binding. If a tool of a service has no binding, the
// project's file names the module that handles it.
func (t Tool) boundTool(e executor.Environment) *tool.Tool {
	service := e.Services[t.Tool.ServiceName()]
	if t.Tool.Kind != "" || service.Module == "" && service.Fault == nil {
		return &t.Tool
	}
	module := filepath.FromSlash(service.Module)
	if !filepath.IsAbs(module) {
		module = filepath.Join(e.Root, module)
	}
	bound := t.Tool
	bound.Kind, bound.Spec = tool.KindModule, &tool.Module{Module: module, Handler: t.Tool.Name, Service: t.Tool.ServiceName()}
	return &bound
}

// Cases returns the saved cases of the tool.
func (t Tool) Cases() []projectfile.Case {
	return model.CasesOfTool(t.workspace, t.asked)(t.Declared)
}

// FindCase returns the saved case called name. It fails if the tool has no such case, or
// several.
func (t Tool) FindCase(name string) (projectfile.Case, error) {
	var names []string
	var called []projectfile.Case
	for _, c := range t.Cases() {
		if c.Name == name {
			called = append(called, c)
		}
		names = append(names, c.Name)
	}
	switch {
	case len(called) == 1:
		return called[0], nil
	case len(called) > 1:
		return projectfile.Case{}, fmt.Errorf("%s has %d cases called %q; give each a name of its own", t.Tool.Name, len(called), name)
	case len(names) == 0:
		return projectfile.Case{}, fmt.Errorf("%s has no saved cases", t.Tool.Name)
	}
	meant := model.DidYouMean(name, names, "")
	if meant != "" {
		meant = "; " + meant
	}
	return projectfile.Case{}, fmt.Errorf("%s has no case %q; it has %s%s", t.Tool.Name, name, strings.Join(names, ", "), meant)
}

// mergedOver returns the options of a saved case, overridden by these options.
func (c CallOptions) mergedOver(saved projectfile.Case) CallOptions {
	c.Environment = cmp.Or(c.Environment, saved.Environment)
	c.Args, c.Session = mergeObjects(saved.Args, c.Args), mergeObjects(saved.Session, c.Session)
	return c
}

// mergeObjects returns the JSON object below, overridden by the JSON object above, key by
// key: `user` also replaces `user.id`. If above is empty or null, it returns below. If one
// of the two is no object, it returns above.
func mergeObjects(below, above json.RawMessage) json.RawMessage {
	var all, top map[string]json.RawMessage
	switch {
	case len(above) == 0 || string(above) == "null":
		return below
	case json.Unmarshal(below, &all) != nil || json.Unmarshal(above, &top) != nil || all == nil:
		return above
	}
	for name := range top {
		maps.DeleteFunc(all, func(path string, _ json.RawMessage) bool { return strings.HasPrefix(path, name+".") })
	}
	maps.Copy(all, top)
	raw, err := json.Marshal(all)
	if err != nil {
		return above
	}
	return raw
}

// environment returns the executor's environment for a call, as the project's file says it.
func (t Tool) environment(c CallOptions) (executor.Environment, error) {
	file, project, err := t.project()
	if err != nil {
		return executor.Environment{}, err
	}
	name := cmp.Or(c.Environment, c.Usual)
	s, err := projectfile.ReadSettings(project, name)
	if unknown, ok := errors.AsType[*projectfile.UnknownEnvironment](err); ok {
		if c.Environment != "" || len(unknown.Known) > 0 {
			return executor.Environment{}, err
		}
		// Another project need not have the usual environment: then the run is in none.
		s, err = projectfile.ReadSettings(project, "")
	}
	if err != nil {
		return executor.Environment{}, unreadableProjectError(file, filepath.Base(file)+":"+err.Error())
	}
	e := t.asEnvironment(s, file)
	return e, t.addOwnEntries(&e)
}

// project returns the project's file that applies to the tool; an empty document if there is
// none.
func (t Tool) project() (path string, d *yaml.Document, err error) {
	f, _ := t.workspace.Project(t.asked)
	switch {
	case f == nil:
		return "", yaml.Parse(""), nil
	case f.Absent != model.Present:
		return "", nil, unreadableProjectError(f.Path, filepath.Base(f.Path)+" cannot be read")
	}
	return f.Path, f.YAML, nil
}

// unreadableProjectError returns the answer if the project's file, which cannot be read, might
// forbid the call.
func unreadableProjectError(path, message string) error {
	return executor.Errorf(executor.KindDefinition, "project-file", "%s", message).
		WithHint("Nothing runs before it is mended, for it may say what must not run: %s", path)
}

// entryFault turns the fault of an entry in file into the answer to runs that use the
// entry. colon is the text between the name of the file and the fault. It returns nil if
// fault is nil.
func entryFault(file, colon string, fault error) error {
	if fault == nil {
		return nil
	}
	return executor.Errorf(executor.KindDefinition, "project-file", "%s%s%w", filepath.Base(file), colon, fault).
		WithHint("What does not name this entry can run. It stands in %s", file)
}

func (t Tool) asEnvironment(s projectfile.Settings, file string) executor.Environment {
	e := executor.Environment{
		Name:        s.Environment,
		Protected:   bool(s.Protected),
		BaseURL:     s.BaseURL,
		Variables:   s.Variables,
		Credentials: executor.Credentials{},
		Permissions: executor.Permissions{Allow: s.Permissions.Allow, Deny: s.Permissions.Deny},
		Limits:      executor.Limits{ResponseBytes: int64(s.Limits.ResponseBytes), Rows: int(s.Limits.Rows)},
		Secrets:     t.secretPlaces(s.Secrets),

		Root:            t.rootFolder(),
		Servers:         map[string]tool.Server{},
		Functions:       map[string]tool.Function{},
		Sources:         map[string]tool.Source{},
		AuthServices:    map[string]tool.AuthService{},
		Services:        map[string]tool.Service{},
		SandboxEngine:   s.Sandbox.Engine,
		Search:          s.Search,
		CallbackBaseURL: s.CallbackBaseURL,
		CallbackPort:    int(s.CallbackPort),
		Scopes:          executor.Scopes{},
	}
	maps.Copy(e.Credentials, s.Credentials)
	maps.Copy(e.AuthServices, s.AuthServices)
	for name, scopes := range s.Scopes {
		e.Scopes[name] = scopes
	}
	addEntries(e.Servers, s.Servers, func(_ string, s *tool.Server) { s.Fault = entryFault(file, ":", s.Fault) })
	addEntries(e.Functions, s.Functions, func(_ string, f *tool.Function) { f.Fault = entryFault(file, ":", f.Fault) })
	addEntries(e.Services, s.Services, func(_ string, s *tool.Service) { s.Fault = entryFault(file, ":", s.Fault) })
	addEntries(e.Sources, s.Sources, func(_ string, s *tool.Source) {
		s.Fault, s.Folder = entryFault(file, ":", s.Fault), e.Root
	})
	return e
}

// addEntries copies the entries of a table to another one that has no entry of the same name.
// It calls prepare on each copy.
func addEntries[T any](to, from map[string]T, prepare func(name string, entry *T)) {
	for name, entry := range from {
		if _, has := to[name]; !has {
			prepare(name, &entry)
			to[name] = entry
		}
	}
}

// rootFolder returns the folder of the project's file, else of the tool's file; "" if that is
// not on disk.
func (t Tool) rootFolder() string {
	if !filepath.IsAbs(t.asked) {
		return ""
	}
	return filepath.Dir(t.workspace.Dotenv(t.asked))
}

// secretPlaces returns the places of secrets: next to the project's file, else next to the
// tool's file, if that is on disk.
func (t Tool) secretPlaces(s projectfile.SecretPlaces) secrets.Places {
	p := secrets.Places{Command: s.Command}
	if s.Providers != nil {
		p.Providers = []string{}
	}
	for _, word := range s.Providers {
		p.Providers = append(p.Providers, string(word))
	}
	if filepath.IsAbs(t.asked) {
		p.Dotenv, p.Root = t.workspace.Dotenv(t.asked), t.rootFolder()
	}
	return p
}
