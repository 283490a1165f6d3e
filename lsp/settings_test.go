package lsp

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

func TestSettings(t *testing.T) {
	c := startClient(t)
	s := c.server
	c.Initialize(lsptest.WithOptions(`{"trusted":true,"environment":"dev","allowHosts":["localhost:3000","a"],"clientCommands":["abl.form"],"proxy":"http://p","exactNumbers":true,"keyOrder":true,"later":1,"codeLens":{"run":false}}`))
	first := s.session.load().settings
	want := settings{new(true), "dev", []string{"localhost:3000", "a"}, []string{"abl.form"}, "http://p", true, true, nil, defaultSettings().CodeLens, defaultSettings().InlayHints}
	want.CodeLens.Run = false
	if diff := cmp.Diff(want, first); diff != "" {
		t.Errorf("initializationOptions (-want +got):\n%s", diff)
	}
	c.Send(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"abl":{"trusted":false,"allowHosts":["b"],"inlayHints":{"urls":false}},"other":{}}}}`)
	c.echo(t)
	second := s.session.load().settings
	hints := defaultSettings().InlayHints
	hints.URLs = false
	changed := settings{new(false), "dev", []string{"b"}, []string{"abl.form"}, "http://p", true, true, nil, want.CodeLens, hints}
	if diff := cmp.Diff(changed, second); diff != "" {
		t.Errorf("settings.abl (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, first); diff != "" {
		t.Errorf("a change of the settings changed the old ones (-want +got):\n%s", diff)
	}
	for _, other := range []string{`null`, `{}`, `{"abl":null}`, `[]`} {
		c.Send(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":` + other + `}}`)
	}
	c.Send(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"abl":{"environment":"prod","trusted":"yes"}}}}`)
	c.Await(protocol.MethodWindowShowMessage, func(params jsonrpc2.RawMessage) bool {
		return strings.Contains(string(params), ": trusted cannot be of the type string")
	})
	if diff := cmp.Diff(second, s.session.load().settings); diff != "" {
		t.Errorf("wrong settings changed them (-want +got):\n%s", diff)
	}
}

// TestInvalidSettingsKeepDistrust checks that "trusted": false is applied even if other
// settings are invalid.
func TestInvalidSettingsKeepDistrust(t *testing.T) {
	const distrust = `{"trusted":false,"codeLens":{"run":"x"}}`
	for _, options := range []string{distrust, `{"trusted":true}`} {
		t.Run(options, func(t *testing.T) {
			c := startClient(t)
			c.Initialize(lsptest.WithOptions(options))
			c.Send(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"abl":` + distrust + `}}}`)
			c.Await(protocol.MethodWindowShowMessage, nil)
			c.echo(t)
			if got := c.server.session.load().settings; got.Trusted == nil || *got.Trusted || !got.CodeLens.Run {
				t.Errorf("%s: %+v", options, got)
			}
		})
	}
	c := startClient(t)
	c.Initialize(lsptest.WithOptions(`{"trusted":true,"proxy":5}`))
	c.Await(protocol.MethodWindowShowMessage, nil)
	if got := c.server.session.load().settings; got.Trusted != nil {
		t.Errorf("wrong settings give trust: %+v", got)
	}
}

func TestInvalidOptions(t *testing.T) {
	c := startClient(t)
	c.Initialize(lsptest.WithOptions(`[]`))
	c.Await(protocol.MethodWindowShowMessage, nil)
	c.echo(t)
}

func TestFolders(t *testing.T) {
	root := uri.URI("file:///r")
	tests := []struct {
		name string
		set  func(*protocol.InitializeParams)
		want []string
	}{
		{"none", func(*protocol.InitializeParams) {}, nil},
		{"folders win", func(p *protocol.InitializeParams) {
			p.RootURI = &root
			lsptest.WithFolders("/a", "/b c")(p)
		}, []string{"/a", "/b c"}},
		{"root URI", func(p *protocol.InitializeParams) { p.RootURI = &root }, []string{"/r"}},
		{"folder without a URI", func(p *protocol.InitializeParams) {
			p.WorkspaceFolders = protocol.NewNullable([]protocol.WorkspaceFolder{{Name: "odd"}})
		}, nil},
		{"root path", func(p *protocol.InitializeParams) { p.RootPath = protocol.NewNullable("/p") }, []string{"/p"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := startClient(t)
			s := c.server
			c.Initialize(tt.set)
			if got := s.session.load().folders; !slices.Equal(got, tt.want) {
				t.Errorf("folders = %q, want %q", got, tt.want)
			}
			c.Send(`{"jsonrpc":"2.0","method":"workspace/didChangeWorkspaceFolders","params":{"event":{"added":[{"uri":"file:///new","name":"n"}],"removed":[{"uri":"file:///a","name":"a"}]}}}`)
			c.echo(t)
			want := append(slices.DeleteFunc(slices.Clone(tt.want), func(f string) bool { return f == "/a" }), "/new")
			if got := s.session.load().folders; !slices.Equal(got, want) {
				t.Errorf("folders = %q after the change, want %q", got, want)
			}
		})
	}
}

func TestWatchFiles(t *testing.T) {
	c := startClient(t, checkWords)
	c.Initialize(func(p *protocol.InitializeParams) {
		p.Capabilities.Workspace = &protocol.WorkspaceClientCapabilities{
			DidChangeWatchedFiles: &protocol.DidChangeWatchedFilesClientCapabilities{DynamicRegistration: new(true)},
		}
	})
	c.Await(protocol.MethodClientRegisterCapability, reported("**/*.abl"))
}

// TestPulledSettings checks that the server asks for the settings at the start, and
// whenever the client reports a change without the settings.
func TestPulledSettings(t *testing.T) {
	answers := make(chan string, 10)
	answers <- `[{"environment":"first"}]`
	c := startClient(t)
	c.Answer(protocol.MethodWorkspaceConfiguration, func(raw jsonrpc2.RawMessage) (any, error) {
		if string(raw) != `{"items":[{"section":"abl"}]}` {
			t.Errorf("asked for %s", raw)
		}
		return protocol.LSPAny(<-answers), nil
	})
	c.Initialize(func(p *protocol.InitializeParams) {
		p.Capabilities.Workspace = &protocol.WorkspaceClientCapabilities{
			Configuration:          new(true),
			DidChangeConfiguration: &protocol.DidChangeConfigurationClientCapabilities{DynamicRegistration: new(true)},
		}
	})
	c.waitForEnvironment(t, "first")
	for name, settings := range map[string]string{
		"null":                `null`,
		"nothing":             `{}`,
		"of another program":  `{"other":{}}`,
		"null below our name": `{"abl":null}`,
	} {
		t.Run(name, func(t *testing.T) {
			answers <- `[{"environment":` + strconv.Quote(settings) + `}]`
			c.Send(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":` + settings + `}}`)
			c.waitForEnvironment(t, settings)
		})
	}
	for _, odd := range []string{`[null]`, `[]`, `null`, `{}`, `[5]`, `[{},{}]`} {
		answers <- odd
		c.Send(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{}}`)
	}
	answers <- `[{"environment":"last"}]`
	c.Send(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":null}}`)
	c.waitForEnvironment(t, "last")
	all, _ := c.registrations(t)
	if len(all) != 1 || all[0].Method != protocol.MethodWorkspaceDidChangeConfiguration || all[0].RegisterOptions.Section != "abl" {
		t.Errorf("registered %+v", all)
	}
	asked := len(c.Messages(protocol.MethodWorkspaceConfiguration))
	c.Send(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"abl":{"environment":"told"}}}}`)
	c.waitForEnvironment(t, "told")
	if n := len(c.Messages(protocol.MethodWorkspaceConfiguration)); n != asked {
		t.Error("asked for settings that were told")
	}
}

// waitForEnvironment waits until the settings name an environment.
func (f testClient) waitForEnvironment(t *testing.T, want string) {
	t.Helper()
	for f.server.session.load().settings.Environment != want {
		f.echo(t)
	}
}
