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

// ServerListing is the list of tools that a server last gave, and those that a person has
// accepted.
type ServerListing struct {
	ListedAt time.Time         `json:"asked"`
	Tools    []tool.ServerTool `json:"tools"`
	More     bool              `json:"more,omitempty"` // it has others, which are not kept
	Accepted []tool.ServerTool `json:"accepted"`
}

// Digest names what a server says, so that nobody accepts what he has not seen.
func (s ServerListing) Digest() string {
	sum := sha256.Sum256(exactjson.EncodeOrNil(s.Tools))
	return hex.EncodeToString(sum[:])
}

// Servers are the MCP servers of one project, as far as they have listed tools.
// They never change; nil knows none.
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

	// Changed are the parts of it that are not what somebody has accepted.
	Changed []string
}

// WithServers returns the workspace that knows what the servers of a project say, by their names.
// The root is the folder of its abl.yaml.
func (w Workspace) WithServers(root string, listings map[string]ServerListing) Workspace {
	project := &Servers{root: root, byName: make(map[string]*Server, len(listings))}
	for name, s := range listings {
		project.byName[name] = newServer(root, name, s)
	}
	w.servers = withKey(w.servers, root, project)
	return w
}

// Servers are those of the project of the file at path; nil if nothing is known of them.
func (w Workspace) Servers(path string) *Servers {
	if root := ProjectRoot(w, path); root != "" {
		return w.servers[root]
	}
	return nil
}

// ProjectRoot returns the folder of the project's file that applies to the file at path; "" if
// there is none.
func ProjectRoot(w Workspace, path string) string {
	if f, _ := w.Project(path); f != nil {
		return filepath.Dir(f.Path)
	}
	return ""
}

// ServerRoots returns the folders of the projects whose servers are known.
func ServerRoots(w Workspace) []string { return slices.Sorted(maps.Keys(w.servers)) }

// ServersAt are those of the project in a folder; nil if nobody has told.
func ServersAt(w Workspace, root string) *Servers { return w.servers[root] }

// Match reports whether that is what the servers say.
func (s *Servers) Match(listings map[string]ServerListing) bool {
	return maps.EqualFunc(s.byName, listings, func(now *Server, listing ServerListing) bool {
		return bytes.Equal(exactjson.EncodeOrNil(now.ServerListing), exactjson.EncodeOrNil(listing))
	})
}

// Server returns the one of that name; nil if it has not listed its tools.
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

// PlainName is a name that can be in a file as it is. What a server calls its
// tools is nothing that anybody has looked over.
var PlainName = lazyregexp.New(`^[A-Za-z0-9_][\w./-]{0,127}$`)

// Names returns the names of the tools, those that no file can write left out.
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

// Accepted returns the tool as somebody has accepted it; nil if nobody has.
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

// ServerUse is what a tool names of a server. Spans are relative to its entry.
type ServerUse struct {
	Server Word
	Tool   Word // "" where only a run knows it; in the signature where nothing else names it
	Own    bool // the server's tool is called as the tool itself
}

// ServerUse returns the server's tool that an MCP tool is; not ok for other tools, and where only a
// run knows the server.
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

// FindTool returns the server's tool that is used; nil if the server has listed nothing, or has it not.
func (s *Servers) FindTool(u ServerUse) (server *Server, t *ServerTool) {
	if server = s.Server(u.Server.Text); server == nil {
		return nil, nil
	}
	return server, server.Tool(u.Tool.Text)
}

// ServerAt returns the server that the tool names whose signature, `server` or `server_tool` an
// offset of the file at path is in.
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
