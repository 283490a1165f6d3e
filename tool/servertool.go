package tool

import "encoding/json"

// ServerInfo is what an MCP server says of itself.
type ServerInfo struct {
	Title        string `json:"title,omitempty"`
	Version      string `json:"version,omitempty"`
	Instructions string `json:"instructions,omitempty"` // how to use its tools
}

// ServerTool is a tool as an MCP server lists it.
type ServerTool struct {
	Name         string          `json:"name"`
	Title        string          `json:"title,omitempty"`
	Description  string          `json:"description,omitempty"`
	InputSchema  json.RawMessage `json:"input_schema,omitempty"`  // JSON Schema
	OutputSchema json.RawMessage `json:"output_schema,omitempty"` // JSON Schema
	Icons        json.RawMessage `json:"icons,omitempty"`         // a list, as the server wrote it
	ReadOnly     *bool           `json:"read_only,omitempty"`     // nil: missing
	Destructive  *bool           `json:"destructive,omitempty"`   // nil: missing
	RunsAsTask   bool            `json:"-"`                       // in version 2025-11-25 of the protocol it must be called as a task

	HasInvalidHeader bool `json:"-"` // an x-mcp-header of its parameters is invalid, so it must not be called
}
