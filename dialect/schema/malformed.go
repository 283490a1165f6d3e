package schema

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/expression/pattern"
	"github.com/abl-lsp/abl-lsp/tool"
)

// SchemaFault is a place at which a schema is invalid, so that nothing can be validated by it.
type SchemaFault struct {
	Path  []string // of keys and indices, from the schema
	At    foreign.Node
	What  string
	Word  string // one that may be a slip of the pen, "" where there is none
	Known []string
}

// FindMalformed returns the places at which no validator accepts the schema n; nil if there are
// none. It ignores what depends on more than this text: values that a program computes, names of
// other documents, an unknown draft.
func FindMalformed(n foreign.Node) []SchemaFault {
	r := malformedReader{root: n, draft: latest, keywords: keywords(), followed: map[string]bool{}}
	if draft := n.Get("$schema"); draft.Kind == foreign.String {
		if r.draft = draftOf(draft.Text); r.draft == 0 {
			r.report([]string{"$schema"}, draft, "`$schema` names no draft that is known: they are 2020-12, 2019-09, 07, 06 and 04.")
			return r.found
		}
	}
	r.named = n.Has("$id") || n.Has("id")
	r.schema(nil, n)
	return r.found
}

// FindMalformedInput is [FindMalformed] for the schema of the arguments of a tool. It also reports
// a type other than object.
func FindMalformedInput(n foreign.Node) []SchemaFault {
	found := FindMalformed(n)
	kind := n.Get("type")
	if kind.Kind == foreign.String && kind.Text != "object" && kindOfWord(kind.Text) != all {
		found = append(found, SchemaFault{Path: []string{"type"}, At: kind,
			What: "What a tool takes is an object, whose `properties` are its parameters; `" + kind.Text + "` takes no call."})
	}
	return found
}

// Check reports in f the places at which the schema n is invalid.
func Check(f *foreign.File, n foreign.Node) { report(f, FindMalformed(n)) }

// CheckInput is [Check] for the schema n of the arguments of a tool.
func CheckInput(f *foreign.File, n foreign.Node) { report(f, FindMalformedInput(n)) }

func report(f *foreign.File, found []SchemaFault) {
	for _, m := range found {
		isReported := func(other foreign.Fault) bool { return other.Span == m.At.Span } // of a constant that others use as well
		if slices.ContainsFunc(f.Faults, isReported) {
			continue
		}
		f.Report(foreign.Error, "invalid-value", m.At.Span, "%s", m.What)
		f.SuggestKnown(m.Word, m.Known)
	}
}

// The drafts, in their order.
const (
	draft4 = 4 + iota
	_
	draft6
	draft7
	draft2019
	latest
)

// drafts maps the values of `$schema`, without protocol, to their drafts.
var drafts = map[string]int{
	"json-schema.org/schema": latest, "json-schema.org/draft/2020-12/schema": latest, "json-schema.org/draft/2019-09/schema": draft2019,
	"json-schema.org/draft-07/schema": draft7, "json-schema.org/draft-06/schema": draft6, "json-schema.org/draft-04/schema": draft4,
}

func draftOf(uri string) int {
	uri = strings.TrimSuffix(uri, "#")
	return drafts[strings.TrimPrefix(strings.TrimPrefix(uri, "https://"), "http://")]
}

// malformedReader checks a schema of a draft.
type malformedReader struct {
	root  foreign.Node
	draft int
	named bool // it has a name of its own, by which it may refer to itself
	apart bool // what is read counts only if a reference leads to it

	keywords map[string]keyword
	followed map[string]bool // references
	found    []SchemaFault
}

// enoughMalformed of one schema are enough to read.
const enoughMalformed = 20

func (r *malformedReader) report(path []string, at foreign.Node, what string) {
	there := func(m SchemaFault) bool { return m.At.Span == at.Span } // a reference leads to it as well
	if len(r.found) < enoughMalformed && !slices.ContainsFunc(r.found, there) {
		r.found = append(r.found, SchemaFault{Path: slices.Clone(path), At: at, What: what})
	}
}

// keyword is a key of a schema: the drafts that have it, and the function that checks its value.
type keyword struct {
	since, until int // drafts; 0: the first, the last
	read         func(r *malformedReader, path []string, n foreign.Node)
}

// keywords returns the keys of schemas that are checked, by name. Keys that do not restrict values
// are not among them.
func keywords() map[string]keyword {
	return map[string]keyword{
		"type":  {read: (*malformedReader).types},
		"$ref":  {read: (*malformedReader).reference},
		"items": {read: (*malformedReader).items},

		"properties": {read: (*malformedReader).byName}, "patternProperties": {read: (*malformedReader).byPattern},
		"definitions": {read: (*malformedReader).byName}, "$defs": {since: draft2019, read: (*malformedReader).byName},
		"dependentSchemas": {since: draft2019, read: (*malformedReader).byName},

		"additionalProperties": {read: (*malformedReader).inner}, "additionalItems": {until: draft2019, read: (*malformedReader).inner},
		"not": {read: (*malformedReader).inner}, "contains": {since: draft6, read: (*malformedReader).inner},
		"propertyNames": {since: draft6, read: (*malformedReader).inner}, "if": {since: draft7, read: (*malformedReader).inner},
		"then": {since: draft7, read: (*malformedReader).inner}, "else": {since: draft7, read: (*malformedReader).inner},
		"unevaluatedItems":      {since: draft2019, read: (*malformedReader).inner},
		"unevaluatedProperties": {since: draft2019, read: (*malformedReader).inner},

		"allOf": {read: (*malformedReader).several}, "anyOf": {read: (*malformedReader).several},
		"oneOf": {read: (*malformedReader).several}, "prefixItems": {since: latest, read: (*malformedReader).several},

		"required": {read: (*malformedReader).texts}, "enum": {read: wants("a list of values", foreign.List)},
		"title": {read: wants("a text", foreign.String)}, "description": {read: wants("a text", foreign.String)},
		"pattern": {read: (*malformedReader).pattern}, "uniqueItems": {read: wants("`true` or `false`", foreign.Bool)},

		"minimum": {read: wants("a number", foreign.Number)}, "maximum": {read: wants("a number", foreign.Number)},
		"multipleOf":       {read: wants("a number", foreign.Number)},
		"exclusiveMinimum": {since: draft6, read: wants("a number", foreign.Number)},
		"exclusiveMaximum": {since: draft6, read: wants("a number", foreign.Number)},

		"minLength": {read: (*malformedReader).count}, "maxLength": {read: (*malformedReader).count},
		"minItems": {read: (*malformedReader).count}, "maxItems": {read: (*malformedReader).count},
		"minProperties": {read: (*malformedReader).count}, "maxProperties": {read: (*malformedReader).count},
	}
}

// schema reads the keys of a schema. A nested schema with a name of its own may be of another
// draft. In older drafts the keywords next to a $ref have no effect.
func (r *malformedReader) schema(path []string, n foreign.Node) {
	if path != nil && (n.Has("$id") || n.Has("id") || n.Has("$schema")) {
		return
	}
	ignoresSiblings := r.draft <= draft7 && n.Has("$ref")
	for _, m := range lastOnes(n) {
		k, ok := r.keywords[m.Key]
		if !ok || r.draft < k.since || k.until > 0 && r.draft > k.until || ignoresSiblings && m.Key != "$ref" {
			continue
		}
		k.read(r, append(path, m.Key), m.Value)
	}
}

// lastOnes returns the members of a map whose values are known. If a key occurs more than once, it
// returns the last member.
func lastOnes(n foreign.Node) []foreign.Member {
	return slices.DeleteFunc(n.Last(), func(m foreign.Member) bool { return isUnknown(m.Value) })
}

// isUnknown reports whether a value is unknown: a program computes it, or it is not written yet.
func isUnknown(n foreign.Node) bool { return n.Kind == foreign.Computed || n.Kind == foreign.Missing }

// inner reads a schema inside another one.
func (r *malformedReader) inner(path []string, n foreign.Node) {
	switch {
	case n.Kind == foreign.Map:
		r.schema(path, n)
	case n.Kind != foreign.Bool: // in the oldest draft not everywhere
		r.wants(path, n, "a schema, an object")
	}
}

// items reads the schema of items. In older drafts it may be a list, for which newer drafts have
// another keyword.
func (r *malformedReader) items(path []string, n foreign.Node) {
	switch {
	case n.Kind != foreign.List:
		r.inner(path, n)
	case r.draft < latest:
		r.each(path, n, r.inner)
	default:
		r.report(path, n, "`items` wants one schema; a list of them is written `prefixItems` in the draft 2020-12, which counts where no `$schema` names an older one.")
	}
}

// several reads a list of schemas.
func (r *malformedReader) several(path []string, n foreign.Node) {
	if n.Kind != foreign.List || len(n.Items) == 0 {
		r.wants(path, n, "a list of schemas")
		return
	}
	r.each(path, n, r.inner)
}

// texts reads a list of texts.
func (r *malformedReader) texts(path []string, n foreign.Node) {
	if n.Kind != foreign.List {
		r.wants(path, n, "a list of names")
		return
	}
	r.each(path, n, func(path []string, n foreign.Node) {
		if n.Kind != foreign.String {
			r.wants(path, n, "a list of names")
		}
	})
}

// byName reads schemas by name. A schema that only references reach is checked as soon as one does.
func (r *malformedReader) byName(path []string, n foreign.Node) {
	if n.Kind != foreign.Map {
		r.wants(path, n, "schemas by name, an object")
		return
	}
	before := r.apart
	if key := path[len(path)-1]; key == "$defs" || key == "definitions" {
		r.apart = true
	}
	for _, m := range lastOnes(n) {
		r.inner(append(path, m.Key), m.Value)
	}
	r.apart = before
}

// byPattern reads schemas by the regular expression of their names.
func (r *malformedReader) byPattern(path []string, n foreign.Node) {
	r.byName(path, n)
	for _, m := range lastOnes(n) {
		r.expression(append(path, m.Key), foreign.Node{Kind: foreign.String, Text: m.Key, Span: m.KeySpan})
	}
}

// pattern reads a regular expression.
func (r *malformedReader) pattern(path []string, n foreign.Node) {
	if n.Kind != foreign.String {
		r.wants(path, n, "a text, a regular expression")
		return
	}
	r.expression(path, n)
}

// maxPattern limits the length of the regular expressions that are checked.
const maxPattern = 10_000

func (r *malformedReader) expression(path []string, n foreign.Node) {
	if len(n.Text) > maxPattern {
		return
	}
	if _, err := pattern.Compile(n.Text); err != nil {
		r.report(path, n, "This is no regular expression: "+err.Error()+".")
	}
}

// types reads the word for a type, or a list of them.
func (r *malformedReader) types(path []string, n foreign.Node) {
	switch {
	case n.Kind == foreign.List && len(n.Items) > 0:
		r.each(path, n, r.typeWord)
	case n.Kind == foreign.String:
		r.typeWord(path, n)
	default:
		r.wants(path, n, "the word for a type, or a list of such words")
	}
}

func (r *malformedReader) typeWord(path []string, n foreign.Node) {
	if n.Kind == foreign.String && kindOfWord(n.Text) != all {
		return
	}
	words := tool.WordNames(types)
	before := len(r.found)
	r.report(path, n, "`type` cannot be `"+n.Text+"`; it is one of "+strings.Join(words, ", ")+".")
	if len(r.found) > before {
		r.found[before].Word, r.found[before].Known = n.Text, words
	}
}

// count reads a number of things.
func (r *malformedReader) count(path []string, n foreign.Node) {
	f, err := strconv.ParseFloat(n.Text, 64)
	if n.Kind != foreign.Number || err == nil && (f < 0 || f != math.Trunc(f)) {
		r.wants(path, n, "a whole number, 0 or more")
	}
}

func (r *malformedReader) each(path []string, n foreign.Node, read func(path []string, n foreign.Node)) {
	for i, item := range n.Items {
		if !isUnknown(item) {
			read(append(path, strconv.Itoa(i)), item)
		}
	}
}

// wants reads a single value.
func wants(what string, kind foreign.Kind) func(r *malformedReader, path []string, n foreign.Node) {
	return func(r *malformedReader, path []string, n foreign.Node) {
		if n.Kind != kind {
			r.wants(path, n, what)
		}
	}
}

// wants reports what the keyword at the end of a path demands.
func (r *malformedReader) wants(path []string, n foreign.Node, what string) {
	key := path[len(path)-1]
	for _, step := range slices.Backward(path) {
		if _, err := strconv.Atoi(step); err != nil {
			key = step
			break
		}
	}
	r.report(path, n, "`"+key+"` wants "+what+".")
}

// reference reads a reference to another part of the schema. A reference by name may lead to a part
// or to a document of that name.
func (r *malformedReader) reference(path []string, n foreign.Node) {
	if n.Kind != foreign.String || r.apart {
		return
	}
	pointer, local := strings.CutPrefix(n.Text, "#")
	switch {
	case !local && !r.named:
		r.report(path, n, "A `$ref` to another document is never followed; write what it means in here, into `$defs`.")
	case local && strings.HasPrefix(pointer, "/") && !r.followed[pointer]:
		r.followed[pointer] = true
		r.follow(path, n, pointer)
	}
}

// follow reads the part to which a reference leads.
func (r *malformedReader) follow(path []string, n foreign.Node, pointer string) {
	at := r.root
	var to []string
	steps, _ := tool.ReferenceSteps("#" + pointer)
	for _, step := range steps {
		next := below(at, step)
		if next.Kind == foreign.Missing {
			if !at.IsComputed() {
				r.report(path, n, "`"+n.Text+"` leads to nothing in this schema.")
			}
			return
		}
		at, to = next, append(to, step)
	}
	if at.Kind == foreign.Map {
		r.schema(to, at)
	}
}
