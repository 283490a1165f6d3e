package completion

import (
	"context"
	"regexp"
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

// yamlLine is the place under a cursor in abl.yaml or in saved cases.
type yamlLine struct {
	cursor.YAMLPlace
	ctx    context.Context // lives as long as one request
	beyond cursor.Host
}

// completeYAML is what may be put at an offset of abl.yaml or of saved cases.
func completeYAML(ctx context.Context, w model.Workspace, f *model.File, offset int, beyond cursor.Host) []Item {
	t := yamlLine{cursor.YAMLPlaceAt(w, f, offset), ctx, beyond}
	if items, ok := t.inPlaceholder(); ok {
		return items
	}
	if items, ok := t.expression(); ok {
		return items
	}
	var items []Item
	if t.At.Key {
		items = t.keys()
	}
	if t.At.Value {
		items = append(items, t.values()...)
	}
	return items
}

var secretTyped = regexp.MustCompile(`\{\{[ \t]*(secrets\.)?([\w-]*)$`)

// inPlaceholder completes `{{secrets.NAME}}`. A text that begins with it needs
// quotes. ok is false where the cursor is in none.
func (t yamlLine) inPlaceholder() (items []Item, ok bool) {
	line := t.Line(t.Offset)
	before := t.Source()[line.Start:t.Offset]
	m := secretTyped.FindStringSubmatchIndex(before)
	if m == nil || strings.HasPrefix(strings.TrimLeft(before, " \t"), "#") {
		return nil, false
	}
	put := func(name, ends string) Item {
		rest := t.Source()[t.wordEnd():line.End]
		if strings.HasPrefix(strings.TrimLeft(rest, " "), "}}") {
			ends = ""
		}
		return Item{Label: name, Edit: text.Edit{Span: text.Span{Start: line.Start + m[4], End: t.wordEnd()}, NewText: name + ends}}
	}
	if m[2] < 0 {
		space, _ := model.FindNamespace("secrets")
		item := put("secrets", "")
		item.Kind, item.Documentation = NamespaceItem, space.Doc
		item.Edit.NewText += "."
		return []Item{item}, true
	}
	names, _ := model.Secrets(t.W, t.F.Path)
	ahead := before[:m[0]]
	bare := strings.HasSuffix(strings.TrimRight(ahead, " \t"), ":") && strings.Count(ahead, `"`)%2 == 0 && strings.Count(ahead, "'")%2 == 0
	for _, name := range names {
		item := put(name, "}}")
		item.Kind, item.Detail = NameItem, "secret"
		if bare {
			item.Edit.Start, item.Edit.NewText = line.Start+m[0], `"{{secrets.`+name+`}}"`
			item.FilterText = before[m[0]:m[4]] + name
		}
		items = append(items, item)
	}
	return items, true
}

func (t yamlLine) wordEnd() int {
	return t.Offset + len(t.Source()[t.Offset:]) - len(strings.TrimLeft(t.Source()[t.Offset:], model.NameBytes))
}

// expression completes what a case expects, over what its run brings. ok is false
// where the cursor is in no expression, or behind one.
func (t yamlLine) expression() (items []Item, ok bool) {
	p := t.YAMLPlace
	if !p.At.Key && !p.At.Value {
		before := strings.TrimRight(t.Source()[t.Line(t.Offset).Start:t.Offset], " \t")
		if p = cursor.YAMLPlaceAt(t.W, t.F, t.Line(t.Offset).Start+len(before)); p.At.Quoted {
			return nil, false
		}
	}
	d := p.Checked()
	if d == nil || !p.At.Value {
		return nil, false
	}
	in := cursor.Line{Cursor: model.Cursor{File: t.F, Offset: t.Offset}, W: t.W, Ctx: t.ctx, Start: p.At.Word.Start, Scope: cursor.CaseScope(d)}
	return completeExpression(in, t.Source()[p.At.Word.Start:t.Offset]), true
}

// keys completes a key of a map.
func (t yamlLine) keys() []Item {
	switch row := t.Row; {
	case t.InArguments():
		return yamlArguments(t)
	case t.InSession():
		return yamlSessionNames(t)
	case row == nil:
		return nil
	case row.Type == tool.BlockList, row.Type == tool.Block && t.At.Dash:
		return t.listed(t.itemKeys(row))
	case row.Each != nil && len(row.Fields) == 0:
		return t.names(row)
	case row.Type == tool.Block, row.Type == tool.AnyType && len(row.Fields) > 0:
		return t.fields(row)
	}
	return nil
}

// fields offers the keys of a map, those that it must have first.
func (t yamlLine) fields(row *tool.Field) []Item {
	var required, items []Item
	kind := knownKind(row, t.At.Map)
	for i := range row.Fields {
		f := &row.Fields[i]
		switch {
		case f.Undocumented || t.has(f.Name) || kind != "" && !projectfile.Uses(f, kind):
		case projectfile.Needed(f, kind):
			required = append(required, t.key(f, row.By))
		default:
			items = append(items, t.key(f, row.By))
		}
	}
	return append(required, items...)
}

// knownKind is the word that says of which kind a map is, "" where that is none of
// those in the table.
func knownKind(row *tool.Field, n *yaml.Node) string {
	kind := projectfile.KindOf(row, n)
	by, _ := tool.Find(row.Fields, row.By)
	if by == nil || !slices.ContainsFunc(by.Values, func(w tool.Word) bool { return w.Name == kind }) {
		return ""
	}
	return kind
}

// has reports whether the map has a key already, elsewhere than at the cursor.
func (t yamlLine) has(key string) bool { return slices.Contains(t.others(), key) }

// others are the keys of the map but the one that is typed.
func (t yamlLine) others() []string {
	if t.At.Map == nil {
		return nil
	}
	var keys []string
	for _, m := range t.At.Map.Own() {
		if !m.Key.Span.Touches(t.Offset) {
			keys = append(keys, m.Key.Text)
		}
	}
	return keys
}

func (t yamlLine) key(f *tool.Field, by string) Item {
	plain, snippet := " ", ""
	switch isBlock := f.Type == tool.Block || f.Type == tool.MapType; {
	case isBlock && t.At.Flow:
		snippet = " {$1}"
	case isBlock:
		plain, snippet = "", "\n  $1"
	case f.Type == tool.BlockList && !t.At.Flow:
		plain, snippet = "", "\n  - $1"
	case (f.Type == tool.ListType || f.Type == tool.BlockList) && t.At.Flow || f.Type == tool.ListType:
		snippet = " [$1]"
	}
	item := t.keyItem(f.Name, plain, snippet)
	item.Detail, item.Documentation = f.Type.String(), describe.YamlFieldMarkdown(f, by)
	return item
}

// keyItem puts a key with what follows its colon, unless that stands there.
func (t yamlLine) keyItem(name, plain, snippet string) Item {
	item := Item{Label: name, Kind: PropertyItem, Edit: text.Edit{Span: t.At.Word, NewText: t.quoted(name)}}
	if t.named() {
		return item
	}
	if isJSON(t.YAMLPlace) || isProgramPlace(t.YAMLPlace) {
		item = t.literalKey(item, name)
	}
	if snippet != "" {
		item.SnippetText = escapeSnippet(item.Edit.NewText) + ":" + t.further(snippet)
	}
	item.Edit.NewText += ":" + plain
	return item
}

// named reports whether the key at the cursor has its colon already.
func (t yamlLine) named() bool {
	m := t.At.Member
	return m != nil && m.Colon >= 0 && m.Key.Span.Touches(t.Offset)
}

// quoted is a word as it stands in YAML.
func (t yamlLine) quoted(word string) string {
	if isJSON(t.YAMLPlace) || isProgramPlace(t.YAMLPlace) {
		if t.At.Quoted {
			return word
		}
		return jsonText(word)
	}
	if t.At.Quoted || plainWord.MatchString(word) && !slices.Contains([]string{"true", "false", "null"}, word) {
		return word
	}
	return jsonText(word)
}

var plainWord = regexp.MustCompile(`^[\pL_./*][\pL\pN_./*-]*$`)

// further indents the lines after the first by what stands before the word on its
// line, the indentation apart: the dash of an item.
func (t yamlLine) further(s string) string {
	line := t.Line(t.At.Word.Start)
	before := t.Source()[line.Start:t.At.Word.Start]
	extra := len(before) - len(strings.TrimLeft(before, " \t"))
	return strings.ReplaceAll(s, "\n", "\n"+strings.Repeat(" ", len(before)-extra))
}

func escapeSnippet(s string) string {
	return strings.NewReplacer(`\`, `\\`, `$`, `\$`, `}`, `\}`).Replace(s)
}

// listed are items as they begin an item of a list, where nothing says yet that
// one begins.
func (t yamlLine) listed(items []Item) []Item {
	list := t.Row != nil && (t.Row.Type == tool.BlockList || t.Row.Type == tool.ListType)
	if list && !t.At.Dash && !t.At.Key && t.space() != "" {
		return nil // right behind the colon Enter opens a block
	}
	for i := range items {
		switch {
		case t.At.Dash || list && t.At.Key:
			items[i] = dashedItem(items[i])
		case list:
			items[i].Edit.NewText = "[" + items[i].Edit.NewText + "]"
		}
	}
	return items
}

// itemKeys are the keys of a list's item that is not there yet.
func (t yamlLine) itemKeys(row *tool.Field) []Item {
	if t.InCases() && len(t.At.Path) <= 2 { // the list, or the item of it
		return []Item{yamlNewCase(t)}
	}
	return t.fields(&tool.Field{Type: tool.Block, Fields: row.Fields, By: row.By})
}
