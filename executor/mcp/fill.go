package mcp

import (
	"errors"
	"maps"
	nethttp "net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/template"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// withoutArguments returns the scope for an entry of the project's file. It lacks the arguments,
// because an argument could choose the server.
func withoutArguments(s *template.Scope) *template.Scope {
	return &template.Scope{Session: s.Session, Variables: s.Variables, Secrets: s.Secrets}
}

// filler fills in the placeholders of an entry and keeps the first error.
type filler struct {
	at    string // the prefix of property names in messages
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

func (f *filler) process(t *target, e tool.Server) {
	if e.Command == "" {
		f.fail(executor.DefinitionError("server", "%scommand is missing in abl.yaml; it is the program to start", f.at))
	}
	t.words = []string{f.text("command", e.Command)}
	for _, word := range e.Args {
		t.words = append(t.words, f.text("args", word))
	}
	t.env = map[string]string{}
	for name, text := range e.Env {
		t.env[name] = f.text("env."+name, text)
	}
}

func (f *filler) remote(t *target, e tool.Server) {
	if e.URL == "" {
		f.fail(executor.DefinitionError("server", "%surl is missing in abl.yaml; it is where the server answers", f.at))
		return
	}
	t.headers = f.headers(e.Headers)
	text, err := f.url(e.URL)
	if err != nil {
		f.fail(executor.TemplateError(f.at+"url", err))
		return
	}
	u, err := address(t.transport, text)
	if refused, ok := errors.AsType[*dial.RefusedError](err); ok {
		f.fail(refused)
	} else if err != nil {
		f.fail(executor.DefinitionError("server", "%surl: %w", f.at, err))
	} else {
		t.url = u
	}
}

func (f *filler) url(text string) (string, error) {
	return placeholder.Fill(strings.TrimSpace(text), false, f.escapeForURL)
}

// escapeForURL returns the text of a placeholder in a URL. A variable of the environment is the author's
// own text and stays as it is. Any other value is escaped and cannot be the host.
func (f *filler) escapeForURL(p placeholder.Lookup) (string, error) {
	v, err := f.scope.Lookup(p.Name)
	if err != nil || v.Source == template.Variable {
		return v.Text(), err
	}
	if !dial.HostIsComplete(p.Before) {
		return "", &template.Error{Name: p.Name, Reason: "cannot be the host; write that out, or take it from {{env.NAME}}"}
	}
	return strings.ReplaceAll(url.QueryEscape(v.Text()), "+", "%20"), nil
}

// address parses text, the URL of a server. The scheme of a WebSocket becomes http or https until
// the URL is dialled.
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

func (f *filler) headers(written map[string]string) map[string]string {
	out := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(written)) {
		value := strings.TrimSpace(f.text("headers."+name, written[name]))
		canonical := nethttp.CanonicalHeaderKey(name)
		switch {
		case tool.IsFixedByMCP(name):
			f.fail(executor.DefinitionError("header", "%sheaders.%s belongs to the protocol, and cannot be set", f.at, name))
		case !httpguts.ValidHeaderFieldName(name):
			f.fail(executor.DefinitionError("header", "%sheaders: %q is no header name", f.at, name))
		case !httpguts.ValidHeaderFieldValue(value):
			f.fail(executor.Errorf(executor.KindArguments, "header", "%sheaders.%s: a line break or control character cannot stand in a header", f.at, name))
		}
		out[canonical] = value
	}
	return out
}
