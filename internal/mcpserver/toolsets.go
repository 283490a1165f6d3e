package mcpserver

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/abl-lsp/abl-lsp/internal/invoke"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Toolset is a part of what is served, under a name.
type Toolset struct {
	Name    string
	Tools   []invoke.Tool
	Broken  []BrokenTool
	Prompts []tool.Prompt
}

// toolsetServer is the server of one toolset, with its handler over HTTP.
type toolsetServer struct {
	server  *Server
	handler http.Handler
}

// SetToolsets replaces the toolsets that are served at [Path]/NAME. Clients of one that is left are
// told if something changes for them; those of one that is gone have an empty one.
func (s *Server) SetToolsets(toolsets []Toolset) {
	next := map[string]toolsetServer{}
	for _, t := range toolsets {
		one, has := s.toolset(t.Name)
		if !has {
			opts := s.opts
			opts.Title = t.Name
			one.server = newServer(opts, s.common)
			one.handler = one.server.newEndpoint()
		}
		one.server.Set(t.Tools, t.Broken) // what it cannot offer, the whole server cannot either
		one.server.SetPrompts(t.Prompts)
		next[t.Name] = one
	}
	s.mu.Lock()
	before := s.toolsets
	s.toolsets = next
	s.mu.Unlock()
	for name, one := range before {
		if _, has := next[name]; !has {
			one.server.Set(nil, nil)
			one.server.SetPrompts(nil)
		}
	}
}

func (s *Server) toolset(name string) (t toolsetServer, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, ok = s.toolsets[name]
	return t, ok
}

// toolsetPath is the pattern of the paths of toolsets.
const toolsetPath = Path + "/{toolset}"

// serveToolset answers a request to a toolset.
func (s *Server) serveToolset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("toolset")
	if t, ok := s.toolset(name); ok {
		t.handler.ServeHTTP(w, r)
		return
	}
	body, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{ // which never fails
		"code": jsonrpc.CodeInvalidRequest, "message": fmt.Sprintf("there is no toolset %q", name),
	}})
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusNotFound)
	_, _ = w.Write(append(body, '\n')) // a client that is gone needs none
}
