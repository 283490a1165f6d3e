package executor

import (
	"encoding/json"

	"github.com/abl-lsp/abl-lsp/executor/template"
)

// trackArguments takes for secrets the arguments that an inline input_schema calls so:
// nothing that is shown or kept of the run has them.
func (r *run) trackArguments(args map[string]any) {
	var schema struct {
		Properties map[string]struct {
			Format    string `json:"format"`
			WriteOnly bool   `json:"writeOnly"`
		} `json:"properties"`
	}
	if json.Unmarshal(r.req.Tool.InlineInput(), &schema) != nil {
		return // there is none, or one that is found wrong elsewhere
	}
	for name, p := range schema.Properties {
		if value := args[name]; value != nil && (p.Format == "password" || p.WriteOnly) {
			r.redactor.Add(name, template.Value{Data: value}.Text())
		}
	}
}
