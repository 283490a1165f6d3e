package corail

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/tool"
)

const promptHead = "## Available tools\n\n" +
	"To call a tool, write a block like this one, with the tool's name and its arguments as JSON:\n\n" +
	"```tool_call\n{\"name\": \"tool_name\", \"args\": {\"parameter\": \"value\"}}\n```\n\n" +
	"Its result comes back to you; then go on.\n\n"

// WritePrompt writes the part of a system prompt that describes tools to a model without function
// calls.
func WritePrompt(tools []tool.Tool, _ tool.Object) foreign.WriteResult {
	var w foreign.WriteResult
	var b strings.Builder
	for _, t := range tools {
		if w.NeverRuns(t) {
			continue
		}
		b.WriteString("- **" + t.QualifiedName() + "**: " + indentLines(t.Description, "  ") + "\n  Parameters:\n" + promptParams(t))
		if raw := t.InlineInput(); raw != nil {
			w.ReportLoss(t.QualifiedName(), "what its input_schema says beyond names, types and descriptions")
		}
		w.LoseParams(t)
		w.LoseReturns(t, &tool.Type{Name: "object"})
		w.LoseRest(t, "description", "service", "input_schema")
	}
	if b.Len() > 0 {
		w.Text = promptHead + b.String()
	}
	return w
}

// promptParams lists the parameters that a model sets, one a line.
func promptParams(t tool.Tool) string {
	var b strings.Builder
	for _, p := range t.WithFreeFormParam().Arguments() {
		if !p.Shown() {
			continue
		}
		need := "required"
		if p.Optional || !p.FromCaller() {
			need = "optional"
		}
		if p.Default != nil {
			need += ", default " + string(p.Default)
		}
		b.WriteString("    - " + p.Name + ": " + p.Type.String() + " (" + need + ")")
		if p.Description != "" {
			b.WriteString(" — " + indentLines(p.Description, "      "))
		}
		b.WriteByte('\n')
	}
	if b.Len() == 0 {
		return "    (none)\n"
	}
	return b.String()
}

// indentLines indents all lines of a text but the first, so that they belong to the same item.
func indentLines(s, indent string) string {
	return strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n"+indent)
}
