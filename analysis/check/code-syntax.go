package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/script"
	"github.com/abl-lsp/abl-lsp/tool"
)

// codeSyntax: the code of a sandbox tool parses in its runtime, as the body of a function whose
// variables are the parameters.
var codeSyntax = Check{
	Code: "code-syntax",
	Entry: eachTool(func(out *findings, _ Entry, t *model.ToolDecl) {
		body, runtime, ok := sandboxCode(t)
		if !ok {
			return
		}
		if fault := script.Parse(runtime, body.Text); fault != nil {
			out.err(body.Span(fault.Span), "The code does not parse as %s. %s", runtimeNames[runtime], fault.Message)
		}
		unusableNames(out, t, runtime)
	}),
}

// unusableNames reports the parameters that cannot be variables of the code: a call that gives one
// fails.
func unusableNames(out *findings, t *model.ToolDecl, runtime script.Runtime) {
	const why = "No variable of %s can be called `%s`, and a call that gives it fails; give it another name."
	code := tool.Sandbox{Runtime: string(runtime)}
	for i := range t.Params {
		p := &t.Params[i]
		switch {
		case p.Name == "" || code.CanName(p.Name):
		case p.Optional:
			out.warn(p.NameNode().Span(), why, runtimeNames[runtime], p.Name)
		default:
			out.err(p.NameNode().Span(), why, runtimeNames[runtime], p.Name)
		}
	}
	named, _ := t.SchemaParams()
	for _, p := range named {
		if schema, _ := t.Property("input_schema"); !code.CanName(p.Name) {
			out.warn(schema.Node.KeyNode().Span(), why, runtimeNames[runtime], p.Name)
		}
	}
}

var runtimeNames = map[script.Runtime]string{script.JavaScript: "JavaScript", script.Python: "Python"}

// sandboxCode returns the code of a sandbox tool whose runtime is known. Text below a `code:`
// without a block marker is lines of ABL, and the platform's reading of it is unknown; so is the
// depth of Python lines if some are indented by tabs.
func sandboxCode(t *model.ToolDecl) (body syntax.EmbeddedText, runtime script.Runtime, ok bool) {
	written, _ := t.Property("runtime")
	source, _ := t.Property("code")
	if t.Kind() != tool.KindSandbox || written.Field == nil || source.Value.IsZero() {
		return syntax.EmbeddedText{}, "", false
	}
	word, known := tool.LookupWord(written.Field.Values, strings.TrimSpace(written.Text()))
	body, runtime = source.Value.EmbeddedText(), script.Runtime(word.Name)
	return body, runtime, known && (runtime != script.Python || !body.MixedIndentation)
}
