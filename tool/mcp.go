package tool

// MCP is the binding of `type: mcp`: one tool of an MCP server.
type MCP struct {
	Server     string            `json:"server,omitempty"`      // a name that the project resolves
	ServerTool string            `json:"server_tool,omitempty"` // "": the tool's own name
	Headers    map[string]string `json:"headers,omitempty"`
	Timeout    Number            `json:"timeout,omitempty"` // milliseconds; from the shared defaults only
}

// Kind is KindMCP.
func (*MCP) Kind() Kind { return KindMCP }

var mcpBinding = binding{
	kind: KindMCP,
	doc:  "One tool of an MCP server.",
	spec: func() Spec { return new(MCP) },
	laid: pick(sharedDefaults, "timeout"),
	fields: []Field{
		{Name: "server", Type: String, Required: true,
			Doc: "The server's name. Transport, address and sign-in stand in the project's settings."},
		{Name: "server_tool", Aliases: []string{"tool"}, Type: String, Default: "the tool's name",
			Doc: "What the server calls the tool."},
		{Name: "headers", Type: MapType, Edition: Later, Doc: "Headers to send with each call, by name."},
	},
}
