package tool

import (
	"slices"
	"strings"
	"sync"
)

// A binding is all there is to know about one kind.
type binding struct {
	kind    Kind
	order   int // of the kind among all, as editors show them
	doc     string
	edition Edition
	fields  []Field
	laid    []Field // further rows that reach the spec from the shared defaults
	spec    func() Spec
}

// bindings holds the bindings of all kinds, in the order in which editors show them.
var bindings = slices.SortedFunc(slices.Values(allBindings()), func(a, b binding) int { return a.order - b.order })

func bindingOf(kind Kind) (binding, bool) {
	i := slices.IndexFunc(bindings, func(b binding) bool { return b.kind == kind })
	if i < 0 {
		return binding{}, false
	}
	return bindings[i], true
}

// Kinds returns the words after `type:`. The slice is shared: do not change it.
func Kinds() []Word { return kindWords() }

var kindWords = sync.OnceValue(func() []Word {
	words := make([]Word, len(bindings))
	for i, b := range bindings {
		words[i] = Word{Name: string(b.kind), Doc: b.doc, Edition: b.edition}
	}
	return words
})

// Fields returns the binding properties of a kind, without the common ones. It is nil for an
// unknown kind.
func Fields(kind Kind) []Field {
	b, _ := bindingOf(kind)
	return b.fields
}

// Takes reports whether tools of a kind have the property called name, either as their own or from
// the shared defaults. name must be canonical.
func Takes(kind Kind, name string) bool {
	b, _ := bindingOf(kind)
	has := func(f Field) bool { return f.Name == name }
	return slices.ContainsFunc(b.fields, has) || slices.ContainsFunc(b.laid, has)
}

// Lookup finds the row among fields that name means, in any case. alias is true if name is one of
// the row's older spellings; ok is false if there is no such row.
func Lookup(fields []Field, name string) (f Field, alias, ok bool) {
	row, alias := Find(fields, name)
	if row == nil {
		return Field{}, false, false
	}
	return *row, alias, true
}

// Find is [Lookup] without a copy: it returns a pointer into fields; nil if there is no such row.
func Find(fields []Field, name string) (row *Field, alias bool) {
	is := func(s string) bool { return len(s) == len(name) && strings.EqualFold(s, name) }
	for i := range fields {
		f := &fields[i]
		if is(f.Name) || slices.ContainsFunc(f.Synonyms, is) {
			return f, false
		}
		if slices.ContainsFunc(f.Aliases, is) {
			return f, true
		}
	}
	return nil, false
}

// LookupWord finds the word among words that s means, in any case. The second result is false if
// there is none.
func LookupWord(words []Word, s string) (Word, bool) {
	i := slices.IndexFunc(words, func(w Word) bool { return strings.EqualFold(w.Name, s) })
	if i < 0 {
		return Word{}, false
	}
	return words[i], true
}

// BindingOnly returns the kinds that have the named property. It is nil for a name that is common
// to all, or unknown. The slice is shared: do not change it.
func BindingOnly(name string) []Kind {
	if kinds, known := bindingNames()[name]; known {
		return kinds
	}
	return bindingOnly(name)
}

// bindingNames are the properties of all kinds, and those that are common to all, as the
// tables write them.
var bindingNames = sync.OnceValue(func() map[string][]Kind {
	known := map[string][]Kind{}
	add := func(fields []Field) {
		for _, f := range fields {
			for _, name := range slices.Concat([]string{f.Name}, f.Synonyms, f.Aliases) {
				known[name] = bindingOnly(name)
			}
		}
	}
	add(CommonFields())
	for _, b := range bindings {
		add(b.fields)
	}
	return known
})

// bindingOnly is [BindingOnly] without the table: it searches the rows of all kinds for a name in
// any case.
func bindingOnly(name string) []Kind {
	if row, _ := Find(CommonFields(), name); row != nil {
		return nil
	}
	var kinds []Kind
	for _, b := range bindings {
		if row, _ := Find(b.fields, name); row != nil {
			kinds = append(kinds, b.kind)
		}
	}
	return kinds
}

// Flat returns the path that a key directly in the tool is short for: hints.cacheable for
// `cacheable`, confirmation.require for `confirm`. It is nil for every other name.
func Flat(name string) []string {
	switch name = strings.ToLower(name); name {
	case "cacheable", "latency", "side_effects", "requires_auth":
		return []string{"hints", name}
	case "consent_required_in", "consent_scope", "consent_action", "consent_fallback":
		return []string{"confirmation", name}
	case "confirm":
		return []string{"confirmation", "require"}
	case "immutable":
		return []string{"confirmation", "immutable_params"}
	}
	return nil
}

// IsUsedBy reports whether a block of that kind uses the key.
func (f *Field) IsUsedBy(kind string) bool { return f.With == nil || slices.Contains(f.With, kind) }

// IsNeededBy reports whether a block of that kind must have the key.
func (f *Field) IsNeededBy(kind string) bool { return f.Required || slices.Contains(f.Needs, kind) }

// WordNames returns the words of a closed set.
func WordNames(words []Word) []string {
	names := make([]string, len(words))
	for i, w := range words {
		names[i] = w.Name
	}
	return names
}

// FieldNames returns the names of rows.
func FieldNames(fields []Field) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return names
}

// pick returns the rows with these names, in the order of the table.
func pick(fields []Field, names ...string) []Field {
	var out []Field
	for _, f := range fields {
		if slices.Contains(names, f.Name) {
			out = append(out, f)
		}
	}
	return out
}

func pickWords(words []Word, names ...string) []Word {
	var out []Word
	for _, w := range words {
		if slices.Contains(names, w.Name) {
			out = append(out, w)
		}
	}
	return out
}
