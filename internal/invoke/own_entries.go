package invoke

import (
	"path/filepath"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// addOwnEntries adds the sources, auth services and servers of the tool's own file, if that is
// a file of another system. The project's entries of the same name take precedence.
func (t Tool) addOwnEntries(e *executor.Environment) error {
	f := t.Declared.File
	if f == nil || f.Foreign == nil {
		return nil
	}
	brought, err := projectfile.ReadForeignSettings(f.Foreign.Project)
	if err != nil {
		return executor.Errorf(executor.KindDefinition, "project-file", "%s: %w", filepath.Base(f.Path), err)
	}
	file := filepath.Base(f.Path)
	e.WrittenIn = map[string]string{}
	addEntries(e.Sources, brought.Sources, func(name string, s *tool.Source) {
		s.Fault, s.Folder = entryFault(f.Path, ": ", s.Fault), filepath.Dir(f.Path)
		e.WrittenIn["sources."+name] = file
	})
	addEntries(e.AuthServices, brought.AuthServices, func(name string, _ *tool.AuthService) {
		e.WrittenIn["auth_services."+name] = file
	})
	addEntries(e.Servers, brought.Servers, func(name string, s *tool.Server) {
		s.Fault = entryFault(f.Path, ": ", s.Fault)
		e.WrittenIn["servers."+name] = file
	})
	return nil
}
