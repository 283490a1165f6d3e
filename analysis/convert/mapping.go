package convert

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// mapping is a map of the YAML file that is being filled.
type mapping struct {
	c       *converter
	place   string       // what it is: the key above it, or a name that is in shapes
	rows    []tool.Field // its keys
	each    *tool.Field  // the row of each key of the author's
	open    bool         // other keys are the author's
	members []*member
}

// below returns an empty map for what is below a key.
func (m *mapping) below(row *tool.Field) *mapping {
	return &mapping{c: m.c, place: row.Name, rows: row.Fields, each: row.Each, open: row.Open}
}

// inAnotherPlace are the keys of ABL that are below another key in YAML: that key's name in ABL, and
// what they are called there.
var inAnotherPlace = map[string][2]string{
	"pass": {"CONTEXT", "pass"}, "summary": {"CONTEXT", "summary"}, "history": {"CONTEXT", "history"},
	"VOICE INSTRUCTIONS": {"VOICE", "instructions"}, "CAROUSEL": {"RICH_CONTENT", "CAROUSEL"},
}

// otherNames are names that a key of ABL may have in YAML, where that has no key of its own name.
var otherNames = map[string]string{
	"FORMATS": "RICH_CONTENT", "validate": "validation", "IF": "condition", "WHEN": "condition", "CONDITION": "condition",
	"GOTO": "then", "TRANSITION": "then", "THEN": "goto", "SUBTYPE": "subtypes",
}

// fill adds keys of ABL.
func (m *mapping) fill(props []prop) {
	for _, p := range props {
		row, key := m.row(p.Name(), p.WrittenName())
		if row == nil && m.place != "on_success" && m.place != "on_failure" { // their one transition is `then`
			row, key = m.row(otherNames[p.Name()])
		}
		write := m.c.shapes[m.place+"."+p.Name()]
		if write == nil && !p.IsAuthorName && (row != nil || p.Name() == "ELSE") {
			write = m.c.shapes["*."+p.Name()]
		}
		switch moved, isMoved := inAnotherPlace[p.Name()]; {
		case write != nil:
			write(m, row, p)
		case p.IsAuthorName && m.each != nil:
			m.add(p.WrittenName(), p.start, m.c.value(m.each, p.body))
		case row != nil:
			m.put(row, key, p)
		case m.open:
			m.add(p.WrittenName(), p.start, m.c.anything(p.body))
		case isMoved:
			m.putBelow(moved[0], moved[1], p)
		default:
			m.c.loseProp(p)
		}
	}
}

// put adds a key of ABL by its row. Keys below one that has a single value are its siblings.
func (m *mapping) put(row *tool.Field, key string, p prop) {
	m.add(key, p.start, m.c.value(row, p.body))
	if row.Type.IsSingle() && !p.value.IsZero() && p.value.Kind() != syntax.Map {
		m.fill(p.props)
	}
}

// putBelow adds a key of ABL under another name below a key of the map.
func (m *mapping) putBelow(above, name string, p prop) {
	row, key := m.row(above)
	if row == nil {
		m.c.loseProp(p)
		return
	}
	inner := m.below(row)
	if own, key := inner.row(name); own != nil {
		inner.put(own, key, p)
	}
	m.add(key, -1, inner.value())
}

// row returns the row whose key means the same as a key of ABL, which may have several names, and
// the spelling of its key that is closest; nil if there is none.
func (m *mapping) row(names ...string) (row *tool.Field, key string) {
	for _, name := range names {
		isTwin := func(f tool.Field) bool {
			return !isIgnored(f) && f.Twin != nil && (strings.EqualFold(f.Twin.Name, name) || slices.Contains(f.Twin.Synonyms, name))
		}
		if i := slices.IndexFunc(m.rows, isTwin); i >= 0 && name != "" {
			return &m.rows[i], m.rows[i].Name
		}
		if row, _ := tool.Find(m.rows, name); row != nil && !isIgnored(*row) && (row.Twin == nil || !strings.EqualFold(row.Name, name)) {
			return row, strings.ToLower(name)
		}
	}
	return nil, ""
}

// isIgnored reports whether the platform ignores a key of YAML, or refuses it. Keys in any casing are
// ABL's own.
func isIgnored(row tool.Field) bool { return row.Undocumented && !row.AnyCase }

// find returns the member with a key, nil if there is none.
func (m *mapping) find(key string) *member {
	if i := slices.IndexFunc(m.members, func(old *member) bool { return old.key == key }); i >= 0 {
		return m.members[i]
	}
	return nil
}

// text adds a key that is made up, with a text on its line.
func (m *mapping) text(key, written string) { m.add(key, -1, value{text: written}) }

// add adds a member, unless it is empty. What a map or a list has in two places is one in YAML.
func (m *mapping) add(key string, start int, v value) {
	if start >= 0 {
		m.c.mark(text.Span{Start: start, End: start})
	}
	known := m.find(key)
	switch {
	case v.isZero(): // all of it is lost, or it was empty
	case known == nil:
		m.members = append(m.members, &member{key: key, start: start, value: v})
	case known.value.isList && v.isList:
		known.value.members = append(known.value.members, v.members...)
	case known.value.members != nil && v.members != nil && known.value.isList == v.isList:
		inner := &mapping{c: m.c, members: known.value.members}
		for _, below := range v.members {
			inner.add(below.key, below.start, below.value)
		}
		known.value.members = inner.members
	default:
		m.c.lose(m.c.lineAt(max(start, 0)), "`%s` is written twice. YAML has each key once, and this one would be lost.", key)
	}
}

// value returns the map's members as a value.
func (m *mapping) value() value { return value{members: m.members} }
