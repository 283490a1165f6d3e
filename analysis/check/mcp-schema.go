package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/edit"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/schema"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// mcpSchema: an MCP tool agrees with the last listing of its server: the server has it, takes its
// parameters, and gets all that it requires. The tool has not changed since a person accepted it.
// Without a listing nothing is reported.
var mcpSchema = Check{
	Code: "mcp-schema",
	Entry: eachTool(func(out *findings, e Entry, t *model.ToolDecl) {
		use, ok := t.ServerUse()
		if !ok || use.Tool.Text == "" {
			return
		}
		server, serverTool := e.Servers.FindTool(use)
		switch {
		case server == nil, serverTool == nil && server.More:
		case serverTool == nil:
			noServerTool(out, t, use, server)
		default:
			changedTool(out, use, serverTool)
			if hasParams(t) {
				m := mcpTool{t, serverTool, serverTool.Input}
				m.compare(out)
			}
		}
	}),
}

func noServerTool(out *findings, t *model.ToolDecl, use model.ServerUse, server *model.Server) {
	names := server.Names()
	near := model.Nearest(use.Tool.Text, names)
	advice := "its tools are " + shortList(names) + "."
	switch {
	case near != "":
		advice = "did you mean `" + near + "`?"
	case len(names) == 0:
		advice = "it has none."
	}
	d := out.warn(use.Tool.Span, "The server `%s` has no tool `%s`; %s", use.Server.Text, use.Tool.Text, advice)
	if !use.Own {
		offerNear(d, use.Tool.Span, use.Tool.Text, names)
	} else if p, _ := t.Property("server"); near != "" && p.Node.Kind() == syntax.Pair {
		d.Fixes = append(d.Fixes, insertLine(p.Node, "server_tool: "+near))
	}
}

// changedTool reports that the listing of a tool differs from what a person has accepted.
func changedTool(out *findings, use model.ServerUse, changed *model.ServerTool) {
	if len(changed.Changed) == 0 {
		return
	}
	server := changed.Server
	d := out.warn(use.Tool.Span, "The server `%s` has changed `%s` since that was accepted: %s. Read it, then accept it.",
		server.Name, changed.Name, strings.Join(changed.Changed, ", "))
	d.Fixes = append(d.Fixes, model.Fix{
		Title:  "Accept what `" + server.Name + "` says of its tools now",
		Accept: &model.Acceptance{Root: server.Root, Server: server.Name, Digest: server.Digest()},
	})
}

// mcpTool is the declaration of an MCP tool, with the tool of the server that it calls.
type mcpTool struct {
	*model.ToolDecl
	listed *model.ServerTool
	input  foreign.Node
}

func (m mcpTool) compare(out *findings) {
	params, complete := m.Inputs()
	stored := m.SuppliesName("") // a processor may supply anything
	if stored || !complete || m.input.Kind != foreign.Map {
		return // it is unknown what is sent, or taken
	}
	for i, p := range params {
		if len(*out) == maxFindings {
			return
		}
		switch property, ok := m.input.Get("properties").Member(p.Name); {
		case ok:
			m.compareType(out, i, p, property.Value)
		case m.isClosed() && !m.SetsName(p.Name):
			m.reportUnknownParam(out, i)
		}
	}
	m.reportMissingParams(out)
}

// combining are the keywords of a schema that describe its properties elsewhere.
var combining = []string{"$ref", "allOf", "anyOf", "oneOf", "if", "not", "dependentSchemas", "patternProperties", "propertyNames"}

// isClosed reports whether the server lists all arguments that it takes.
func (m mcpTool) isClosed() bool {
	more := m.input.Get("additionalProperties")
	if m.input.Get("properties").Kind != foreign.Map || more.Kind == foreign.Map || more.Text == "true" {
		return false
	}
	return !slices.ContainsFunc(combining, m.input.Has)
}

func (m mcpTool) reportUnknownParam(out *findings, i int) {
	name, at := m.Params[i].Name, m.Params[i].NameNode().Span()
	var known, free []string
	for _, p := range m.input.Get("properties").Members {
		known = append(known, p.Key)
		if m.Param(p.Key) == nil {
			free = append(free, p.Key)
		}
	}
	advice := "it takes " + shortList(known) + "."
	near := model.Nearest(name, free)
	switch {
	case near != "":
		advice = "did you mean `" + near + "`?"
	case len(known) == 0:
		advice = "it takes none."
	}
	d := out.warn(at, "`%s` of the server `%s` takes no `%s`; %s", m.listed.Name, m.listed.Server.Name, name, advice)
	if schema.IsName(near) {
		offerNear(d, at, name, free)
	}
}

// reportMissingParams reports the arguments that the server requires and the signature lacks. One
// with a near parameter is left out, since that parameter is reported.
func (m mcpTool) reportMissingParams(out *findings) {
	for _, required := range m.input.Get("required").Items {
		name := required.Text
		property := m.input.Get("properties").Get(name)
		if m.Param(name) != nil || m.SuppliesName(name) || property.Has("default") || m.isMisspelt(name) || len(*out) == maxFindings {
			continue
		}
		d := out.warn(m.NameNode().Span(), "`%s` of the server `%s` wants `%s`, which the signature has not.", m.listed.Name, m.listed.Server.Name, name)
		written, ok := writtenType(property)
		if !ok {
			written = edit.TypeByName(name)
		}
		if fix, ok := edit.AddParameter(m.ToolDecl, name, written); ok && schema.IsName(name) {
			d.Fixes = append(d.Fixes, fix)
		}
	}
}

func (m mcpTool) isMisspelt(name string) bool {
	return slices.ContainsFunc(m.Params, func(p model.ParamDecl) bool {
		return !m.input.Get("properties").Has(p.Name) && model.Nearest(p.Name, []string{name}) != ""
	})
}

func (m mcpTool) compareType(out *findings, i int, p tool.Param, property foreign.Node) {
	clash, found := schema.FindClash(p.Type, property)
	if !found {
		return
	}
	written := m.Params[i].Node.Child(syntax.FieldType)
	at := m.Params[i].NameNode().Span()
	if !written.IsZero() {
		at = written.Span()
	}
	d := out.warn(at, "`%s` is of type `%s`, and `%s` of the server `%s` takes %s there.",
		p.Name+clash.Path, clash.Type, m.listed.Name, m.listed.Server.Name, clash.Want)
	m.offerType(d, at, written, p.Type, property)
}

// offerType adds the fix that writes the server's type, if the signature alone gives the type.
func (m mcpTool) offerType(d *model.Diagnostic, at text.Span, written syntax.Node, declared *tool.Type, property foreign.Node) {
	if written.IsZero() || model.TypeOf(written).String() != declared.String() {
		return
	}
	if want, ok := writtenType(property); ok {
		d.Fixes = append(d.Fixes, model.ReplaceFix("Change to `"+want+"`", at, want))
	}
}

// writtenType returns the type of a schema as a signature spells it; ok is false if a signature
// cannot.
func writtenType(property foreign.Node) (written string, ok bool) {
	written = schema.Type(property).String()
	return written, model.ParseType(written) != nil
}
