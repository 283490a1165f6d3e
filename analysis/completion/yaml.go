package completion

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// completeYAML completes the key or the value under a cursor in a YAML file.
func completeYAML(t cursor.Line) []Item {
	inText := completeSecret
	if t.File.Foreign != nil {
		inText = completeForeignPlaceholder
	}
	if items, ok := inText(t); ok {
		return items
	}
	if items, ok := completeExpectation(t); ok {
		return items
	}
	var items []Item
	if t.YAML.KeyAllowed {
		items = completeYAMLKeys(t)
	}
	if t.YAML.ValueAllowed {
		items = append(items, completeYAMLValues(t)...)
	}
	return items
}

var typedSecret = lazyregexp.New(`\{\{[ \t]*(secrets\.)?([\w-]*)$`)

// completeSecret completes `{{secrets.NAME}}`. A text that begins with it needs quotes. ok is false
// if the cursor is in no such placeholder.
func completeSecret(t cursor.Line) (items []Item, ok bool) {
	source, line := t.File.Doc.Text(), t.LineText(t.Offset)
	before := source[line.Start:t.Offset]
	m := typedSecret.FindStringSubmatchIndex(before)
	if m == nil || strings.HasPrefix(strings.TrimLeft(before, " \t"), "#") {
		return nil, false
	}
	from := line.Start + m[4]
	if m[2] < 0 {
		space, _ := model.FindNamespace("secrets")
		items = replacementItems(t, from, []string{space.Name}, "", "", NamespaceItem)
		items[0].Documentation = space.Doc
		items[0].Edit.NewText += "."
		return items, true
	}
	names, _ := model.SecretNames(t.Workspace, t.File.Path)
	ahead := before[:m[0]]
	unquoted := strings.HasSuffix(strings.TrimRight(ahead, " \t"), ":") && strings.Count(ahead, `"`)%2 == 0 && strings.Count(ahead, "'")%2 == 0
	items = replacementItems(t, from, names, "}}", "secret", NameItem)
	for i := range items {
		if name := items[i].Label; unquoted {
			items[i].Edit.Start, items[i].Edit.NewText = line.Start+m[0], `"{{secrets.`+name+`}}"`
			items[i].FilterText = before[m[0]:m[4]] + name
		}
	}
	return items, true
}

// completeExpectation completes the expected value of a case, over the result of its run. ok is
// false if the cursor is in no expression, or after one.
func completeExpectation(t cursor.Line) (items []Item, ok bool) {
	in := t
	if !t.YAML.KeyAllowed && !t.YAML.ValueAllowed {
		start := t.LineText(t.Offset).Start
		before := strings.TrimRight(t.File.Doc.Text()[start:t.Offset], " \t")
		if in = cursor.YAMLLine(t.Workspace, t.File, start+len(before)); in.YAML.Quoted {
			return nil, false
		}
	}
	d := in.CheckedTool()
	if d == nil || !in.YAML.ValueAllowed {
		return nil, false
	}
	t = t.SubLine(in.Start, cursor.CaseScope(d))
	return completeExpression(t, t.Text()), true
}

// completeYAMLKeys completes a key of a map.
func completeYAMLKeys(t cursor.Line) []Item {
	switch key, path := t.CasePath(); key {
	case "args":
		return completeCaseArguments(t, path)
	case "session":
		return completeSessionNames(t)
	}
	s, ok := t.SchemaPosition()
	if !ok {
		return nil
	}
	switch field := s.ParentField; {
	case field.Type == tool.BlockList, field.Type == tool.Block && t.Dash:
		if t.File.SavedCases != nil && len(t.YAML.Path) <= 2 { // the list, or the item of it
			return dashedItemsOf(t, field, []Item{newCaseItem(t)})
		}
		return dashedItemsOf(t, field, completeFields(t, s.OwnFields()))
	case field.Each != nil && len(field.Fields) == 0:
		return completeEntryNames(t, field)
	case field.Type == tool.Block, field.Type == tool.AnyType && len(field.Fields) > 0:
		return completeFields(t, s.OwnFields())
	}
	return nil
}

// completeYAMLValues completes a value.
func completeYAMLValues(t cursor.Line) []Item {
	if key, path := t.CasePath(); key == "args" {
		return completeCaseValues(t, path)
	}
	field := t.ValueField()
	switch {
	case field == nil || field.Declares:
		return nil
	case len(field.Files) > 0:
		return completeFiles(t, field)
	}
	return dashedItemsOf(t, field, completeValuesOf(t, field, insertion{from: t.Start, listed: otherItems(t)}))
}

// otherItems returns the other items of the list that contains the cursor.
func otherItems(t cursor.Line) []string {
	path := t.YAML.Path
	if len(path) < 2 || path[len(path)-1].Index < 0 {
		return nil
	}
	var words []string
	for _, item := range path[len(path)-2].Node.Items {
		if !item.Span.Touches(t.Offset) {
			words = append(words, item.Text)
		}
	}
	return words
}

// siblingWord returns the value of another key of the map that contains the cursor.
func siblingWord(t cursor.Line, key string) string {
	if path := t.YAML.Path; len(path) > 1 {
		return path[len(path)-2].Node.Get(key).StringValue()
	}
	return ""
}

// dashedItemsOf returns completions that begin an item of a list, if no item begins at the cursor
// yet.
func dashedItemsOf(t cursor.Line, field *tool.Field, items []Item) []Item {
	list := field.Type == tool.BlockList || field.Type == tool.ListType
	if list && !t.Dash && !t.YAML.KeyAllowed && yamlSpace(t) != "" {
		return nil // right after the colon Enter opens a block
	}
	for i := range items {
		switch {
		case t.Dash || list && t.YAML.KeyAllowed:
			items[i] = dashedItem(items[i])
		case list:
			items[i].Edit.NewText = "[" + items[i].Edit.NewText + "]"
		}
	}
	return items
}

// replacementItems returns items that replace the name under the cursor, and close the placeholder
// if it is open.
func replacementItems(t cursor.Line, from int, names []string, ends, what string, kind ItemKind) []Item {
	rest := t.File.Doc.Text()[t.Offset:]
	after := strings.TrimLeft(rest, model.NameBytes)
	if strings.HasPrefix(strings.TrimLeft(after, " "), ends) {
		ends = ""
	}
	span := text.Span{Start: from, End: t.Offset + len(rest) - len(after)}
	var items []Item
	for _, name := range names {
		items = append(items, Item{Label: name, Kind: kind, Detail: what, Edit: text.Edit{Span: span, NewText: name + ends}})
	}
	return items
}

// completeFiles offers the files that a value may lead to. The database of a source is a file for
// some kinds only.
func completeFiles(t cursor.Line, field *tool.Field) []Item {
	if field.Name == "database" && siblingWord(t, "kind") != "sqlite" {
		return nil
	}
	f := model.BracketContext{Levels: []model.BracketLevel{{}}}
	if t.YAML.Quoted {
		f.Quote = t.File.Doc.Text()[t.Start-1]
	}
	return completePaths(t.SubLine(t.Start, nil), f, endingFilter(field.Files))
}

// yamlFieldItem returns a key with the beginning of its value.
func yamlFieldItem(t cursor.Line, f tool.Field) Item {
	plain, snippet := " ", ""
	switch isBlock := f.Type == tool.Block || f.Type == tool.MapType; {
	case isBlock && t.YAML.Flow:
		snippet = " {$1}"
	case isBlock:
		plain, snippet = "", "\n  $1"
	case f.Type == tool.BlockList && !t.YAML.Flow:
		plain, snippet = "", "\n  - $1"
	case f.Type == tool.ListType || f.Type == tool.BlockList:
		snippet = " [$1]"
	}
	return yamlKeyItem(t, f.Name, plain, snippet)
}

// yamlKeyItem returns an item for a key and the text after its colon, unless the colon is there.
func yamlKeyItem(t cursor.Line, name, plain, snippet string) Item {
	item := Item{Label: name, Kind: PropertyItem, Edit: text.Edit{Span: t.YAML.Word, NewText: yamlText(t, name)}}
	if hasColon(t) {
		return item
	}
	if isLiteral(t) {
		item = literalKey(t, item, name)
	}
	if snippet != "" {
		item.SnippetText = escapeSnippet(item.Edit.NewText) + ":" + indented(t, snippet)
	}
	item.Edit.NewText += ":" + plain
	return item
}

// hasColon reports whether the key at the cursor has its colon already.
func hasColon(t cursor.Line) bool {
	m := t.YAML.Member
	return m != nil && m.Colon >= 0 && m.Key.Span.Touches(t.Offset)
}

// yamlValue returns an edit that inserts a word as a value. A word of a closed set needs no quotes
// in YAML.
func yamlValue(t cursor.Line, word string, kind ItemKind) text.Edit {
	written := word
	if kind != ValueItem || isLiteral(t) && word != "true" && word != "false" {
		written = yamlText(t, word)
	}
	return text.Edit{Span: t.YAML.Word, NewText: yamlSpace(t) + written}
}

// yamlText returns a word as YAML, JSON or a program writes it.
func yamlText(t cursor.Line, word string) string {
	isPlain := !isLiteral(t) && plainWord.MatchString(word) && !slices.Contains([]string{"true", "false", "null"}, word)
	if t.YAML.Quoted || isPlain {
		return word
	}
	return jsonText(word)
}

var plainWord = lazyregexp.New(`^[\pL_./*][\pL\pN_./*-]*$`)

// yamlSpace returns the space between a colon and its value, if there is none yet.
func yamlSpace(t cursor.Line) string {
	if !t.YAML.Quoted && t.Start > 0 && t.File.Doc.Text()[t.Start-1] == ':' {
		return " "
	}
	return ""
}

// indented indents the lines after the first by what is before the word on its line after the
// indentation: the dash of an item.
func indented(t cursor.Line, s string) string {
	before := t.File.Doc.Text()[t.LineText(t.Start).Start:t.Start]
	return strings.ReplaceAll(s, "\n", "\n"+strings.Repeat(" ", len(strings.TrimLeft(before, " \t"))))
}

func escapeSnippet(s string) string {
	return strings.NewReplacer(`\`, `\\`, `$`, `\$`, `}`, `\}`).Replace(s)
}
