package foreign

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// Kind is the kind of a value.
type Kind int

// The kinds. Missing is that of the zero Node; Computed is a value that only running the program
// would give.
const (
	Missing Kind = iota
	Null
	Bool
	Number
	String
	List
	Map
	Computed
)

// Node is a value with its place.
type Node struct {
	Kind    Kind
	Text    string // of a single value: its meaning; of a number: its spelling; of a computed value: the module that it is imported from
	Span    text.Span
	Items   []Node   // of a list
	Members []Member // of a map, in the order written; a key may repeat
	Alias   string   // the name that this value replaces; its parts have their places in the declaration

	from *yaml.Node // nil where it is no YAML
}

// Member is one entry of a map.
type Member struct {
	Key     string
	KeySpan text.Span
	Value   Node
	Merged  bool // it comes from another map, where its places are
}

// Span covers key and value.
func (m Member) Span() text.Span {
	return text.Span{Start: m.KeySpan.Start, End: max(m.KeySpan.End, m.Value.Span.End)}
}

// Member returns the member of a map with that key, the last of several. ok is false if there is
// none.
func (n Node) Member(key string) (found Member, ok bool) {
	for _, m := range n.Members {
		if m.Key == key {
			found, ok = m, true
		}
	}
	return found, ok
}

// Get returns the value that a map has for that key, the last of several; the zero Node if there is
// none.
func (n Node) Get(key string) Node {
	m, _ := n.Member(key)
	return m.Value
}

// Last returns the members of a map. Of members with the same key it returns only the last; members
// without a key are never duplicates.
func (n Node) Last() []Member {
	last := make(map[string]int, len(n.Members))
	for i, m := range n.Members {
		last[m.Key] = i
	}
	var members []Member
	for i, m := range n.Members {
		if m.Key == "" || last[m.Key] == i {
			members = append(members, m)
		}
	}
	return members
}

// Has reports whether a map has the key.
func (n Node) Has(key string) bool {
	_, ok := n.Member(key)
	return ok
}

// IsSet reports whether there is a value other than null.
func (n Node) IsSet() bool { return n.Kind != Missing && n.Kind != Null }

// IsSingle reports whether the value is a text, a number or a boolean.
func (n Node) IsSingle() bool { return n.Kind == String || n.Kind == Number || n.Kind == Bool }

// Value returns the value in a form that [tool.Decode] accepts. It omits the computed members of
// maps.
func (n Node) Value() any {
	switch n.Kind {
	case String:
		return n.Text
	case Bool:
		return n.Text == "true"
	case Number:
		if number := json.Number(n.Text); json.Valid([]byte(number)) {
			return number
		}
		return n.Text
	case List:
		items := make([]any, len(n.Items))
		for i, item := range n.Items {
			items[i] = item.Value()
		}
		return items
	case Map:
		object := tool.Object{}
		for _, m := range n.Last() {
			if m.Value.Kind != Computed {
				object = append(object, tool.Member{Name: m.Key, Value: m.Value.Value()})
			}
		}
		return object
	}
	return nil
}

// JSON returns the value as JSON; nil if it is missing.
func (n Node) JSON() json.RawMessage {
	if n.Kind == Missing {
		return nil
	}
	return exactjson.EncodeOrNil(n.Value())
}

// IsComputed reports whether the value or a part of it is computed.
func (n Node) IsComputed() bool {
	if n.Kind == Computed {
		return true
	}
	return slices.ContainsFunc(n.Items, Node.IsComputed) ||
		slices.ContainsFunc(n.Members, func(m Member) bool { return m.Value.IsComputed() })
}

// Head returns the place of the first key of a map, or the whole place of any other value.
func (n Node) Head() text.Span {
	if len(n.Members) > 0 {
		return n.Members[0].KeySpan
	}
	return n.Span
}

// Unknown returns the keys of the map n that are not in keys, with their places.
func Unknown(n Node, keys ...string) []Name {
	var out []Name
	for _, m := range n.Members {
		if !slices.Contains(keys, m.Key) {
			out = append(out, Name{m.Key, m.KeySpan})
		}
	}
	return out
}

// At returns the value to which a path of keys and indexes leads from n. If a step leads to
// nothing, it returns the value before that step.
func (n Node) At(path ...string) Node {
	for _, step := range path {
		next := n.Get(step)
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.Items) {
			next = n.Items[i]
		}
		if next.Kind == Missing {
			break
		}
		n = next
	}
	return n
}

// CamelCase turns allowed_commands into allowedCommands.
func CamelCase(name string) string {
	words := strings.Split(name, "_")
	for i, word := range words[1:] {
		if word != "" {
			words[i+1] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, "")
}

// SnakeCase turns allowedCommands into allowed_commands.
func SnakeCase(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
