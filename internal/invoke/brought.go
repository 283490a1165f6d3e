package invoke

import (
	"path/filepath"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/executor"
)

// bring adds what the tool's own file, where that is another system's, says of sources,
// auth services and servers. Those of the project come first.
func (t Tool) bring(e *executor.Environment) error {
	f := t.Declared.File
	if f == nil || f.Foreign == nil {
		return nil
	}
	brought, err := projectfile.ReadBrought(f.Foreign.Project)
	if err != nil {
		return executor.Errorf(executor.KindDefinition, "project-file", "%s: %w", filepath.Base(f.Path), err)
	}
	file := filepath.Base(f.Path)
	e.WrittenIn = map[string]string{}
	for name, source := range brought.Sources {
		if _, own := e.Sources[name]; !own {
			source.Fault = faultIn(f.Path, ": ", source.Fault)
			source.Folder = filepath.Dir(f.Path)
			e.Sources[name] = source
			e.WrittenIn["sources."+name] = file
		}
	}
	for name, service := range brought.AuthServices {
		if _, own := e.AuthServices[name]; !own {
			e.AuthServices[name] = service
			e.WrittenIn["auth_services."+name] = file
		}
	}
	for name, server := range brought.Servers {
		if _, own := e.Servers[name]; !own {
			server.Fault = faultIn(f.Path, ": ", server.Fault)
			e.Servers[name] = server
			e.WrittenIn["servers."+name] = file
		}
	}
	return nil
}
