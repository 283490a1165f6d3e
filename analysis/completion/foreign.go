package completion

import (
	"context"
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// completeForeign is what may be put at an offset of a file of another system.
func completeForeign(ctx context.Context, w model.Workspace, f *model.File, offset int, beyond cursor.Host) []Item {
	t := yamlLine{cursor.YAMLPlaceAt(w, f, offset), ctx, beyond}
	if items, ok := t.foreignPlaceholder(); ok {
		return items
	}
	var items []Item
	if t.At.Key {
		items = t.keys()
	}
	if t.At.Value {
		items = append(items, t.foreignValues()...)
	}
	return items
}

// foreignValues completes a value: a name that the file or one beside it declares,
// else a word of a closed set.
func (t yamlLine) foreignValues() []Item {
	if t.Row == nil || t.Row.Declares {
		return nil
	}
	switch t.Row.Ref {
	case tool.NoRef:
		return t.values()
	case tool.RefSource:
		return t.listed(t.plain(model.Fitting(t.free(t.declaredNames(t.Row.Ref)), model.SourceKinds(t.W, t.F), t.wanted()), model.OneOf(model.ForeignTables[t.Row.Ref])))
	case tool.RefAuthService:
		return t.listed(t.plain(t.free(t.declaredNames(t.Row.Ref)), model.OneOf(model.ForeignTables[t.Row.Ref])))
	case tool.RefForeignTool:
		return t.listed(t.plain(t.free(t.F.Foreign.ToolNames()), "tool"))
	case tool.RefResource:
		return t.listed(t.resourceItems())
	case tool.RefProperty, tool.RefParameter:
		return t.listed(t.plain(t.free(t.properties()), "property"))
	}
	return nil
}

// free are the names that the list does not have yet.
func (t yamlLine) free(names []string) []string {
	done := t.done()
	return slices.DeleteFunc(names, func(name string) bool { return name == "" || slices.Contains(done, name) })
}

// declaredNames are the names of the file's sources or auth services, and those of
// abl.yaml.
func (t yamlLine) declaredNames(ref tool.Ref) []string {
	names := t.F.DeclaredForeign(ref)
	if in, _ := t.W.Project(t.F.Path); in != nil && in.Project != nil {
		table, _ := in.Project.Table(model.ForeignTables[ref])
		for _, name := range table.Names() {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// wanted are the kinds of sources that the tool around the place can act on.
func (t yamlLine) wanted() []string {
	of := t.At.Root // a document for each thing
	if n := len(t.At.Path); n > 1 {
		of = t.At.Path[n-2].Node
	}
	if kinds := model.ActsOn[of.Get("kind").Word()]; kinds != nil {
		return kinds
	}
	return model.ActsOn[of.Get("type").Word()]
}

// resourceItems are the tools of files in the folder, and the words that stand for one
// without a resource.
func (t yamlLine) resourceItems() []Item {
	names := t.free(t.resources())
	words := slices.DeleteFunc(t.words(t.Row.Values), func(item Item) bool { return slices.Contains(names, item.Label) })
	return append(t.plain(names, "tool"), words...)
}

// resources are the tools that the files in the folder declare as resources.
func (t yamlLine) resources() []string {
	var names []string
	for _, f := range model.BesideForeign(t.W, t.F.Path) {
		names = append(names, f.DeclaredForeign(tool.RefResource)...)
	}
	return names
}

// properties are the keys of `properties` in the schema that the place is in.
func (t yamlLine) properties() []string {
	for _, step := range slices.Backward(t.At.Path) {
		if step.Node == nil || step.Node.Get("properties") == nil {
			continue
		}
		var names []string
		for _, m := range step.Node.Get("properties").Own() {
			names = append(names, m.Key.Text)
		}
		return names
	}
	return nil
}

// foreignTyped is the beginning of a placeholder behind which the cursor stands:
// the first group is the dot before a name, and the second what is typed of that.
var foreignTyped = map[string]*regexp.Regexp{
	"toolbox": regexp.MustCompile(`\{\{-?[ \t]*(?:\w+[ \t]+)?(\.?)(\w*)$`),
	"corail":  regexp.MustCompile(`\{\{?[ \t]*()(\w*)$`),
}

var (
	variableTyped = regexp.MustCompile(`\$\{(\w*)$`)
	bareTyped     = regexp.MustCompile(`\$([A-Za-z_]\w*|)$`)
)

// foreignPlaceholder completes what stands for something else in a text: a
// parameter, its number in a statement, a secret. ok is false where the cursor is
// in none.
func (t yamlLine) foreignPlaceholder() (items []Item, ok bool) {
	line := t.Line(t.Offset)
	before := t.Source()[line.Start:t.Offset]
	if strings.HasPrefix(strings.TrimLeft(before, " \t"), "#") {
		return nil, false
	}
	system := t.F.Foreign.System
	if m := variableTyped.FindStringSubmatchIndex(before); m != nil && (system == "toolbox" || system == "corail") {
		names, _ := model.Secrets(t.W, t.F.Path)
		return t.placed(line.Start+m[2], names, "}", "secret", NameItem), true
	}
	if m := bareTyped.FindStringSubmatchIndex(before); m != nil && system == "corail" {
		names, _ := model.Secrets(t.W, t.F.Path)
		return t.placed(line.Start+m[2], names, "", "secret", NameItem), true
	}
	if items, ok := yamlNaoText(t); ok {
		return items, true
	}
	decl, in := t.F.ForeignAround(t.Offset)
	if !in {
		return nil, false
	}
	if items, ok := t.bound(before, decl); ok && system == "toolbox" {
		return items, true
	}
	form := foreignTyped[system]
	if form == nil {
		return nil, false
	}
	m := form.FindStringSubmatchIndex(before)
	if m == nil || !t.inText(decl) {
		return nil, false
	}
	ends := "}}"
	if !strings.HasPrefix(before[m[0]:], "{{") {
		ends = "}"
	}
	items = t.placed(line.Start+m[4], t.templateNames(decl), ends, "parameter", ParameterItem)
	if system == "toolbox" && m[2] == m[3] {
		for i := range items {
			items[i].Edit.NewText = "." + items[i].Edit.NewText
		}
	}
	return items, true
}

// placed puts names in the place of what is typed of one, with what closes the
// placeholder where it is not closed.
func (t yamlLine) placed(start int, names []string, ends, what string, kind ItemKind) []Item {
	end := t.wordEnd()
	if strings.HasPrefix(strings.TrimLeft(t.Source()[end:], " "), ends) {
		ends = ""
	}
	var items []Item
	for _, name := range names {
		items = append(items, Item{Label: name, Kind: kind, Detail: what, Edit: text.Edit{Span: text.Span{Start: start, End: end}, NewText: name + ends}})
	}
	return items
}

// templateNames are the parameters that a text may name: in a statement those that
// are pasted.
func (t yamlLine) templateNames(decl model.PlacedTool) []string {
	if t.inStatement() {
		return decl.PastedNames()
	}
	return decl.ForeignNames(model.ForeignPlaceholder{})
}

// inStatement reports whether the cursor is in the text of a statement, also one in
// several lines.
func (t yamlLine) inStatement() bool { return t.textKey() == "statement" }

// inText reports whether the cursor is in a text in which parameters may stand.
func (t yamlLine) inText(decl model.PlacedTool) bool {
	for _, n := range model.TextsOf(t.F, decl) {
		if n.Span.Touches(t.Offset) {
			return true
		}
	}
	return false
}

// textKey is the key of the text that the cursor is in.
func (t yamlLine) textKey() string {
	for key, n := range model.TextsIn(t.F, text.Span{End: len(t.Source())}) {
		if n.Span.Touches(t.Offset) {
			return key
		}
	}
	return ""
}

// isJSON and isProgram tell how words are quoted in the file.
func isJSON(p cursor.YAMLPlace) bool { return strings.EqualFold(filepath.Ext(p.F.Path), ".json") }

func isProgramPlace(p cursor.YAMLPlace) bool {
	return slices.Contains(model.ProgramEndings, strings.ToLower(filepath.Ext(p.F.Path)))
}

var identifier = regexp.MustCompile(`^[A-Za-z_$][\w$]*$`)

// literalKey is a key as JSON and programs write it, in place of the quotes as well.
func (t yamlLine) literalKey(item Item, name string) Item {
	if isProgramPlace(t.YAMLPlace) && identifier.MatchString(name) {
		item.Edit.NewText = name
	}
	if !t.At.Quoted {
		return item
	}
	item.Edit.NewText = jsonText(name)
	item.Edit.Start--
	if end := item.Edit.End; end < len(t.Source()) && t.Source()[end] == t.Source()[item.Edit.Start] {
		item.Edit.End++
	}
	item.FilterText = t.Source()[item.Edit.Start:item.Edit.Start+1] + name
	return item
}

func jsonText(s string) string {
	raw, err := json.Marshal(s)
	if err != nil { // of a string there is none
		return s
	}
	return string(raw)
}
