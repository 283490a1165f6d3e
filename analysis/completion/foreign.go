package completion

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// supportedSources returns the kinds of sources that the tool at the cursor supports.
func supportedSources(t cursor.Line) []string {
	of := t.YAML.Root // a document for each thing
	if n := len(t.YAML.Path); n > 1 {
		of = t.YAML.Path[n-2].Node
	}
	if kinds := model.SupportedSourceKinds[of.Get("kind").StringValue()]; kinds != nil {
		return kinds
	}
	return model.SupportedSourceKinds[of.Get("type").StringValue()]
}

// siblingResources returns the tools that the files in the folder declare as resources.
func siblingResources(t cursor.Line) []string {
	var names []string
	for _, f := range model.ForeignSiblings(t.Workspace, t.File.Path) {
		names = append(names, f.DeclaredForeign(tool.RefResource)...)
	}
	return names
}

// schemaProperties returns the keys of `properties` in the schema that contains the cursor.
func schemaProperties(t cursor.Line) []string {
	for _, step := range slices.Backward(t.YAML.Path) {
		if step.Node == nil || step.Node.Get("properties") == nil {
			continue
		}
		var names []string
		for _, m := range step.Node.Get("properties").OwnMembers() {
			names = append(names, m.Key.Text)
		}
		return names
	}
	return nil
}

// typedForeign match the beginning of a placeholder before the cursor: the first group is the dot
// before a name, and the second the typed part of that name.
var typedForeign = map[string]*lazyregexp.Regexp{
	"toolbox": lazyregexp.New(`\{\{-?[ \t]*(?:\w+[ \t]+)?(\.?)(\w*)$`),
	"corail":  lazyregexp.New(`\{\{?[ \t]*()(\w*)$`),
}

var (
	typedVariable = lazyregexp.New(`\$\{(\w*)$`)
	typedUnquoted = lazyregexp.New(`\$([A-Za-z_]\w*|)$`)
)

// completeForeignPlaceholder completes a placeholder in a text: a parameter, its number in a
// statement, a secret. ok is false if the cursor is in none.
func completeForeignPlaceholder(t cursor.Line) (items []Item, ok bool) {
	line := t.LineText(t.Offset)
	before := t.File.Doc.Text()[line.Start:t.Offset]
	if strings.HasPrefix(strings.TrimLeft(before, " \t"), "#") {
		return nil, false
	}
	system := t.File.Foreign.System
	if m := typedVariable.FindStringSubmatchIndex(before); m != nil && (system == "toolbox" || system == "corail") {
		names, _ := model.SecretNames(t.Workspace, t.File.Path)
		return replacementItems(t, line.Start+m[2], names, "}", "secret", NameItem), true
	}
	if m := typedUnquoted.FindStringSubmatchIndex(before); m != nil && system == "corail" {
		names, _ := model.SecretNames(t.Workspace, t.File.Path)
		return replacementItems(t, line.Start+m[2], names, "", "secret", NameItem), true
	}
	if items, ok := completeNaoText(t); ok {
		return items, true
	}
	decl, in := t.File.ForeignAround(t.Offset)
	if !in {
		return nil, false
	}
	if system == "toolbox" && inStatement(t) { // its drivers know numbers alone
		numbers := marks{numbers: marksFor(model.SupportedSourceKinds[decl.Foreign.Sort]).numbers}
		if items, ok := completeMarks(t, before, numbers, foreignParams(decl)); ok {
			return items, true
		}
	}
	if m := typedUnquoted.FindStringSubmatchIndex(before); m != nil && system == "toolbox" && textKey(t) == "commands" {
		return replacementItems(t, line.Start+m[2], decl.ForeignNames(model.ForeignPlaceholder{}), "", "parameter", ParameterItem), true
	}
	form := typedForeign[system]
	if form == nil {
		return nil, false
	}
	m := form.FindStringSubmatchIndex(before)
	if m == nil || !inText(t, decl) {
		return nil, false
	}
	ends := "}}"
	if !strings.HasPrefix(before[m[0]:], "{{") {
		ends = "}"
	}
	items = replacementItems(t, line.Start+m[4], templateNames(t, decl), ends, "parameter", ParameterItem)
	if system == "toolbox" && m[2] == m[3] {
		for i := range items {
			items[i].Edit.NewText = "." + items[i].Edit.NewText
		}
	}
	return items, true
}

// foreignParams returns the parameters of a tool, for their numbers.
func foreignParams(decl model.PositionedTool) paramsAt {
	return func(int, string) (items []Item) {
		for _, p := range decl.Foreign.Tool.Params {
			items = append(items, Item{Label: p.Name, Detail: p.Type.String(), Documentation: p.Description})
		}
		return items
	}
}

// templateNames returns the parameters that a text may name: in a statement those that are pasted.
func templateNames(t cursor.Line, decl model.PositionedTool) []string {
	if inStatement(t) {
		return decl.PastedNames()
	}
	return decl.ForeignNames(model.ForeignPlaceholder{})
}

// inStatement reports whether the cursor is in the text of a statement, also one on several lines.
func inStatement(t cursor.Line) bool { return textKey(t) == "statement" }

// inText reports whether the cursor is in a text that may name parameters.
func inText(t cursor.Line, decl model.PositionedTool) bool {
	for _, n := range model.TextsOf(t.File, decl) {
		if n.Span.Touches(t.Offset) {
			return true
		}
	}
	return false
}

// textKey returns the key of the text that the cursor is in.
func textKey(t cursor.Line) string {
	for key, n := range model.TextsIn(t.File, text.Span{End: len(t.File.Doc.Text())}) {
		if n.Span.Touches(t.Offset) {
			return key
		}
	}
	return ""
}

// isLiteral reports whether words are quoted as in JSON: in JSON and in programs.
func isLiteral(t cursor.Line) bool { return isJSON(t) || isProgram(t) }

func isJSON(t cursor.Line) bool { return strings.EqualFold(filepath.Ext(t.File.Path), ".json") }

func isProgram(t cursor.Line) bool {
	return slices.Contains(model.ProgramEndings, strings.ToLower(filepath.Ext(t.File.Path)))
}

var identifier = lazyregexp.New(`^[A-Za-z_$][\w$]*$`)

// literalKey returns an item that writes a key as JSON and programs do, and replaces existing
// quotes.
func literalKey(t cursor.Line, item Item, name string) Item {
	if isProgram(t) && identifier.MatchString(name) {
		item.Edit.NewText = name
	}
	if !t.YAML.Quoted {
		return item
	}
	item.Edit.NewText = jsonText(name)
	item.Edit.Start--
	if end := item.Edit.End; end < len(t.File.Doc.Text()) && t.File.Doc.Text()[end] == t.File.Doc.Text()[item.Edit.Start] {
		item.Edit.End++
	}
	item.FilterText = t.File.Doc.Text()[item.Edit.Start:item.Edit.Start+1] + name
	return item
}

func jsonText(s string) string {
	raw, err := json.Marshal(s)
	if err != nil { // of a string there is none
		return s
	}
	return string(raw)
}
