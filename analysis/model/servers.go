package model

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/schema"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// ServerListing is the list of tools that a server last returned, and those that a person has
// accepted.
type ServerListing struct {
	ListedAt time.Time         `json:"asked"`
	Info     tool.ServerInfo   `json:"info,omitzero"`
	Tools    []tool.ServerTool `json:"tools"`
	More     bool              `json:"more,omitempty"` // it has others, which are left out
	Accepted []tool.ServerTool `json:"accepted"`
}

// Digest identifies the listing, so that a person accepts only what they have seen.
func (s ServerListing) Digest() string {
	sum := sha256.Sum256(exactjson.EncodeOrNil(s.Tools))
	return hex.EncodeToString(sum[:])
}

// Servers are the MCP servers of one project that have listed their tools. It is immutable; nil has
// no servers.
type Servers struct {
	root   string
	byName map[string]*Server
}

// Server is an MCP server with the tools that it has.
type Server struct {
	ServerListing
	Name string
	Root string // the folder of its project

	byName func() map[string]*ServerTool
}

// ServerTool is a tool of a server.
type ServerTool struct {
	tool.ServerTool
	Server *Server
	Input  foreign.Node // the schema of its arguments; zero if it has none

	// Changed are the parts that differ from what a person has accepted.
	Changed []string
}

// WithServers returns the workspace that knows the listings of a project's servers, by their names.
// The root is the folder of its abl.yaml.
func (w Workspace) WithServers(root string, listings map[string]ServerListing) Workspace {
	project := &Servers{root: root, byName: make(map[string]*Server, len(listings))}
	for name, s := range listings {
		project.byName[name] = newServer(root, name, s)
	}
	w.servers = withKey(w.servers, root, project)
	return w
}

// Servers returns the servers of the project of the file at path; nil if nothing is known of them.
func (w Workspace) Servers(path string) *Servers {
	if root := ProjectRoot(w, path); root != "" {
		return w.servers[root]
	}
	return nil
}

// ProjectRoot returns the folder of the abl.yaml that applies to the file at path; "" if there is
// none.
func ProjectRoot(w Workspace, path string) string {
	if f, _ := w.Project(path); f != nil {
		return filepath.Dir(f.Path)
	}
	return ""
}

// ServerRoots returns the folders of the projects whose servers are known.
func ServerRoots(w Workspace) []string { return slices.Sorted(maps.Keys(w.servers)) }

// ServersAt returns the servers of the project in a folder; nil if nothing is known of them.
func ServersAt(w Workspace, root string) *Servers { return w.servers[root] }

// Match reports whether the servers have exactly these listings.
func (s *Servers) Match(listings map[string]ServerListing) bool {
	return maps.EqualFunc(s.byName, listings, func(now *Server, listing ServerListing) bool {
		return bytes.Equal(exactjson.EncodeOrNil(now.ServerListing), exactjson.EncodeOrNil(listing))
	})
}

// Server returns the server of that name; nil if it has not listed its tools.
func (s *Servers) Server(name string) *Server {
	if s == nil {
		return nil
	}
	return s.byName[name]
}

func newServer(root, name string, listing ServerListing) *Server {
	s := &Server{ServerListing: listing, Name: name, Root: root}
	s.byName = sync.OnceValue(func() map[string]*ServerTool {
		byName := make(map[string]*ServerTool, len(listing.Tools))
		for _, t := range listing.Tools {
			if byName[t.Name] == nil {
				byName[t.Name] = s.newTool(t)
			}
		}
		return byName
	})
	return s
}

// Tool returns the tool of that name; nil if the server has none.
func (s *Server) Tool(name string) *ServerTool { return s.byName()[name] }

// PlainName matches a name that can be written in a file as it is. A server may call its tools
// anything.
var PlainName = lazyregexp.New(`^[A-Za-z0-9_][\w./-]{0,127}$`)

// Names returns the names of the tools, without those that no file can write.
func (s *Server) Names() []string {
	var names []string
	for _, t := range s.Tools {
		if PlainName.MatchString(t.Name) && !slices.Contains(names, t.Name) {
			names = append(names, t.Name)
		}
	}
	return names
}

func (s *Server) newTool(listed tool.ServerTool) *ServerTool {
	t := &ServerTool{ServerTool: listed, Server: s}
	t.Input = schema.Read(listed.InputSchema)
	if before := t.Accepted(); before != nil {
		t.Changed = changedParts(before.ServerTool, listed)
	}
	return t
}

// Accepted returns the tool as a person has accepted it; nil if none has.
func (t *ServerTool) Accepted() *ServerTool {
	for _, before := range t.Server.Accepted {
		if before.Name == t.Name {
			return &ServerTool{ServerTool: before, Server: t.Server, Input: schema.Read(before.InputSchema)}
		}
	}
	return nil
}

// changedParts returns the parts in which two versions of a tool differ.
func changedParts(before, after tool.ServerTool) []string {
	var parts []string
	for _, p := range []struct {
		what string
		same bool
	}{
		{"its title", before.Title == after.Title},
		{"its description", before.Description == after.Description},
		{"its parameters", sameSchema(before.InputSchema, after.InputSchema)},
		{"its result", sameSchema(before.OutputSchema, after.OutputSchema)},
		{"what it does to things", sameBool(before.ReadOnly, after.ReadOnly) && sameBool(before.Destructive, after.Destructive)},
	} {
		if !p.same {
			parts = append(parts, p.what)
		}
	}
	return parts
}

func sameSchema(a, b []byte) bool { return string(a) == string(b) || schema.MeansSame(a, b) }

func sameBool(a, b *bool) bool { return a == b || a != nil && b != nil && *a == *b }

// ServerUse is the server, and the tool of that server, that a declared tool calls. Spans are
// relative to the entry of the declaration.
type ServerUse struct {
	Server Word
	Tool   Word // "" if it is known at run time only; its span is the name in the signature if nothing else names it
	Own    bool // the server's tool has the name of the tool itself
}

// ServerUse returns the server's tool that an MCP tool calls. ok is false for other tools, and if
// the server is known at run time only.
func (d *ToolDecl) ServerUse() (u ServerUse, ok bool) {
	server, ok := d.Property("server")
	if d.Kind() != tool.KindMCP || !ok {
		return ServerUse{}, false
	}
	if u.Server, ok = server.PlainName(); !ok {
		return ServerUse{}, false
	}
	if property, ok := d.Property("server_tool"); ok && !property.IsEmpty() {
		u.Tool, _ = property.PlainName()
		return u, true
	}
	u.Tool, u.Own = Word{d.Name, d.NameNode().Span()}, true
	return u, true
}

// FindTool returns the server and its tool that are used. server is nil if the server has listed
// nothing, t if it does not have the tool.
func (s *Servers) FindTool(u ServerUse) (server *Server, t *ServerTool) {
	if server = s.Server(u.Server.Text); server == nil {
		return nil, nil
	}
	return server, server.Tool(u.Tool.Text)
}

// ServerAt returns the server of the tool whose signature, `server` or `server_tool` is at an
// offset of the file at path. ok is false elsewhere, and if the tool has no server that is known.
func ServerAt(w Workspace, path string, offset int) (name string, ok bool) {
	f := w.File(path)
	if f == nil || f.Doc == nil || f.Kind == YAML {
		return "", false
	}
	t, ok := f.ToolAround(offset)
	if !ok {
		return "", false
	}
	use, ok := t.ServerUse()
	if !ok {
		return "", false
	}
	on := t.SignatureSpan().Touches(offset)
	for _, name := range []string{"server", "server_tool"} {
		p, ok := t.Property(name)
		on = on || ok && p.Node.Span().Shift(t.Offset).Touches(offset)
	}
	return use.Server.Text, on
}
