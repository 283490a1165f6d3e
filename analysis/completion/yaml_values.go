package completion

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/describe"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// values completes a value.
func (t yamlLine) values() []Item {
	if rest, ok := t.Below("args"); ok {
		return yamlArgumentValues(t, rest)
	}
	switch row := t.Row; {
	case row == nil:
		return nil
	case row.Type == tool.BooleanType:
		return t.words(booleans)
	case row.Name == "environment" && row.Type == tool.String || row.Name == "default_environment":
		return t.plain(yamlEnvironments(t), "environment")
	case len(row.Files) > 0:
		return yamlPathItems(t, row)
	case len(row.Values) > 0:
		return t.words(row.Values)
	}
	return nil
}

// words offers the words of a closed set, those of a list that stand there
// already left out.
func (t yamlLine) words(words []tool.Word) []Item {
	var items []Item
	done := t.done()
	for _, w := range words {
		if !slices.Contains(done, w.Name) {
			item := t.value(w.Name, ValueItem)
			item.Documentation = w.Doc
			items = append(items, item)
		}
	}
	return t.listed(items)
}

// done are the other items of the list that the place is in.
func (t yamlLine) done() []string {
	if len(t.At.Path) < 2 || t.At.Path[len(t.At.Path)-1].Index < 0 {
		return nil
	}
	var words []string
	for _, item := range t.At.Path[len(t.At.Path)-2].Node.Items {
		if !item.Span.Touches(t.Offset) {
			words = append(words, item.Text)
		}
	}
	return words
}

func (t yamlLine) plain(names []string, what string) []Item {
	var items []Item
	for _, name := range names {
		item := t.value(name, NameItem)
		item.Edit.NewText = t.space() + t.quoted(name)
		item.Detail = what
		items = append(items, item)
	}
	return items
}

// value puts a word as it is.
func (t yamlLine) value(word string, kind ItemKind) Item {
	written := word
	if (isJSON(t.YAMLPlace) || isProgramPlace(t.YAMLPlace)) && word != "true" && word != "false" {
		written = t.quoted(word)
	}
	return Item{Label: word, Kind: kind, Edit: text.Edit{Span: t.At.Word, NewText: t.space() + written}}
}

// space is what stands between a colon and a value, where nothing does yet.
func (t yamlLine) space() string {
	if start := t.At.Word.Start; !t.At.Quoted && start > 0 && t.Source()[start-1] == ':' {
		return " "
	}
	return ""
}

// yamlEnvironments are those of the project's file.
func yamlEnvironments(t yamlLine) []string {
	in, _ := t.W.Project(t.F.Path)
	if in == nil || in.Project == nil {
		return nil
	}
	table, _ := in.Project.Table(projectfile.Environments)
	return table.Names()
}

// yamlPathItems offers the files that a value may lead to. The database of a source is
// one only where that is a file.
func yamlPathItems(t yamlLine, row *tool.Field) []Item {
	if row.Name == "database" && t.beside("kind") != "sqlite" {
		return nil
	}
	in := cursor.Line{
		Cursor: model.Cursor{File: t.F, Offset: t.Offset}, W: t.W, Ctx: t.ctx, Beyond: t.beyond, Start: t.At.Word.Start, Value: t.At.Word.Start,
	}
	f := model.Brackets{Levels: []model.BracketLevel{{}}}
	if t.At.Quoted {
		f.Quote = t.Source()[t.At.Word.Start-1]
	}
	return completePaths(in, f, ending(row.Files))
}

// beside is the word of another key of the map whose value the place is in.
func (t yamlLine) beside(key string) string {
	if len(t.At.Path) < 2 {
		return ""
	}
	return t.At.Path[len(t.At.Path)-2].Node.Get(key).Word()
}

// names offers what may stand where the author gives names.
func (t yamlLine) names(row *tool.Field) []Item {
	if t.InCases() {
		return yamlToolNames(t)
	}
	if t.named() {
		return nil // the snippet that was put in last, whose name is typed
	}
	one := row.Each
	by, _ := tool.Find(one.Fields, one.By)
	if by == nil {
		return []Item{t.newEntry(one, "")}
	}
	var items []Item
	for _, kind := range by.Values {
		item := t.newEntry(one, kind.Name)
		item.Documentation = describe.Paragraphs(one.Doc, kind.Doc)
		items = append(items, item)
	}
	return items
}

// newEntry is the snippet of a name of a table, with the keys that it must have.
func (t yamlLine) newEntry(one *tool.Field, kind string) Item {
	label, lines, stop := "new "+one.Name, []string(nil), 2
	if kind != "" {
		label += " (" + kind + ")"
	}
	for i := range one.Fields {
		f := &one.Fields[i]
		switch {
		case f.Name == one.By:
			lines = append(lines, f.Name+": "+kind)
		case projectfile.Needed(f, kind):
			lines = append(lines, fmt.Sprintf("%s: %s", f.Name, emptyValue(f, stop)))
			stop++
		}
	}
	if lines == nil {
		lines = []string{fmt.Sprintf("${%d}", stop)}
	}
	body := "\n  " + strings.Join(lines, "\n  ")
	if t.At.Flow {
		body = " {" + strings.Join(lines, ", ") + "\\}"
	}
	name := "${1:" + strings.ReplaceAll(one.Name, " ", "_") + "}"
	return Item{
		Label: label, Kind: SnippetItem, Documentation: one.Doc, Snippet: true, FilterText: t.At.Prefix + label,
		Edit: text.Edit{Span: t.At.Word, NewText: name + ":" + t.further(body)},
	}
}

func emptyValue(f *tool.Field, stop int) string {
	if f.Type == tool.ListType {
		return fmt.Sprintf("[${%d}]", stop)
	}
	return fmt.Sprintf("${%d:%s}", stop, f.Name)
}

// yamlToolNames offers the tools that have no cases yet, each with a first one; with its
// version where there are several.
func yamlToolNames(t yamlLine) []Item {
	var items []Item
	var done []string
	tools := cursor.CaseTools(t.W, t.F.Path)
	for i, name := range (model.Scope{Tools: tools}).CallNames() {
		s := tools[i]
		if name == "" || t.has(name) || slices.Contains(done, name) {
			continue
		}
		done = append(done, name)
		item := t.keyItem(name, "", "\n  "+yamlCaseSnippet(t, s))
		item.Kind, item.Detail, item.Tool = ToolItem, string(s.Kind()), &ToolName{Path: s.File.Path, Name: s.Name}
		items = append(items, item)
	}
	return items
}

// yamlNewCase is the snippet of one more case of a tool.
func yamlNewCase(t yamlLine) Item {
	s, _ := t.CaseTool()
	snippet := strings.TrimPrefix(yamlCaseSnippet(t, s), "- ")
	return Item{
		Label: "new case", Kind: SnippetItem, Documentation: t.Row.Doc, Snippet: true,
		Edit: text.Edit{Span: t.At.Word, NewText: strings.ReplaceAll(snippet, "\n    ", "\n  ")},
	}
}

// yamlCaseSnippet is a case with the arguments that a tool must have.
func yamlCaseSnippet(t yamlLine, s model.ScopedTool) string {
	out := "- name: ${1:first}\n    args:"
	if s.ToolDecl == nil {
		return out + " {${2}\\}"
	}
	stop := 2
	for _, p := range model.LowerTool(t.W, t.F.Path, s).Tool.Arguments() {
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

// yamlArguments offers the parameters of the tool, or the fields of one's type, those
// that must be given first.
func yamlArguments(t yamlLine) []Item {
	s, ok := t.CaseTool()
	if !ok {
		return nil
	}
	rest, _ := t.Below("args")
	of, _ := t.ArgumentType(s, rest)
	if of == nil {
		return nil
	}
	var required, optional []Item
	if len(rest) == 0 && s.ToolDecl != nil {
		required = pastedItems(s.ToolDecl, t.others(), func(name string) text.Edit { return t.keyItem(name, " ", "").Edit })
	}
	for _, f := range of.Fields {
		if t.has(f.Name) {
			continue
		}
		item := t.keyItem(f.Name, " ", "")
		item.Kind, item.Detail, item.Documentation = ParameterItem, f.Type.String(), f.Description
		if param := t.Param(s, f.Name); param != nil && len(rest) == 0 {
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

// yamlArgumentValues offers the values of a closed type.
func yamlArgumentValues(t yamlLine, path []yaml.Step) []Item {
	s, ok := t.CaseTool()
	if !ok || len(path) == 0 {
		return nil
	}
	of, param := t.ArgumentType(s, path)
	switch {
	case of == nil:
		return nil
	case of.Name == "boolean":
		return t.words(booleans)
	}
	names := slices.Clone(of.Enum)
	if param != nil && len(path) == 1 {
		for _, raw := range append(slices.Clone(param.AllowedValues), param.Default) {
			names = appendWord(names, raw)
		}
	}
	return t.plain(names, of.String())
}

// appendWord adds a text of JSON, once.
func appendWord(names []string, raw json.RawMessage) []string {
	var word string
	if json.Unmarshal(raw, &word) != nil || word == "" || slices.Contains(names, word) {
		return names
	}
	return append(names, word)
}

// yamlSessionNames offers the variables of the session, by the file that the tool is
// of and the paths that the tool reads.
func yamlSessionNames(t yamlLine) []Item {
	s, ok := t.CaseTool()
	if !ok {
		return nil
	}
	var names []string
	if p, ok := s.Property("context_access"); ok {
		for _, c := range p.Properties() {
			if c.Name() == "read" {
				for _, w := range c.Words() {
					names = append(names, w.Text)
				}
			}
		}
	}
	for _, v := range s.File.Variables() {
		if v.Kind == model.SessionVariable {
			names = append(names, v.Name)
		}
	}
	var items []Item
	for i, name := range names {
		if !t.has(name) && !slices.Contains(names[:i], name) {
			item := t.keyItem(name, " ", "")
			item.Kind, item.Detail = VariableItem, "session"
			items = append(items, item)
		}
	}
	return items
}
