package schema

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/tool"
)

// reader reads the schema root and follows the references in it.
type reader struct {
	root   foreign.Node
	within []string // the references that have led to the part that is read
	left   int      // how many more are followed
}

// maxReferences is how many references of one schema are followed: a part that is
// referred to twice may refer to another twice, and so on.
const maxReferences = 100

func newReader(root foreign.Node) *reader { return &reader{root: root, left: maxReferences} }

// target returns the part that the reference of a schema leads to, merged with the schema's own
// keywords. ref is "" if there is no reference to follow: one that leads back to itself, or to
// another document, is not followed.
func (r *reader) target(n foreign.Node) (to foreign.Node, ref string) {
	ref = n.Get("$ref").Text
	to, ok := part(r.root, ref)
	if !ok || to.Kind != foreign.Map || r.left == 0 || slices.Contains(r.within, ref) {
		return n, ""
	}
	return mergedTarget(n, to), ref
}

// enter follows a reference; leave returns from it.
func (r *reader) enter(ref string) (leave func()) {
	r.left--
	r.within = append(r.within, ref)
	return func() { r.within = r.within[:len(r.within)-1] }
}

// whole returns a schema with its reference resolved.
func (r *reader) whole(n foreign.Node) foreign.Node {
	for range maxFollowed {
		to, ref := r.target(n)
		if ref == "" {
			break
		}
		n = to
	}
	return n
}

// annotations say something of the values, whatever these may be.
var annotations = []string{"description", "default", "title"}

// mergedTarget returns the part to which a schema refers, merged with the schema. If both have a
// key, the result has the part's value, except for annotations.
func mergedTarget(n, to foreign.Node) foreign.Node {
	siblings := slices.DeleteFunc(slices.Clone(n.Members), func(m foreign.Member) bool {
		return m.Key == "$ref" || to.Has(m.Key) && !slices.Contains(annotations, m.Key)
	})
	isAllowed := func(m foreign.Member) bool {
		return slices.ContainsFunc(siblings, func(o foreign.Member) bool { return o.Key == m.Key })
	}
	to.Members = slices.Concat(siblings, slices.DeleteFunc(slices.Clone(to.Members), isAllowed))
	return to
}

// part returns the part of root to which ref leads by keys and indexes: the zero Node if there is
// none. ok is false if ref has none.
func part(root foreign.Node, ref string) (at foreign.Node, ok bool) {
	steps, ok := tool.ReferenceSteps(ref)
	at = root
	for _, step := range steps {
		at = below(at, step)
	}
	return at, ok && len(steps) > 0
}

func below(n foreign.Node, step string) foreign.Node {
	if item, ok := ItemAt(n.Items, step); ok {
		return item
	}
	return n.Get(step)
}

// StepOf returns the key or index that a step of a reference means, with its escapes decoded.
func StepOf(written string) string {
	if plain, err := url.PathUnescape(written); err == nil {
		written = plain
	}
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(written)
}

// ItemAt returns the item with the index that step is. ok is false if there is no such item.
func ItemAt[T any](items []T, step string) (item T, ok bool) {
	if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(items) {
		return items[i], true
	}
	return item, false
}
