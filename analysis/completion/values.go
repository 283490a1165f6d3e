package completion

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/describe"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// completeValues completes what follows a key.
func completeValues(t cursor.Line) []Item {
	if t.Column == 0 && !t.Dash {
		return completeHeadValue(t)
	}
	if opensBlock(t) {
		return nil
	}
	if items, ok := completeSectionValue(t); ok {
		return items
	}
	if isInExpressions(t) {
		return completeExpression(t, t.Text())
	}
	f := model.BracketContextOf(t.Text())
	field, at := cursor.MemberSchema(t.KeySchema(), t.Key)
	for _, level := range f.Levels {
		if level.Key != "" {
			field, at = cursor.MemberSchema(at, level.Key)
		}
	}
	if items, ok := completeToolExpression(t, field); ok {
		return items
	}
	switch p := bracketInsertion(t, f); {
	case isAfterValue(t, p):
		return nil
	case f.InKey():
		return completeMapKeys(t, at, p)
	case isInParameters(t):
		return completeWords(t, tool.ParamTypes(), TypeItem, p)
	case field == nil:
		return completeToolNames(t, t.Key, p)
	case len(field.Files) > 0 && len(f.Levels) == 1:
		return append(completeRefs(t, field, p), completePaths(t, f, endingFilter(field.Files))...)
	default:
		return completeValuesOf(t, field, p)
	}
}

// insertion says where and how a word is inserted at the cursor.
type insertion struct {
	from   int      // the offset at which it begins
	quote  byte     // the open quote, 0 for none
	listed []string // words that the list has already
}

// without returns p with the words of some items marked as listed.
func (p insertion) without(items []Item) insertion {
	for _, item := range items {
		p.listed = append(p.listed, item.Label)
	}
	return p
}

func bracketInsertion(t cursor.Line, f model.BracketContext) insertion {
	return insertion{from: max(t.Start, t.Value) + f.From, quote: f.Quote, listed: f.Innermost().Words}
}

// isAfterValue reports whether the cursor is after the inserted word: another one begins, or a
// call's brackets.
func isAfterValue(t cursor.Line, p insertion) bool {
	return strings.ContainsAny(t.File.Doc.Text()[p.from:t.Offset], " \t(")
}

// isInParameters reports whether the value is a type: that of a parameter or of
// one of its fields.
func isInParameters(t cursor.Line) bool {
	path := t.Path()
	return len(path) > 0 && path[0].Name() == "parameters" && path[len(path)-1].ValueSchema().Open
}

// opensBlock reports whether the cursor is right after the colon of a key that may have a block or
// a list: there Enter begins the block, and must not accept a value.
func opensBlock(t cursor.Line) bool {
	if !strings.HasSuffix(t.File.Doc.Text()[:t.Offset], t.Key+":") {
		return false
	}
	field, below := cursor.MemberSchema(t.KeySchema(), t.Key)
	if field != nil {
		return !field.Type.IsSingle()
	}
	return len(below.Fields) > 0 || namesItem(t) || isInParameters(t)
}

// completeValuesOf offers the values that a property may have.
func completeValuesOf(t cursor.Line, field *tool.Field, p insertion) []Item {
	words := field.Values
	switch field.Type {
	case tool.TypeType:
		return completeWords(t, tool.ParamTypes(), TypeItem, p)
	case tool.BooleanType:
		words = booleans
	}
	items := completeRefs(t, field, p)
	p = p.without(items)
	return append(items, completeWords(t, words, ValueItem, p)...)
}

// isInExpressions reports whether the line is among the expressions of a
// tool's `set` and the like.
func isInExpressions(t cursor.Line) bool {
	path := t.Path()
	if !t.InTools() || len(path) < 2 {
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

// completeWords offers the words of a closed set, without those that the list has already.
func completeWords(t cursor.Line, words []tool.Word, kind ItemKind, p insertion) []Item {
	var items []Item
	for _, word := range words {
		if model.ContainsFold(p.listed, word.Name) {
			continue
		}
		item := Item{Label: word.Name, Kind: kind, Documentation: word.Doc}
		if t.YAML == nil { // other systems know no editions of the language
			item.Detail = describe.EditionNote(word.Edition)
		}
		items = append(items, newItem(t, p, item))
	}
	return items
}

// newItem returns an item that inserts its label into a value, and closes the quotes around it.
func newItem(t cursor.Line, p insertion, item Item) Item {
	if t.YAML != nil {
		item.Edit = yamlValue(t, item.Label, item.Kind)
		return item
	}
	with := item.Label
	if p.quote != 0 && strings.IndexByte(t.TextAfter(), p.quote) < 0 {
		with += string(p.quote)
	}
	item.Edit = t.Replace(p.from, spaceBefore(t, p)+with)
	return item
}

// spaceBefore returns the space between a word and the mark before it, if there is none yet.
func spaceBefore(t cursor.Line, p insertion) string {
	before := t.File.Doc.Text()[t.Start:p.from]
	for _, mark := range []string{":", ",", "->"} {
		if p.quote == 0 && strings.HasSuffix(before, mark) {
			return " "
		}
	}
	return ""
}

// completeMapKeys offers the keys of an inline map.
func completeMapKeys(t cursor.Line, at model.KeySchema, p insertion) []Item {
	var items []Item
	for _, field := range at.Fields {
		if field.Undocumented || field.Elsewhere != "" || model.ContainsFold(p.listed, field.Name) {
			continue
		}
		item := newItem(t, p, Item{Label: field.Name, Kind: PropertyItem})
		if rest := t.File.Doc.Text()[item.Edit.End:]; rest == "" || strings.IndexByte(`:"'`, rest[0]) < 0 {
			item.Edit.NewText += ": "
		}
		item.Detail, item.Documentation = field.Type.String(), describe.FieldMarkdown(field, "auth")
		items = append(items, item)
	}
	return items
}

// completeParamNames offers the parameters of the tool.
func completeParamNames(t cursor.Line, p insertion) []Item {
	decl, ok := t.Tool()
	if !ok {
		return nil
	}
	return paramItems(decl.Params, p.listed, func(name string) text.Edit {
		return newItem(t, p, Item{Label: name, Kind: ParameterItem}).Edit
	})
}

// completeToolNames offers tools for a key that names some.
func completeToolNames(t cursor.Line, key string, p insertion) []Item {
	switch strings.ToUpper(key) {
	case "CALL", "AVAILABLE_TOOLS", "HIDE":
		return completeCallable(t, p)
	}
	path := t.Path()
	if len(path) > 0 && path[len(path)-1].Name() == "param_mapping" {
		return completeParamNames(t, p)
	}
	return nil
}

// completeTools offers tools by name, each once.
func completeTools(t cursor.Line, tools []model.ScopedTool, p insertion) []Item {
	var items []Item
	done := slices.Clone(p.listed)
	for _, s := range tools {
		name := s.QualifiedName()
		if s.Name == "" || slices.Contains(done, s.Name) || slices.Contains(done, name) {
			continue
		}
		done = append(done, name)
		items = append(items, newItem(t, p, Item{
			Label: name, Kind: ToolItem, Detail: string(s.Kind()), Tool: &ToolName{Path: s.File.Path, Name: s.Name},
		}))
	}
	return items
}

// completeListItems completes an item of a list in a block.
func completeListItems(t cursor.Line, in model.Property) []Item {
	p := insertion{from: t.Start}
	if in.Field == nil {
		return completeToolNames(t, in.Name(), p)
	}
	typed := strings.TrimSpace(t.Text() + t.TextAfter())
	for _, item := range in.Items() {
		if item.PlainText() != typed {
			p.listed = append(p.listed, item.PlainText())
		}
	}
	return completeValuesOf(t, in.Field, p)
}

// completeArguments offers the parameters of the called tool.
func completeArguments(t cursor.Line, call syntax.Node) []Item {
	return completeArgumentsOf(t, call, t.Siblings(), func(name string) text.Edit {
		return t.Replace(t.Start, name+colonAfter(t, true))
	})
}

var typedConsumers = lazyregexp.New(`\bconsumers:[ \t]*(\[[^\]]*)$`)

// completeConsumers completes the tools in `(consumers: [tool])`.
func completeConsumers(t cursor.Line) []Item {
	s := t.Text()
	m := typedConsumers.FindStringSubmatchIndex(s)
	if m == nil {
		return nil
	}
	p := bracketInsertion(t, model.BracketContextOf(s[m[2]:]))
	p.from += m[2]
	return completeTools(t, t.Workspace.Callable(t.File.Path).Tools, p)
}
