package tool

import (
	"net/textproto"
	"slices"
	"strings"
)

// KindMCP is the kind of [MCP].
const KindMCP Kind = "mcp"

// MCP is the binding of `type: mcp`: one tool of an MCP server.
type MCP struct {
	Server     string            `json:"server,omitempty"`      // a name that the project resolves
	ServerTool string            `json:"server_tool,omitempty"` // "": the tool's own name
	Headers    map[string]string `json:"headers,omitempty"`
	Timeout    Number            `json:"timeout,omitempty"` // milliseconds; from the shared defaults only
}

// Kind returns KindMCP.
func (*MCP) Kind() Kind { return KindMCP }

func (m *MCP) summary(func(string) string) string { return spaced("mcp", m.Server, m.ServerTool) }

var mcpBinding = binding{
	kind:  KindMCP,
	order: 2,
	doc:   "One tool of an MCP server.",
	spec:  func() Spec { return new(MCP) },
	laid:  pick(sharedDefaults, "timeout"),
	fields: []Field{
		{Name: "server", Type: String, Required: true, Ref: RefServer,
			Doc: "The server's name. Transport, address and sign-in stand in the project's settings."},
		{Name: "server_tool", Aliases: []string{"tool"}, Type: String, Ref: RefServerTool, Default: "the tool's name",
			Doc: "What the server calls the tool."},
		{Name: "headers", Type: MapType, Edition: Later, Doc: "Headers to send with each call, by name."},
		{Name: "transport_type", Type: WordType, Edition: Later, Undocumented: true,
			Doc: "How the server is spoken to, as the platform stores it. The project's settings decide."},
	},
}

// fixedByMCP are the headers that MCP's protocol itself sets.
var fixedByMCP = []string{
	"Accept", "Connection", "Content-Length", "Content-Type", "Host", "Last-Event-Id", "Mcp-Method", "Mcp-Name",
	"Mcp-Protocol-Version", "Mcp-Session-Id", "Transfer-Encoding", "Upgrade",
}

// IsFixedByMCP reports whether MCP's protocol itself sets a header, in any casing.
func IsFixedByMCP(name string) bool {
	canonical := textproto.CanonicalMIMEHeaderKey(name)
	return slices.Contains(fixedByMCP, canonical) || strings.HasPrefix(canonical, "Sec-Websocket-")
}
