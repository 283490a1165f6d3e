package projectfile

import (
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// guardKeys are the keys that forbid something, limit it, or say who may do it.
var guardKeys = []string{"permissions", "limits", "protected", "secrets", "credentials", "sandbox", "scopes", AuthServices, Environments, "default_environment"}

// Misspelling is a key that is never read, so that its guard has no effect.
type Misspelling struct {
	Name, Near string // the written key, and the likely one; both are the same if another key of that name overrides it
	Of         string // the map that contains it
	Span       text.Span
}

// MisspeltGuards returns the keys that are likely meant to guard something: each of them stops the
// runs to which it would apply.
func MisspeltGuards(d *yaml.Document) []Misspelling {
	found := misspeltKeys(d.Root(), ProjectField(), false)
	for _, m := range members(d.Root().Get(Environments)) {
		found = append(found, misspeltInEnvironment(m)...)
	}
	return found
}

// misspeltInEnvironment returns the likely misspellings of guards in the environment m.
func misspeltInEnvironment(m yaml.Member) []Misspelling {
	return append(duplicateKey(m, Environments), misspeltKeys(m.Value, environmentField(), false)...)
}

// misspeltIn returns an error for the first likely misspelling of a guard at the top level or in
// the environment. It also returns one if `environments` or the environment is no map, since that
// would override all guards.
func misspeltIn(d *yaml.Document, environment string) error {
	found := misspeltKeys(d.Root(), ProjectField(), false)
	environments := d.Root().Member(Environments)
	if environments == nil {
		return misspeltError(d, found)
	}
	if !isTable(environments.Value) {
		return errorAt(d.Lines(), environments.Key.Span.Start, Environments+": "+environments.Value.Kind.String()+" does not fit here")
	}
	for _, m := range environments.Value.Members {
		switch {
		case m.Key.Text != environment:
		case !isTable(m.Value):
			return errorAt(d.Lines(), m.Key.Span.Start, Environments+"."+environment+": "+m.Value.Kind.String()+" does not fit here")
		default:
			found = append(found, misspeltInEnvironment(m)...)
		}
	}
	return misspeltError(d, found)
}

func isTable(n *yaml.Node) bool { return n.Kind == yaml.Map || n.Kind == yaml.Null }

func misspeltError(d *yaml.Document, found []Misspelling) error {
	if len(found) == 0 {
		return nil
	}
	m := found[0]
	message := m.Name + " is no key of " + m.Of + "; did you mean " + m.Near + "?"
	if m.Name == m.Near {
		message = m.Name + " stands here twice; keep one of them"
	}
	return errorAt(d.Lines(), m.Span.Start, message)
}

func environmentField() *tool.Field { return KeyField(ProjectField(), Environments).Each }

// misspeltKeys looks at the keys of a map, and at those inside guards; all says that every key of
// this map is a guard. Environments are looked at separately.
func misspeltKeys(n *yaml.Node, field *tool.Field, all bool) (found []Misspelling) {
	if field == nil || field.Type != tool.Block {
		return nil
	}
	for _, m := range n.Members {
		name := m.Key.Text
		if inner := KeyField(field, name); inner != nil {
			if all || slices.Contains(guardKeys, name) {
				found = append(found, misspeltInGuard(m, inner, field.Name)...)
			}
			continue
		}
		near := nearest(name, field.Fields)
		own := strings.HasPrefix(name, "x-") || m.Value.Anchor != ""
		switch {
		case own:
		case near != "" && (all || slices.Contains(guardKeys, near)):
			found = append(found, Misspelling{name, near, field.Name, m.Key.Span})
		case near == "" && !all && expectedParent(name, field) != "":
			found = append(found, Misspelling{name, expectedParent(name, field), field.Name, m.Key.Span})
		}
	}
	return found
}

// misspeltInGuard returns the likely misspellings in the guard m, whose schema field is field: m
// itself if it appears twice, and keys in its value. of is the key of the map that contains m.
func misspeltInGuard(m yaml.Member, field *tool.Field, of string) []Misspelling {
	found := duplicateKey(m, of)
	if field.Name == Environments {
		return found
	}
	for _, item := range m.Value.Items {
		for _, inner := range item.Members {
			found = append(found, duplicateKey(inner, m.Key.Text)...)
		}
	}
	return append(found, misspeltKeys(m.Value, field, true)...)
}

// duplicateKey returns m as a misspelling if its key appears twice in its map, of which a run reads
// only the last one; else nil. of is the key of that map.
func duplicateKey(m yaml.Member, of string) []Misspelling {
	if !m.Duplicate || m.Merged {
		return nil
	}
	return []Misspelling{{m.Key.Text, m.Key.Text, of, m.Key.Span}}
}

// expectedParent returns the guard to which a key belongs that is next to it; "" if there is none.
func expectedParent(name string, field *tool.Field) string {
	for _, guard := range []string{"permissions", "limits"} {
		if inner := KeyField(field, guard); inner != nil {
			for _, f := range inner.Fields {
				if plainKey(f.Name) == plainKey(name) {
					return guard + "." + f.Name
				}
			}
		}
	}
	return ""
}

// nearest returns the key that a name likely means: the name is most of its beginning, or is at
// most two edits away; "" if there is none.
func nearest(name string, fields []tool.Field) (near string) {
	is := plainKey(name)
	if len(is) > 64 { // longer than any key
		return ""
	}
	least := 3
	for _, field := range fields {
		meant := plainKey(field.Name)
		away := levenshtein.ComputeDistance(is, meant)
		if strings.HasPrefix(meant, is) && 2*len(is) >= len(meant) {
			away = min(away, 2)
		}
		if away < least && away < len(is)-1 {
			least, near = away, field.Name
		}
	}
	return near
}

var plainKeys = strings.NewReplacer("-", "", "_", "", " ", "")

// plainKey returns a key without differences of spelling.
func plainKey(key string) string {
	return plainKeys.Replace(strings.ToLower(key))
}
