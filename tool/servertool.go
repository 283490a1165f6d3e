package tool

import "encoding/json"

// ServerTool is what an MCP server tells about one of its tools.
type ServerTool struct {
	Name         string          `json:"name"`
	Title        string          `json:"title,omitempty"`
	Description  string          `json:"description,omitempty"`
	InputSchema  json.RawMessage `json:"input_schema,omitempty"`  // JSON Schema
	OutputSchema json.RawMessage `json:"output_schema,omitempty"` // JSON Schema
	ReadOnly     *bool           `json:"read_only,omitempty"`     // nil: missing
	Destructive  *bool           `json:"destructive,omitempty"`   // nil: missing
}
