package invoke

import (
	"encoding/json"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// StatementRequests returns the requests that ask databases whether they accept the
// statements of the tools of the file at path, with imported ones. It leaves out
// statements that the caller completes. It fails with the first error of [Tool.Request].
func StatementRequests(w model.Workspace, path string, c CallOptions) ([]executor.Request, error) {
	var requests []executor.Request
	for _, l := range model.LowerAll(w, path) {
		s, ok := l.Tool.Spec.(*tool.SQL)
		if !ok || len(s.TemplateParameters) > 0 {
			continue
		}
		t := Tool{LoweredTool: l, asked: path, workspace: w}
		t.Tool.Params = withoutDetails(l.Tool.Params)
		c.Args = examples(t.Tool.Params)
		req, err := t.Request(c)
		if err != nil {
			return nil, err
		}
		requests = append(requests, req)
	}
	return requests, nil
}

// withoutDetails returns the parameters with only what is needed to prepare a statement.
func withoutDetails(params []tool.Param) []tool.Param {
	var out []tool.Param
	for _, p := range params {
		out = append(out, tool.Param{Name: p.Name, Type: p.Type, Optional: true})
	}
	return out
}

// examples returns arguments for all parameters. They are never sent.
func examples(params []tool.Param) json.RawMessage {
	args := make(map[string]any, len(params))
	for _, p := range params {
		args[p.Name] = example(p.Type)
	}
	raw, err := json.Marshal(args)
	if err != nil { // of such values there is none
		return nil
	}
	return raw
}

func example(t *tool.Type) any {
	switch {
	case t == nil:
		return ""
	case len(t.Enum) > 0:
		return t.Enum[0]
	}
	switch t.Name {
	case "number", "integer", "float":
		return 1
	case "boolean":
		return true
	case "array":
		return []any{}
	case "object", "map":
		return map[string]any{}
	}
	return ""
}
