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

// hostCredentials returns the headers of the project's credential for a server's host, without
// those that the server's entry sets itself. It is nil for a process, which has no host.
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

// toolCredentials returns the headers that are sent with the calls of one tool: those of the
// project's credential under the tool's name, without those that the tool sets itself. If the tool
// requires authentication and nothing provides it, the result is a bearer token from the secret
// named after the host. A server with `oauth` provides it.
func toolCredentials(call executor.Call, e tool.Server) map[string]string {
	c, some := call.Environment.Credentials[call.Tool.Name]
	isRequired := call.Tool.Hints.RequiresAuth.Is(true)
	if !some && !isRequired {
		return nil
	}
	u, toolHeaders := hostOf(call, e), call.Tool.Spec.(*tool.MCP).Headers
	if u == nil {
		return nil
	}
	hostHeaders := withoutNamed(headersFor(c), toolHeaders)
	if !isRequired || e.OAuth != nil || len(hostHeaders) > 0 || len(hostCredentials(call, e)) > 0 || sendsSecret(e, toolHeaders) {
		return hostHeaders
	}
	return map[string]string{"Authorization": "Bearer {{secrets." + executor.SecretName(u.Hostname()) + "_BEARER}}"}
}

// headersFor returns the headers that send a credential.
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

// withoutNamed removes from headers those whose names others contains, and returns headers.
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

// hostOf returns a server's URL with a stand-in for each secret. Its host is exact, since a host
// cannot come from a secret. It is nil if the server has no valid URL.
func hostOf(call executor.Call, e tool.Server) *url.URL {
	if e.Transport == viaStdio {
		return nil
	}
	f := &filler{scope: withoutSecrets(call, e).Scope}
	text, err := f.url(e.URL)
	if err != nil {
		return nil // the request itself will report it
	}
	u, err := address(e.Transport, text)
	if err != nil {
		return nil
	}
	return u
}
