package model

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/script"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// ScriptReferences returns the places at which the code of a sandbox tool names a variable. Spans
// are relative to the entry. ok is false if some of them cannot be found.
func ScriptReferences(d *ToolDecl, name string) (places []text.Span, ok bool) {
	runtime, _ := d.Property("runtime")
	code, _ := d.Property("code")
	if d.Kind() != tool.KindSandbox || runtime.Field == nil || code.Value.IsZero() {
		return nil, false
	}
	word, known := tool.LookupWord(runtime.Field.Values, strings.TrimSpace(runtime.Text()))
	body := code.Value.EmbeddedText()
	if !known || body.MixedIndentation {
		return nil, false
	}
	places, ok = script.VariableSpans(script.Runtime(word.Name), body.Text, name)
	for i := range places {
		places[i] = body.Span(places[i])
	}
	return places, ok
}

// codeLines returns the lines of the file on which the lines of a tool's code are.
func (t ScopedTool) codeLines() []int {
	code, ok := t.Property("code")
	if !ok {
		return nil
	}
	body := code.Value.EmbeddedText()
	var lines []int
	at := 0
	for line := range strings.SplitSeq(body.Text, "\n") {
		place := body.Span(text.Span{Start: at, End: at}).Shift(t.Offset)
		lines = append(lines, LineOf(t.File, place))
		at += len(line) + 1
	}
	return lines
}

// scriptOccurrences returns the places at which the code of a tool names one of its parameters: the
// wanted one, or the one under the cursor.
func (r *Resolver) scriptOccurrences(t PositionedTool) []Occurrence {
	name := r.Word
	if r.Wanted != nil {
		name = r.Wanted.Name
	}
	if name == "" || !r.wants(name, ParameterSymbol) || t.Param(name) == nil {
		return nil
	}
	var out []Occurrence
	places, ok := ScriptReferences(t.ToolDecl, name)
	for _, at := range places {
		if ok {
			out = append(out, Occurrence{Symbol{ParameterSymbol, r.File.Path, t.Owner(), name}, at.Shift(t.Offset), Reads})
		}
	}
	return out
}
