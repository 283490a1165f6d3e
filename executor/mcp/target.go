package mcp

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/oauth"
	"github.com/abl-lsp/abl-lsp/executor/process"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// The transports.
const (
	viaStdio     = "stdio"
	viaHTTP      = "http"
	viaWebSocket = "websocket"
)

// target is the server and the tool of a call, with all placeholders filled in.
type target struct {
	name, transport string
	words           []string // for stdio: the program and its arguments
	env             map[string]string
	dir             string
	folders         []string          // of the workspace
	url             *url.URL          // for http and websocket
	headers         map[string]string // of the server
	toolHeaders     map[string]string // of the tool
	resource        *oauth.Resource   // for http, what obtains tokens; nil: the headers say who calls
	guard           *dial.Guard
	max             int64

	slot, tool string
	warnings   []string
}

// sessionKey returns a key that is equal for calls that can share a session: same server, same
// headers, same permissions. If the server's program changes, the key changes.
func (t *target) sessionKey() string {
	headers := t.headers
	if t.transport == viaWebSocket {
		headers = t.allHeaders() // they are sent only with the handshake
	}
	identity := ""
	if t.resource != nil {
		identity = t.resource.Identity()
	}
	raw, _ := json.Marshal([]any{t.transport, t.words, process.Stamps(t.dir, t.words), t.env, t.dir, t.folders, t.address(), headers, identity, t.guard.Key(), t.max}) // strings always encode
	return string(raw)
}

// replacementKey returns a key that is equal for sessions that replace each other. There is one
// for each server of a project and environment. For a WebSocket there is one for each set of tool
// headers, since they are sent with the handshake.
func (t *target) replacementKey() string {
	if t.transport == viaWebSocket {
		return t.slot + string(exactjson.EncodeOrNil(t.toolHeaders))
	}
	return t.slot
}

// allHeaders returns the headers of the server, overridden by those of the tool. It is nil for a
// process.
func (t *target) allHeaders() map[string]string {
	if t.transport == viaStdio {
		return nil
	}
	all := maps.Clone(t.headers)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, t.toolHeaders)
	return all
}

// host returns the name of the server for messages: its host, or its program.
func (t *target) host() string {
	if t.transport == viaStdio {
		return t.words[0]
	}
	return t.url.Host
}

// address returns the URL of the server. It is "" for a process.
func (t *target) address() string {
	if t.url == nil {
		return ""
	}
	return t.url.String()
}

// slot returns a key for a server of a project in an environment.
func slot(call executor.Call, server string) string {
	return strings.Join([]string{call.Environment.Root, call.Environment.Name, server}, "\x00")
}

func toolName(call executor.Call, s *tool.MCP) string { return cmp.Or(s.ServerTool, call.Tool.Name) }

// entry returns the binding of a call and the server's entry in the project file. Placeholders are
// not filled in.
func (r *Runner) entry(call executor.Call) (*tool.MCP, tool.Server, error) {
	s, err := executor.SpecOf[*tool.MCP](call)
	if err != nil {
		return nil, tool.Server{}, err
	}
	if s.Server == "" {
		return nil, tool.Server{}, executor.DefinitionError("server", "server is missing; name one of `servers` in abl.yaml")
	}
	e, ok := call.Environment.Servers[s.Server]
	if !ok {
		known := slices.Sorted(maps.Keys(call.Environment.Servers))
		err := executor.DefinitionError("unknown-server", "server: abl.yaml has no server %q%s", s.Server, availableNames(s.Server, known))
		return nil, tool.Server{}, err.WithHint("Add it to `servers` in abl.yaml: transport, and command or url.")
	}
	if e.Fault != nil {
		return nil, tool.Server{}, e.Fault
	}
	e.Transport = cmp.Or(strings.ToLower(e.Transport), defaultTransport(e))
	return s, e, nil
}

// defaultTransport returns the transport of an entry that names none.
func defaultTransport(e tool.Server) string {
	switch {
	case e.URL == "":
		return viaStdio
	case strings.HasPrefix(e.URL, "ws:"), strings.HasPrefix(e.URL, "wss:"):
		return viaWebSocket
	}
	return viaHTTP
}

// target returns the server of a call and what is sent for its tool, with placeholders filled in.
func (r *Runner) target(call executor.Call) (*target, error) {
	t, err := r.server(call)
	if err != nil {
		return nil, err
	}
	s, e, err := r.entry(call)
	if err != nil {
		return nil, err
	}
	f := &filler{scope: call.Scope}
	t.toolHeaders = f.headers(s.Headers)
	if t.transport == viaStdio && len(t.toolHeaders) > 0 {
		t.warnings = []string{"headers are not sent: " + t.name + " is a process"}
	}
	credentialFiller := &filler{at: "credentials.", scope: withoutArguments(call.Scope)}
	maps.Copy(t.toolHeaders, credentialFiller.headers(toolCredentials(call, e)))
	if t.toolHeaders["Authorization"] != "" {
		t.resource = nil
	}
	return t, cmp.Or(f.err, credentialFiller.err)
}

// server returns the server of a call, with placeholders filled in. It has no tool headers.
func (r *Runner) server(call executor.Call) (*target, error) {
	s, e, err := r.entry(call)
	if err != nil {
		return nil, err
	}
	f := &filler{at: "servers." + s.Server + ".", scope: withoutArguments(call.Scope)}
	t := &target{
		name: s.Server, transport: e.Transport, dir: call.Environment.Root,
		folders: call.Folders, guard: call.Guard, max: call.Environment.Limits.MaxBytes(),
		slot: slot(call, s.Server), tool: toolName(call, s),
	}
	if e.OAuth != nil && e.Transport != viaHTTP {
		return nil, executor.DefinitionError("server", "%soauth goes with transport: http", f.at)
	}
	switch e.Transport {
	case viaStdio:
		f.process(t, e)
	case viaHTTP, viaWebSocket:
		f.remote(t, e)
		credentialFiller := &filler{at: "credentials.", scope: f.scope}
		maps.Copy(t.headers, credentialFiller.headers(hostCredentials(call, e)))
		f.err = cmp.Or(f.err, credentialFiller.err)
		f.oauth(t, e)
	default:
		return nil, executor.DefinitionError("server", "%stransport: %s is none of stdio, http, websocket", f.at, e.Transport)
	}
	return t, f.err
}
