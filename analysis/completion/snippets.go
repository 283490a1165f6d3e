package completion

import (
	"fmt"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/describe"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// completeNewTools returns the snippets of a whole tool, one for each kind.
func completeNewTools(t cursor.Line) []Item {
	var items []Item
	for _, kind := range tool.Kinds() {
		label := "new " + kind.Name + " tool"
		filter := label
		if kind.Name == string(tool.KindHTTP) {
			label, filter = "new tool", "new tool "+kind.Name // the kind finds it all the same
		}
		items = append(items, Item{
			Label: label, Kind: SnippetItem, Detail: "name(parameter: type) -> type",
			FilterText:    filter,
			Documentation: describe.Paragraphs(kind.Doc, describe.EditionNote(kind.Edition)),
			Snippet:       true, Edit: t.Replace(t.Start, toolSnippet(tool.Kind(kind.Name))),
		})
	}
	return items
}

// typedNew matches the beginning of a new tool's label, as far as it is typed.
var typedNew = lazyregexp.New(`^new[ \t]+\w*(?:[ \t]+\w*)?$`)

// completeNewTool offers a tool of each kind after `new `. ok is false if the line is no beginning of
// such a label.
func completeNewTool(t cursor.Line) (items []Item, ok bool) {
	before := t.File.Doc.Text()[t.Start:t.Offset]
	isDirect := t.Parent.IsZero() || t.Parent.Kind() == syntax.Add
	if !t.InTools() || t.Dash || !isDirect || !typedNew.MatchString(before) {
		return nil, false
	}
	items = completeNewTools(t)
	for i, kind := range tool.Kinds() {
		items[i].Label = "new " + kind.Name + " tool"
		items[i].FilterText = items[i].Label
	}
	return items, true
}

// toolSnippet returns a tool with its required properties.
func toolSnippet(kind tool.Kind) string {
	var b strings.Builder
	b.WriteString("${1:get_thing}(${2:id}: ${3:string}) -> ${4:object}\n" +
		"  description: \"${5:What it does, when to call it and what comes back}\"\n" +
		"  type: " + string(kind))
	stop := 6
	for _, f := range tool.Fields(kind) {
		if f.Required || f.Name == "code" {
			b.WriteString("\n  " + f.Name + ": " + valueSnippet(f, stop))
			stop++
		}
	}
	return b.String()
}

// valueSnippet returns a value to fill in.
func valueSnippet(f tool.Field, stop int) string {
	switch {
	case f.Name == "endpoint":
		return fmt.Sprintf(`"${%d:/things/{id\}}"`, stop)
	case f.Name == "code":
		return fmt.Sprintf("|\n    ${%d:return {\\}}", stop)
	case len(f.Values) > 0:
		var names []string
		for _, w := range f.Values {
			names = append(names, w.Name)
		}
		return fmt.Sprintf("${%d|%s|}", stop, strings.Join(names, ","))
	case f.Type == tool.CodeType:
		return fmt.Sprintf("|\n    ${%d}", stop)
	}
	return fmt.Sprintf(`"${%d:%s}"`, stop, f.Name)
}

// newStepItem returns the snippet of a step.
func newStepItem(t cursor.Line) Item {
	return Item{
		Label: "new step", Kind: SnippetItem, Detail: "step", Documentation: "A step of the flow.", Snippet: true,
		Edit: t.Replace(t.Start, "${1:step}:\n  REASONING: ${2|false,true|}\n  RESPOND: \"${3}\"\n  THEN: ${4:COMPLETE}"),
	}
}

// newImportItem returns the snippet of an import.
func newImportItem(t cursor.Line) Item {
	return Item{
		Label: "import tools", Kind: SnippetItem, Detail: "file: \"…\" [tool, …]", Documentation: model.ToolsKeys[0].Doc, Snippet: true,
		Edit: t.Replace(t.Start, `file: "${1:./name.tools.abl}" [${2}]`),
	}
}

// fieldSnippet returns the snippet for a property, if the client knows tab stops; "" if it would be
// the same as the plain text.
func fieldSnippet(t cursor.Line, f tool.Field) string {
	if colonAfter(t, false) == "" {
		return ""
	}
	switch first := firstKey(f); {
	case f.OneLine:
		return ""
	case f.Type == tool.BlockList && first != "" && !f.Named:
		return f.Name + ":\n  - " + first + ": $1"
	case f.Type == tool.BlockList || f.Type == tool.ListType && f.Name != strings.ToLower(f.Name):
		return ""
	case f.Type == tool.Block && first != "":
		return f.Name + ":\n  " + first + ": $1"
	case f.Type == tool.Block || f.Type == tool.MapType:
		return f.Name + ":\n  $1"
	case f.Type == tool.CodeType:
		return f.Name + ": |\n  $1"
	}
	return ""
}

// firstKey returns the key that a block requires, or that begins each item of a list.
func firstKey(f tool.Field) string {
	fields := f.Fields
	if f.Items != nil {
		fields = f.Items
	}
	for _, one := range fields {
		if one.Required {
			return one.Name
		}
	}
	if f.Type == tool.BlockList && len(fields) > 0 {
		return fields[0].Name
	}
	return ""
}
