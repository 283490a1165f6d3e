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
			e.Sources[name] = asSource(source, filepath.Dir(f.Path))
			e.WrittenIn["sources."+name] = file
		}
	}
	for name, service := range brought.AuthServices {
		if _, own := e.AuthServices[name]; !own {
			e.AuthServices[name] = asAuthService(service)
			e.WrittenIn["auth_services."+name] = file
		}
	}
	for name, server := range brought.Servers {
		if _, own := e.Servers[name]; !own {
			server.Fault = faultIn(f.Path, ": ", server.Fault)
			e.Servers[name] = executor.Server(server)
			e.WrittenIn["servers."+name] = file
		}
	}
	return nil
}

// asSource is a source that says relative paths in a folder.
func asSource(s projectfile.Source, folder string) executor.Source {
	return executor.Source{
		Kind: s.Kind, Database: s.Database, Host: s.Host, Port: s.Port, User: s.User, Password: s.Password,
		QueryParams: s.QueryParams, BaseURL: s.BaseURL, Headers: s.Headers, Timeout: s.Timeout,
		DisableSSLVerification: s.DisableSSLVerification, Folder: folder, Fault: s.Fault,
	}
}

func asAuthService(s projectfile.AuthService) executor.AuthService {
	return executor.AuthService{
		Kind: s.Kind, ClientID: s.ClientID, ClientSecret: s.ClientSecret, Issuer: s.Issuer, Audience: s.Audience,
		AuthorizationURL: s.AuthorizationURL, DeviceAuthorizationURL: s.DeviceAuthorizationURL, TokenURL: s.TokenURL,
		RedirectURL: s.RedirectURL, Scopes: s.Scopes, Assertion: s.Assertion,
		ScopesRequired: s.ScopesRequired,
	}
}
