package format

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// formatWords has what the schema tables know of the nodes of one entry.
type formatWords struct {
	casing map[syntax.Node]string // the canonical casing of words that are written in another one
	prose  map[syntax.Node]bool   // text, whatever it looks like
}

// sectionWords returns the keyword of a known section in upper case.
func sectionWords(head syntax.Node) formatWords {
	w := formatWords{casing: map[syntax.Node]string{}}
	name := strings.ToUpper(strings.Join(strings.Fields(head.Key()), " "))
	if _, known := model.LookupSection(name); known {
		w.setCasing(head.KeyNode(), name)
	}
	return w
}

// entryWords reads an entry of a section by its schema table.
func entryWords(kind model.FileKind, s syntax.Section, e syntax.PositionedEntry) formatWords {
	line := e.Root()
	w := formatWords{casing: map[syntax.Node]string{}, prose: map[syntax.Node]bool{}}
	if s.Head.Kind() != syntax.ToolsSection {
		w.sectionKeys(kind, s, line)
		return w
	}
	switch line.Kind() {
	case syntax.Tool, syntax.Add:
		for _, d := range model.NewToolDecls(line) {
			w.addProperties(d.Properties())
		}
	case syntax.Pair:
		w.addProperty(model.SharedDefault(line))
	case syntax.Import:
		w.setCasing(line.KeyNode(), "file")
	}
	return w
}

// eitherCase are the sections and the blocks whose keys the pages show in both casings.
var eitherCase = []string{"NLU", "ENTITIES", "INTENTS", "VOICE"}

// sectionKeys adds the keys of a section in the casing of its table. The author's own names are
// left out.
func (w formatWords) sectionKeys(kind model.FileKind, s syntax.Section, line syntax.Node) {
	info, _ := model.LookupSection(s.Name())
	if slices.Contains(eitherCase, info.Name) {
		return
	}
	for _, m := range model.Maps(kind, info.Name, line, nil) {
		for _, p := range m.Properties {
			if k := p.Node.Kind(); p.Field == nil || k != syntax.Pair && k != syntax.MapPair {
				continue
			}
			if word := keyCasing(p); hasOneCase(info.Name, m, p, word) && !isInCapitals(p.Key.Text()) {
				w.setCasing(p.Key, word)
			}
		}
	}
}

// hasOneCase reports whether a key is certainly that of the table, and has no other casing. A name
// of the author's may look like a key that has a block, and the fields that a step gathers have
// their keys in both casings.
func hasOneCase(section string, m model.Map, p model.Property, word string) bool {
	capitals := word == strings.ToUpper(word)
	switch {
	case slices.Contains(eitherCase, m.Name):
		return false
	case section == "FLOW" && !m.Single:
		return capitals
	}
	return capitals || !m.Open || !p.Value.IsZero()
}

// isInCapitals reports whether a key is written in capitals. Many authors write keys so that the
// table has in lower case; these stay.
func isInCapitals(written string) bool {
	return written == strings.ToUpper(written) && written != strings.ToLower(written)
}

func (w formatWords) setCasing(n syntax.Node, word string) {
	if !n.IsZero() && n.Kind() != syntax.String && n.Text() != word {
		w.casing[n] = word
	}
}

func (w formatWords) addProperties(props []model.Property) {
	for _, p := range props {
		w.addProperty(p)
	}
}

func (w formatWords) addProperty(p model.Property) {
	w.addProperties(p.Properties())
	for _, item := range p.Items() {
		w.addProperties(item.Properties())
	}
	if p.Field == nil {
		return
	}
	if k := p.Node.Kind(); (k == syntax.Pair || k == syntax.MapPair) && p.Key.Text() == p.WrittenName() {
		w.setCasing(p.Key, keyCasing(p))
	}
	if p.Field.Type == tool.WordType && p.Value.Kind() == syntax.Text {
		if word, ok := tool.LookupWord(p.Field.Values, p.Value.Text()); ok {
			w.setCasing(p.Value, word.Name)
		}
	}
	w.addTexts(p)
}

// addTexts adds values that are read as written.
func (w formatWords) addTexts(p model.Property) {
	switch p.Field.Type {
	case tool.Block, tool.AnyType:
	case tool.ListType, tool.BlockList:
		w.addItems(p)
	case tool.MapType:
		w.addItems(p)
		for _, m := range p.Properties() {
			w.addText(m.Value)
		}
	default:
		w.addText(p.Value)
		w.prose[p.Block()] = true
	}
}

func (w formatWords) addItems(p model.Property) {
	for _, item := range p.Items() {
		if p.Field.Type == tool.ListType || len(item.Properties()) == 0 {
			w.addText(item.Value())
			w.prose[item.Node] = w.prose[item.Node] || item.IsMultiline()
		}
	}
}

func (w formatWords) addText(n syntax.Node) {
	switch n.Kind() {
	case syntax.List, syntax.Map, syntax.ListItem:
		w.prose[n] = true
	}
}

// keyCasing returns a key in the casing of the table; an older spelling stays.
func keyCasing(p model.Property) string {
	written := p.WrittenName()
	if p.FlatPath != nil {
		return strings.ToLower(written)
	}
	names := slices.Concat([]string{p.Field.Name}, p.Field.Synonyms, p.Field.Aliases)
	if i := slices.IndexFunc(names, func(s string) bool { return strings.EqualFold(s, written) }); i >= 0 {
		return names[i]
	}
	return written
}
