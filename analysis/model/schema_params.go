package model

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/dialect/schema"
	"github.com/abl-lsp/abl-lsp/tool"
)

// schemaParams are the parameters that an input_schema declares in addition to the signature. They
// are not all if the schema permits others as well, or is in a file.
type schemaParams struct {
	params   []tool.Param
	complete bool
}

// SchemaParams returns the parameters that the tool's input_schema declares in addition to its
// signature. complete is false if it may permit others as well. The slice is shared: do not change
// it.
func (d *ToolDecl) SchemaParams() (params []tool.Param, complete bool) {
	d.lazy.onceSchema.Do(func() { d.lazy.schema = readSchemaParams(d) })
	return d.lazy.schema.params, d.lazy.schema.complete
}

func readSchemaParams(d *ToolDecl) schemaParams {
	var t tool.Tool
	if d.IsForeign() {
		t.InputSchema = d.Foreign.InputSchema
	} else if p, ok := d.Property("input_schema"); ok {
		t, _ = tool.Decode(map[string]any{"input_schema": p.value()})
	}
	s := schemaParams{complete: t.InputSchema == nil || t.InlineInput() != nil && !t.TakesMore()}
	names := t.ArgumentNames()
	params, _ := schema.Params(schema.Read(t.InlineInput()))
	for _, p := range params {
		if slices.Contains(names, p.Name) && d.Param(p.Name) == nil {
			s.params = append(s.params, p)
		}
	}
	return s
}
