package analysis

import (
	"regexp"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// values completes what stands behind a key.
func (t typed) values() []CompletionItem {
	if t.column == 0 && !t.dash {
		return t.headValue()
	}
	if t.opens() {
		return nil
	}
	if items, ok := t.sectionValue(); ok {
		return items
	}
	if t.inExpressions() {
		return t.expression(t.text())
	}
	f := bracketsOf(t.text())
	field, at := t.rows().step(t.key)
	for _, level := range f.levels {
		if level.key != "" {
			field, at = at.step(level.key)
		}
	}
	if items, ok := t.toolExpression(field); ok {
		return items
	}
	switch p := t.put(f); {
	case t.behind(p):
		return nil
	case f.inKey():
		return t.mapKeys(at, p)
	case t.inParameters():
		return t.words(tool.ParamTypes(), TypeItem, p)
	case field == nil:
		return t.toolNames(t.key, p)
	case len(field.Files) > 0 && len(f.levels) == 1:
		return append(t.refs(field, p), t.paths(f, ending(field.Files))...)
	default:
		return t.valuesOf(field, p)
	}
}

// put is where and how a word is put at the cursor.
type put struct {
	from  int      // where it begins
	quote byte     // that is open, 0 for none
	done  []string // words that stand in the list already
}

func (t typed) put(f brackets) put {
	return put{from: max(t.start, t.value) + f.from, quote: f.quote, done: f.top().words}
}

// behind reports whether the cursor is behind the word that is put: another one
// begins, or a call's brackets.
func (t typed) behind(p put) bool {
	return strings.ContainsAny(t.file.Doc.Text()[p.from:t.offset], " \t(")
}

// inParameters reports whether the value is a type: that of a parameter or of
// one of its fields.
func (t typed) inParameters() bool {
	path := t.path()
	return len(path) > 0 && path[0].Name() == "parameters" && path[len(path)-1].below.open
}

// opens reports whether the cursor stands right behind the colon of a key that
// may have a block or a list: Enter begins it there, and would take a value.
func (t typed) opens() bool {
	if !strings.HasSuffix(t.file.Doc.Text()[:t.offset], t.key+":") {
		return false
	}
	field, below := t.rows().step(t.key)
	if field != nil {
		return !field.Type.IsSingle()
	}
	return len(below.fields) > 0 || t.namesItem() || t.inParameters()
}

// valuesOf offers the values that a property may have.
func (t typed) valuesOf(field *tool.Field, p put) []CompletionItem {
	switch {
	case field.Type == tool.TypeType:
		return t.words(tool.ParamTypes(), TypeItem, p)
	case field.Name == "immutable_params":
		return t.paramNames(p)
	case field.Name == "connection" && !t.inTools():
		return t.exported(connectionNames, nil, "connection of the exported project", p)
	case field.Name == "server_tool":
		return t.serverTools(p)
	case field.Type == tool.BooleanType:
		return t.words(booleans, ValueItem, p)
	case slices.Contains(variableLists, field.Name):
		return t.variables(p)
	case slices.Contains(persistentLists, field.Name):
		return t.variables(p, PersistentVariable)
	case field.Ref != tool.NoRef:
		return append(t.refs(field, p), t.words(field.Values, ValueItem, p)...)
	case t.inTools():
		return append(t.words(field.Values, ValueItem, p), t.projectNames(t.tableOf(field), p)...)
	}
	return t.words(field.Values, ValueItem, p)
}

// The lists that name variables, and those that name persistent ones.
var ()

// inExpressions reports whether the line stands among the expressions of a
// tool's `set` and the like.
func (t typed) inExpressions() bool {
	path := t.path()
	if !t.inTools() || len(path) < 2 {
		return false
	}
	switch path[0].Name() {
	case "on_result", "on_error":
		return path[len(path)-1].Name() == "set"
	case "process":
		return slices.Contains([]string{"params", "result"}, path[len(path)-1].Name())
	}
	return false
}

var booleans = []tool.Word{{Name: "true"}, {Name: "false"}}

// words offers the words of a closed set, those of a list that stand there
// already left out.
func (t typed) words(words []tool.Word, kind ItemKind, p put) []CompletionItem {
	var items []CompletionItem
	for _, word := range words {
		if contains(p.done, word.Name) {
			continue
		}
		item := t.item(word.Name, kind, p)
		item.Detail, item.Documentation = editionNote(word.Edition), word.Doc
		items = append(items, item)
	}
	return items
}

// item puts a word at the cursor's place in a value, closing the quotes around
// it.
func (t typed) item(word string, kind ItemKind, p put) CompletionItem {
	with := word
	if p.quote != 0 && strings.IndexByte(t.rest(), p.quote) < 0 {
		with += string(p.quote)
	}
	return CompletionItem{Label: word, Kind: kind, Edit: t.replace(p.from, t.space(p)+with)}
}

// space is what stands between a word and the mark before it, where nothing does
// yet.
func (t typed) space(p put) string {
	before := t.file.Doc.Text()[t.start:p.from]
	for _, mark := range []string{":", ",", "->"} {
		if p.quote == 0 && strings.HasSuffix(before, mark) {
			return " "
		}
	}
	return ""
}

// mapKeys offers the keys of an inline map.
func (t typed) mapKeys(at rows, p put) []CompletionItem {
	var items []CompletionItem
	for _, field := range at.fields {
		if field.Undocumented || field.Elsewhere != "" || contains(p.done, field.Name) {
			continue
		}
		item := t.item(field.Name, PropertyItem, p)
		if rest := t.file.Doc.Text()[item.Edit.End:]; rest == "" || strings.IndexByte(`:"'`, rest[0]) < 0 {
			item.Edit.NewText += ": "
		}
		item.Detail, item.Documentation = field.Type.String(), fieldMarkdown(field)
		items = append(items, item)
	}
	return items
}

// paramNames offers the parameters of the tool.
func (t typed) paramNames(p put) []CompletionItem {
	decl, ok := t.tool()
	if !ok {
		return nil
	}
	return paramItems(decl.Params, p.done, func(name string) text.Edit {
		return t.item(name, ParameterItem, p).Edit
	})
}

// toolNames offers tools where a key names some.
func (t typed) toolNames(key string, p put) []CompletionItem {
	switch strings.ToUpper(key) {
	case "CALL", "AVAILABLE_TOOLS", "HIDE":
		return t.callable(p)
	}
	path := t.path()
	if len(path) > 0 && path[len(path)-1].Name() == "param_mapping" {
		return t.paramNames(p)
	}
	return nil
}

// tools offers tools by name, each once.
func (t typed) tools(tools []ScopedTool, p put) []CompletionItem {
	var items []CompletionItem
	done := slices.Clone(p.done)
	for _, s := range tools {
		name := s.Outside()
		if s.Name == "" || slices.Contains(done, s.Name) || slices.Contains(done, name) {
			continue
		}
		done = append(done, name)
		item := t.item(name, ToolItem, p)
		item.Detail, item.Tool = string(s.Kind()), &ToolName{Path: s.File.Path, Name: s.Name}
		items = append(items, item)
	}
	return items
}

// listItems completes an item of a list in a block.
func (t typed) listItems(in Property) []CompletionItem {
	p := put{from: t.start}
	if in.Field == nil {
		return t.toolNames(in.Name(), p)
	}
	typed := strings.TrimSpace(t.text() + t.rest())
	for _, item := range in.Items() {
		if item.Plain() != typed {
			p.done = append(p.done, item.Plain())
		}
	}
	return t.valuesOf(in.Field, p)
}

// arguments offers the parameters of the tool that is called.
func (t typed) arguments(call syntax.Node) []CompletionItem {
	return t.argumentsOf(call, t.siblings(), func(name string) text.Edit {
		return t.replace(t.start, name+t.colon(true))
	})
}

var consumersTyped = regexp.MustCompile(`\bconsumers:[ \t]*(\[[^\]]*)$`)

// consumers completes the tools in `(consumers: [tool])`.
func (t typed) consumers() []CompletionItem {
	s := t.text()
	m := consumersTyped.FindStringSubmatchIndex(s)
	if m == nil {
		return nil
	}
	p := t.put(bracketsOf(s[m[2]:]))
	p.from += m[2]
	return t.tools(t.w.Callable(t.file.Path).Tools, p)
}
