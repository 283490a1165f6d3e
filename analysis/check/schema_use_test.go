package check

import (
	"regexp"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/marker"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestEverythingIsUsed: each key of the schema tables is read as that key of that block,
// and each closed word as the value of that key, in the corpus or in a fixture of the checks.
func TestEverythingIsUsed(t *testing.T) {
	u := schemaUse{t: t, keys: map[*tool.Field]bool{}, words: map[wordUse]bool{}, ofTools: map[toolKey]bool{}, seen: map[*tool.Field]bool{}, found: map[string]bool{}}
	for _, f := range marker.Load(t, fixtures) {
		for _, path := range f.Files {
			u.read(f.Workspace.File(path))
		}
	}
	for _, p := range projects(t) {
		w := p.workspace()
		for _, name := range p.names {
			u.read(w.File(p.path(name)))
		}
	}
	u.addToolFields("a tool", "", tool.CommonFields())
	u.addFields("a parameter", tool.ParamFields())
	u.addFields("shared defaults", tool.SharedDefaults())
	for _, kind := range tool.Kinds() {
		u.addToolFields("a tool of type "+kind.Name, tool.Kind(kind.Name), tool.Fields(tool.Kind(kind.Name)))
	}
	for _, s := range model.Sections() {
		for _, kind := range s.Kinds {
			if field := model.SectionField(kind, s.Name); field != nil {
				u.addField(s.Name, field)
			}
		}
	}
	for name, used := range u.found {
		if !used {
			t.Errorf("no fixture has %s", name)
		}
	}
}

var isWord = regexp.MustCompile(`^[A-Za-z]`)

// schemaUse is what the fixtures use of the schema tables.
type schemaUse struct {
	t       *testing.T
	keys    map[*tool.Field]bool // read at their place
	words   map[wordUse]bool
	ofTools map[toolKey]bool // the keys directly in a tool, of which each kind has fields of its own
	seen    map[*tool.Field]bool
	found   map[string]bool // `BLOCK: KEY` or `KEY: WORD`, and whether a fixture has it
}

// toolKey is a key of tools of a kind; "" is every tool.
type toolKey struct {
	kind tool.Kind
	name string
}

// wordUse is a closed word as the value of a key.
type wordUse struct {
	values *tool.Word // the first of the set
	name   string
}

// read takes in what one file uses.
func (u schemaUse) read(f *model.File) {
	if f == nil || f.Doc == nil || f.Kind == model.YAML {
		return
	}
	for _, s := range f.Doc.Sections() {
		for _, e := range append([]syntax.PositionedEntry{s.Head}, s.Entries...) {
			u.readEntry(f.Kind, s.Name(), e.Root(), f.DeclaredTools(e.Entry))
		}
	}
}

func (u schemaUse) readEntry(kind model.FileKind, section string, root syntax.Node, tools []model.ToolDecl) {
	for _, m := range model.Maps(kind, section, root, tools) {
		for _, p := range m.Properties {
			u.use(p)
			if field, _ := tool.Find(m.Fields, p.WrittenName()); field != nil && p.IsAuthorName {
				u.keys[field] = true // `- NAME: x`, where an item begins with a name of the author's
			}
		}
	}
	for i := range tools {
		for _, p := range tools[i].Properties() {
			u.useInTool(tools[i].Kind(), p)
		}
	}
}

func (u schemaUse) useInTool(kind tool.Kind, p model.Property) {
	if p.Field == nil {
		return
	}
	u.ofTools[toolKey{"", p.Field.Name}], u.ofTools[toolKey{kind, p.Field.Name}] = true, true
	if p.Field.Name == "parameters" {
		for _, parameter := range p.Properties() {
			for _, key := range parameter.Properties() {
				u.use(key)
			}
		}
	}
}

func (u schemaUse) use(p model.Property) {
	if p.Field != nil {
		u.keys[p.Field] = true
	}
	if p.ValueField == nil || len(p.ValueField.Values) == 0 {
		return
	}
	for _, w := range append(p.Words(), model.Word{Text: p.Text()}) {
		if word, ok := tool.LookupWord(p.ValueField.Values, w.Text); ok {
			u.words[wordUse{&p.ValueField.Values[0], word.Name}] = true
		}
	}
}

func (u schemaUse) addToolFields(place string, kind tool.Kind, fields []tool.Field) {
	for i := range fields {
		f := &fields[i]
		u.wants(place, f.Name, f.Undocumented || u.ofTools[toolKey{kind, f.Name}])
		u.addField(f.Name, f)
	}
}

func (u schemaUse) addFields(block string, fields []tool.Field) {
	for i := range fields {
		f := &fields[i]
		u.wants(block, f.Name, f.Undocumented || u.keys[f])
		u.addField(f.Name, f)
	}
}

// wants notes a key of a block, or a word of a key. Tables have copies of some blocks: one
// of them that is used is enough.
func (u schemaUse) wants(block, name string, used bool) {
	u.found[block+": "+name] = used || u.found[block+": "+name]
}

// addField looks at what is behind and below a key, once: tables may go in circles.
func (u schemaUse) addField(name string, f *tool.Field) {
	if u.seen[f] {
		return
	}
	u.seen[f] = true
	for _, w := range f.Values {
		u.wants(name, w.Name, u.words[wordUse{&f.Values[0], w.Name}] || !isWord.MatchString(w.Name))
	}
	if f.Type == tool.AnyType {
		return // what is below is offered, and not read
	}
	u.addFields(name, f.Fields)
	u.addFields(name, f.Items)
	if f.Each != nil {
		u.addField(name, f.Each)
	}
}
