package projectfile

import (
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// guards are the keys that forbid something, hold it in bounds, or say who may.
var guards = []string{"permissions", "limits", "protected", "secrets", "credentials", "sandbox", AuthServices, Environments, "default_environment"}

// Misspelling is a key that nobody reads, so that what it guards is not guarded.
type Misspelling struct {
	Name, Near string // what is written, and what is likely meant
	Of         string // the map in which it stands
	Span       text.Span
}

// Misspelt are the keys that are likely meant to guard something: each of them stops
// the runs for which it would count.
func Misspelt(d *yaml.Document) []Misspelling {
	found := misspelt(d.Root(), Row(), false)
	for _, m := range members(d.Root().Get(Environments)) {
		found = append(found, misspelt(m.Value, environmentRow(), false)...)
	}
	return found
}

// misspeltIn is an error where such a key stands at the top, or in an environment.
func misspeltIn(d *yaml.Document, environment string) error {
	found := misspelt(d.Root(), Row(), false)
	if environment != "" {
		found = append(found, misspelt(d.Root().Get(Environments).Get(environment), environmentRow(), false)...)
	}
	if len(found) == 0 {
		return nil
	}
	m := found[0]
	return at(d.Lines(), m.Span.Start, m.Name+" is no key of "+m.Of+"; did you mean "+m.Near+"?")
}

func environmentRow() *tool.Field { return Below(Row(), Environments).Each }

// misspelt looks at the keys of a map, and at those inside of the ones that guard; all
// says that every key of this one does. The environments are looked at for themselves.
func misspelt(n *yaml.Node, row *tool.Field, all bool) (found []Misspelling) {
	if row == nil || row.Type != tool.Block {
		return nil
	}
	for _, m := range n.Members {
		name := m.Key.Text
		if inner := Below(row, name); inner != nil {
			if name != Environments && (all || slices.Contains(guards, name)) {
				found = append(found, misspelt(m.Value, inner, true)...)
			}
			continue
		}
		near := nearest(name, row.Fields)
		own := strings.HasPrefix(name, "x-") || m.Value.Anchor != ""
		if near != "" && !own && (all || slices.Contains(guards, near)) {
			found = append(found, Misspelling{name, near, row.Name, m.Key.Span})
		}
	}
	return found
}

// nearest is the key that is likely meant by a name: one of which it is most of the
// beginning, or that is two edits away at most; "" where there is none.
func nearest(name string, rows []tool.Field) (near string) {
	is := plainKey(name)
	if len(is) > 64 { // longer than any key
		return ""
	}
	least := 3
	for _, row := range rows {
		meant := plainKey(row.Name)
		away := levenshtein.ComputeDistance(is, meant)
		if strings.HasPrefix(meant, is) && 2*len(is) >= len(meant) {
			away = min(away, 2)
		}
		if away < least && away < len(is)-1 {
			least, near = away, row.Name
		}
	}
	return near
}

// plainKey is a key without what people write in different ways.
func plainKey(key string) string {
	return strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(key))
}
