package mcp

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"net"
	nethttp "net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/template"
	"github.com/abl-lsp/abl-lsp/tool"
)

// The transports.
const (
	viaStdio     = "stdio"
	viaHTTP      = "http"
	viaWebSocket = "websocket"
)

// target is the server and the tool of a call, all placeholders filled in.
type target struct {
	name, transport string
	words           []string // of stdio: the program and its arguments
	env             map[string]string
	dir             string
	url             string            // of http and websocket
	headers         map[string]string // of the server
	own             map[string]string // of the tool
	guard           *dial.Guard
	max             int64

	slot, tool string
	warnings   []string
}

// key tells sessions apart: what a server is reached by, and how far it may go.
func (t *target) key() string {
	headers := t.headers
	if t.transport == viaWebSocket {
		headers = t.allHeaders() // they go with the handshake alone
	}
	raw, _ := json.Marshal([]any{t.transport, t.words, t.env, t.dir, t.url, headers, t.guard.Key(), t.max}) // texts always encode
	return string(raw)
}

// allHeaders are those of the server with the tool's laid over them; nil for a
// process.
func (t *target) allHeaders() map[string]string {
	if t.transport == viaStdio {
		return nil
	}
	all := maps.Clone(t.headers)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, t.own)
	return all
}

// host is whom a person knows the server by: its host, or its program.
func (t *target) host() string {
	if t.transport == viaStdio {
		return t.words[0]
	}
	u, err := url.Parse(t.url)
	if err != nil {
		return t.name
	}
	return u.Host
}

// slot names a server of a project in an environment.
func slot(call executor.Call, server string) string {
	return strings.Join([]string{call.Environment.Root, call.Environment.Name, server}, "\x00")
}

func toolName(call executor.Call, s *tool.MCP) string { return cmp.Or(s.ServerTool, call.Tool.Name) }

// entry is the server of the project that the tool names, as it is written.
func (r *Runner) entry(call executor.Call) (*tool.MCP, executor.Server, error) {
	s, err := specOf(call)
	if err != nil {
		return nil, executor.Server{}, err
	}
	if s.Server == "" {
		return nil, executor.Server{}, definition("server", "server is missing; name one of `servers` in abl.yaml")
	}
	e, ok := call.Environment.Servers[s.Server]
	if !ok {
		known := slices.Sorted(maps.Keys(call.Environment.Servers))
		err := definition("unknown-server", "server: abl.yaml has no server %q%s", s.Server, itHas(s.Server, known))
		return nil, executor.Server{}, err.WithHint("Add it to `servers` in abl.yaml: transport, and command or url.")
	}
	e.Transport = cmp.Or(strings.ToLower(e.Transport), usualTransport(e))
	return s, e, nil
}

// usualTransport is the one that an entry can only mean.
func usualTransport(e executor.Server) string {
	switch {
	case e.URL == "":
		return viaStdio
	case strings.HasPrefix(e.URL, "ws:"), strings.HasPrefix(e.URL, "wss:"):
		return viaWebSocket
	}
	return viaHTTP
}

func definition(code, format string, args ...any) *executor.Error {
	return executor.Errorf(executor.KindDefinition, code, format, args...)
}

// target fills in what a call reaches, and what the tool sends along.
func (r *Runner) target(call executor.Call) (*target, error) {
	t, err := r.server(call)
	if err != nil {
		return nil, err
	}
	f := &filler{scope: call.Scope}
	t.own = f.headers("headers.", call.Tool.Spec.(*tool.MCP).Headers)
	if t.transport == viaStdio && len(t.own) > 0 {
		t.warnings = []string{"headers are not sent: " + t.name + " is a process"}
	}
	return t, f.err
}

// server fills in what a call reaches.
func (r *Runner) server(call executor.Call) (*target, error) {
	s, e, err := r.entry(call)
	if err != nil {
		return nil, err
	}
	f := &filler{at: "servers." + s.Server + ".", scope: withoutArguments(call.Scope)}
	t := &target{
		name: s.Server, transport: e.Transport, dir: call.Environment.Root,
		guard: call.Guard, max: cmp.Or(call.Environment.Limits.ResponseBytes, r.opts.MaxBytes),
		slot: slot(call, s.Server), tool: toolName(call, s),
	}
	switch e.Transport {
	case viaStdio:
		f.process(t, e)
	case viaHTTP, viaWebSocket:
		f.remote(t, e)
	default:
		return nil, definition("server", "%stransport: %s is none of stdio, http, websocket", f.at, e.Transport)
	}
	return t, f.err
}

// withoutArguments is what an entry of the project's file may name: an argument
// would choose the server.
func withoutArguments(s *template.Scope) *template.Scope {
	return &template.Scope{Session: s.Session, Variables: s.Variables, Secrets: s.Secrets}
}

// filler fills in texts. The first error stays.
type filler struct {
	at    string // what stands before the names of properties
	scope *template.Scope
	err   error
}

func (f *filler) fail(err error) {
	if f.err == nil {
		f.err = err
	}
}

func (f *filler) text(property, text string) string {
	out, err := f.scope.Expand(text, nil)
	if err != nil {
		f.fail(executor.TemplateError(f.at+property, err))
	}
	return out
}

func (f *filler) process(t *target, e executor.Server) {
	if e.Command == "" {
		f.fail(definition("server", "%scommand is missing in abl.yaml; it is the program to start", f.at))
	}
	for _, word := range append([]string{e.Command}, e.Args...) {
		t.words = append(t.words, f.text("args", word))
	}
	t.env = map[string]string{}
	for name, text := range e.Env {
		t.env[name] = f.text("env."+name, text)
	}
}

func (f *filler) remote(t *target, e executor.Server) {
	if e.URL == "" {
		f.fail(definition("server", "%surl is missing in abl.yaml; it is where the server answers", f.at))
		return
	}
	t.headers = f.headers("headers.", e.Headers)
	text, err := template.Fill(strings.TrimSpace(e.URL), false, f.inURL)
	if err != nil {
		f.fail(executor.TemplateError(f.at+"url", err))
		return
	}
	u, err := address(t.transport, text)
	if refused, ok := errors.AsType[*dial.Refused](err); ok {
		f.fail(refused)
	} else if err != nil {
		f.fail(definition("server", "%surl: %w", f.at, err))
	} else {
		t.url = u.String()
	}
}

// inURL writes a variable of the environment as it is, which is the author's own
// text, and anything else so that it stays in its place.
func (f *filler) inURL(p template.Place) (string, error) {
	v, err := f.scope.Lookup(p.Name)
	if err != nil || v.Source == template.Variable {
		return v.Text(), err
	}
	if _, rest, ok := strings.Cut(p.Before, "://"); !ok || !strings.ContainsAny(rest, "/?#") {
		return "", &template.Error{Name: p.Name, Reason: "cannot be the host; write that out, or take it from {{env.NAME}}"}
	}
	return strings.ReplaceAll(url.QueryEscape(v.Text()), "+", "%20"), nil
}

// address reads a URL. That of a WebSocket is one of HTTP until it is dialled.
func address(transport, text string) (*url.URL, error) {
	if transport == viaWebSocket {
		for ws, plain := range map[string]string{"ws://": "http://", "wss://": "https://"} {
			if rest, ok := strings.CutPrefix(text, ws); ok {
				text = plain + rest
			}
		}
	}
	u, err := dial.ParseURL(text)
	if err != nil {
		return nil, err
	}
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}

// fixed are the headers that the protocol itself is made of.
var fixed = []string{
	"Accept", "Connection", "Content-Length", "Content-Type", "Host", "Last-Event-Id", "Mcp-Method", "Mcp-Name",
	"Mcp-Protocol-Version", "Mcp-Session-Id", "Transfer-Encoding", "Upgrade",
}

func (f *filler) headers(property string, written map[string]string) map[string]string {
	out := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(written)) {
		value := strings.TrimSpace(f.text(property+name, written[name]))
		canonical := nethttp.CanonicalHeaderKey(name)
		switch {
		case slices.Contains(fixed, canonical), strings.HasPrefix(canonical, "Sec-Websocket-"):
			f.fail(definition("header", "%s%s%s belongs to the protocol, and cannot be set", f.at, property, name))
		case !httpguts.ValidHeaderFieldName(name):
			f.fail(definition("header", "%s%s: %q is no header name", f.at, property, name))
		case !httpguts.ValidHeaderFieldValue(value):
			f.fail(executor.Errorf(executor.KindArguments, "header", "%s%s%s: a line break or control character cannot stand in a header", f.at, property, name))
		}
		out[canonical] = value
	}
	return out
}

// Reach is the server's tool, and the host or the process that it takes to get
// there.
func (r *Runner) Reach(call executor.Call) (executor.Reach, error) {
	_, entry, err := r.entry(call)
	if err != nil {
		return executor.Reach{}, err
	}
	t, err := r.server(unknowing(call, entry))
	if err != nil {
		return executor.Reach{}, err
	}
	accesses := []tool.Permission{{Kind: "mcp", Op: "call", Resource: t.name + "/" + t.tool}}
	receiver := t.host()
	if t.transport == viaStdio {
		accesses = append(accesses, tool.Permission{Kind: "process", Op: "start", Resource: receiver})
	} else {
		receiver = hostname(t.url)
		accesses = append(accesses, web(t)...)
	}
	return executor.Reach{Accesses: accesses, Receiver: receiver, Project: entry}, nil
}

// unknowing is a call before any secret is known: a letter stands for each.
func unknowing(call executor.Call, entry executor.Server) executor.Call {
	scope := *call.Scope
	scope.Secrets = map[string]string{}
	for _, name := range template.Secrets(string(encode(entry))) {
		scope.Secrets[name] = "x"
	}
	call.Scope = &scope
	return call
}

// methods are those by which a transport asks.
var methods = map[string]string{viaHTTP: "post", viaWebSocket: "get"}

// web are the accesses to a host, which may be named with its port and without.
func web(t *target) []tool.Permission {
	u, err := url.Parse(t.url)
	if err != nil {
		return nil // it was parsed before
	}
	port := cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
	op := methods[t.transport]
	return []tool.Permission{
		{Kind: "web", Op: op, Resource: u.Hostname()},
		{Kind: "web", Op: op, Resource: net.JoinHostPort(u.Hostname(), port)},
	}
}

func hostname(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	return u.Hostname()
}
