package completion

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/describe"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// completeEntryNames offers names at a place whose keys are the author's: tools that have no cases
// yet, else a new entry of each kind.
func completeEntryNames(t cursor.Line, field *tool.Field) []Item {
	if t.File.SavedCases != nil {
		return completeCaseTools(t)
	}
	if hasColon(t) {
		return nil // the snippet that was put in last, whose name is typed
	}
	one := field.Each
	if one.Name == "" && t.File.Foreign == nil { // values of a map that has any keys
		return nil
	}
	by, _ := tool.Find(one.Fields, one.By)
	if by == nil {
		return []Item{newEntryItem(t, one, "")}
	}
	var items []Item
	for _, kind := range by.Values {
		item := newEntryItem(t, one, kind.Name)
		item.Documentation = describe.Paragraphs(one.Doc, kind.Doc)
		items = append(items, item)
	}
	return items
}

// newEntryItem returns the snippet of a name of a table, with its required keys.
func newEntryItem(t cursor.Line, one *tool.Field, kind string) Item {
	label, lines, stop := "new "+one.Name, []string(nil), 2
	if kind != "" {
		label += " (" + kind + ")"
	}
	for i := range one.Fields {
		f := &one.Fields[i]
		switch {
		case f.Name == one.By:
			lines = append(lines, f.Name+": "+kind)
		case f.IsNeededBy(kind):
			lines = append(lines, fmt.Sprintf("%s: %s", f.Name, emptyValue(f, stop)))
			stop++
		}
	}
	if lines == nil {
		lines = []string{fmt.Sprintf("${%d}", stop)}
	}
	body := "\n  " + strings.Join(lines, "\n  ")
	if t.YAML.Flow {
		body = " {" + strings.Join(lines, ", ") + "\\}"
	}
	name := "${1:" + strings.ReplaceAll(one.Name, " ", "_") + "}"
	return Item{
		Label: label, Kind: SnippetItem, Documentation: one.Doc, Snippet: true, FilterText: t.YAML.Prefix + label,
		Edit: text.Edit{Span: t.YAML.Word, NewText: name + ":" + indented(t, body)},
	}
}

func emptyValue(f *tool.Field, stop int) string {
	if f.Type == tool.ListType {
		return fmt.Sprintf("[${%d}]", stop)
	}
	return fmt.Sprintf("${%d:%s}", stop, f.Name)
}

// completeCaseTools offers the tools that have no cases yet, each with a first one; with its
// version if there are several.
func completeCaseTools(t cursor.Line) []Item {
	var items []Item
	done := t.Siblings()
	tools := cursor.TestedTools(t.Workspace, t.File.Path)
	for i, name := range (model.Scope{Tools: tools}).CallNames() {
		s := tools[i]
		if name == "" || slices.Contains(done, name) {
			continue
		}
		done = append(done, name)
		item := yamlKeyItem(t, name, "", "\n  "+caseSnippet(t, s))
		item.Kind, item.Detail, item.Tool = ToolItem, string(s.Kind()), &ToolName{Path: s.File.Path, Name: s.Name}
		items = append(items, item)
	}
	return items
}

// newCaseItem returns the snippet of one more case of a tool.
func newCaseItem(t cursor.Line) Item {
	s, _ := t.TestedTool()
	snippet := strings.TrimPrefix(caseSnippet(t, s), "- ")
	return Item{
		Label: "new case", Kind: SnippetItem, Documentation: t.ValueField().Doc, Snippet: true,
		Edit: text.Edit{Span: t.YAML.Word, NewText: strings.ReplaceAll(snippet, "\n    ", "\n  ")},
	}
}

// caseSnippet returns a case with the arguments that the tool requires.
func caseSnippet(t cursor.Line, s model.ScopedTool) string {
	out := "- name: ${1:first}\n    args:"
	if s.ToolDecl == nil {
		return out + " {${2}\\}"
	}
	stop := 2
	for _, p := range model.LowerTool(t.Workspace, t.File.Path, s).Tool.Arguments() {
		if p.Name != "" && !p.Optional && p.Default == nil && p.Shown() && p.FromCaller() {
			out += fmt.Sprintf("\n      %s: ${%d}", p.Name, stop)
			stop++
		}
	}
	if stop == 2 {
		return out + " {\\}"
	}
	return out
}

// completeCaseArguments offers the parameters of the tool, or the fields of its type, required ones
// first.
func completeCaseArguments(t cursor.Line, path []yaml.PathElement) []Item {
	s, ok := t.TestedTool()
	if !ok {
		return nil
	}
	of, _ := cursor.ArgumentType(t.Workspace, s, path)
	if of == nil {
		return nil
	}
	given := t.Siblings()
	var required, optional []Item
	if len(path) == 0 && s.ToolDecl != nil {
		required = pastedItems(s.ToolDecl, given, func(name string) text.Edit { return yamlKeyItem(t, name, " ", "").Edit })
	}
	for _, f := range of.Fields {
		if slices.Contains(given, f.Name) {
			continue
		}
		item := yamlKeyItem(t, f.Name, " ", "")
		item.Kind, item.Detail, item.Documentation = ParameterItem, f.Type.String(), f.Description
		if param := cursor.LoweredParam(t.Workspace, s, f.Name); param != nil && len(path) == 0 {
			item.Documentation = param.Description
		}
		if f.Optional {
			optional = append(optional, item)
		} else {
			required = append(required, item)
		}
	}
	return append(required, optional...)
}

// completeCaseValues offers the values of an argument of a closed type.
func completeCaseValues(t cursor.Line, path []yaml.PathElement) []Item {
	s, ok := t.TestedTool()
	if !ok || len(path) == 0 {
		return nil
	}
	of, param := cursor.ArgumentType(t.Workspace, s, path)
	switch {
	case of == nil:
		return nil
	case of.Name == "boolean":
		return completeWords(t, booleans, ValueItem, insertion{})
	}
	names := slices.Clone(of.Enum)
	if param != nil && len(path) == 1 {
		for _, raw := range append(slices.Clone(param.AllowedValues), param.Default) {
			names = appendWord(names, raw)
		}
	}
	return completePlainNames(t, names, of.String(), insertion{})
}

// appendWord adds a text of JSON, once.
func appendWord(names []string, raw json.RawMessage) []string {
	var word string
	if json.Unmarshal(raw, &word) != nil || word == "" || slices.Contains(names, word) {
		return names
	}
	return append(names, word)
}

// completeSessionNames offers the variables of the session, from the tool's file and from the paths
// that the tool reads.
func completeSessionNames(t cursor.Line) []Item {
	s, ok := t.TestedTool()
	if !ok {
		return nil
	}
	var names []string
	if p, ok := s.Property("context_access"); ok {
		if read, ok := model.FindProperty(p.Properties(), "read"); ok {
			for _, w := range read.Words() {
				names = append(names, w.Text)
			}
		}
	}
	for _, v := range s.File.Variables() {
		if v.Kind == model.SessionVariable {
			names = append(names, v.Name)
		}
	}
	var items []Item
	done := t.Siblings()
	for _, name := range names {
		if !slices.Contains(done, name) {
			done = append(done, name)
			item := yamlKeyItem(t, name, " ", "")
			item.Kind, item.Detail = VariableItem, "session"
			items = append(items, item)
		}
	}
	return items
}
