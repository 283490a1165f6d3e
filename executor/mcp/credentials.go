package mcp

import (
	"maps"
	"net/url"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// hostCredentials are the headers by which the project has a server's host know who
// calls, but for those that its entry has itself. A process has no host.
func hostCredentials(call executor.Call, e tool.Server) map[string]string {
	if len(call.Environment.Credentials) == 0 {
		return nil
	}
	u := hostOf(call, e)
	if u == nil {
		return nil
	}
	return withoutNamed(headersFor(call.Environment.Credentials.For("", u.Hostname(), executor.PortOf(u))), e.Headers)
}

// toolCredentials are those that go along with the calls of one tool: what the
// project has under its name, but for its own headers. One that needs some, where
// nothing has any, sends the secret that the host's name begins.
func toolCredentials(call executor.Call, e tool.Server) map[string]string {
	c, some := call.Environment.Credentials[call.Tool.Name]
	wants := call.Tool.Hints.RequiresAuth.Is(true)
	if !some && !wants {
		return nil
	}
	u, own := hostOf(call, e), call.Tool.Spec.(*tool.MCP).Headers
	if u == nil {
		return nil
	}
	held := withoutNamed(headersFor(c), own)
	if !wants || len(held) > 0 || len(hostCredentials(call, e)) > 0 || sendsSecret(e, own) {
		return held
	}
	return map[string]string{"Authorization": "Bearer {{secrets." + executor.SecretName(u.Hostname()) + "_BEARER}}"}
}

// headersFor are those that a credential is sent in.
func headersFor(c tool.Credential) map[string]string {
	headers := map[string]string{}
	switch {
	case c.Bearer != "":
		headers["Authorization"] = "Bearer " + c.Bearer
	case c.APIKey != "":
		headers["X-API-Key"] = c.APIKey
	}
	maps.Copy(headers, c.Headers)
	return headers
}

// withoutNamed are headers but for those that others name as well.
func withoutNamed(headers, others map[string]string) map[string]string {
	maps.DeleteFunc(headers, func(name, _ string) bool {
		for other := range others {
			if strings.EqualFold(name, other) {
				return true
			}
		}
		return false
	})
	return headers
}

func sendsSecret(e tool.Server, own map[string]string) bool {
	return len(placeholder.Secrets(string(exactjson.EncodeOrNil([]any{e.URL, e.Headers, own})))) > 0
}

// hostOf is the URL of a server as far as it says which host that is, which no secret
// may; nil where it has none.
func hostOf(call executor.Call, e tool.Server) *url.URL {
	if e.Transport == viaStdio {
		return nil
	}
	f := &filler{scope: withoutSecrets(call, e).Scope}
	text, err := f.url(e.URL)
	if err != nil {
		return nil // whoever asks the server says so
	}
	u, err := address(e.Transport, text)
	if err != nil {
		return nil
	}
	return u
}
