package tool

import "github.com/abl-lsp/abl-lsp/internal/lazyregexp"

// Field is one row of the schema table: a property that authors can write. The table is shared and
// never changes; callers must not write to its slices.
type Field struct {
	Name     string
	Synonyms []string  // other documented spellings
	Aliases  []string  // older spellings, accepted
	Type     FieldType // of its value
	Values   []Word    // the closed set, where there is one; of a list, the set of its items
	Required bool
	Default  string // in plain words; "" for none
	Doc      string // one or two sentences in Markdown
	Edition  Edition
	With     []string // of a key next to the word for the block's kind: the kinds that use the key, nil for all
	Needs    []string // likewise: the kinds that require it
	By       string   // of a Block: its key whose word is that kind

	// Undocumented properties are accepted, but no page lists them:
	// completion leaves them out.
	Undocumented bool

	// Deprecated says, as the end of a sentence, what to write instead of a
	// property that is accepted and no longer recommended; "" for all others.
	// With Refused it is a property that was removed.
	Deprecated string

	// Elsewhere says where a key belongs that is known here but does nothing.
	Elsewhere string

	// Refused: the platform refuses what is otherwise a warning outside of tools: a
	// wrong or missing value, and the key where it belongs elsewhere.
	Refused bool

	Fields []Field // the keys of a Block or of a BlockList's items; those of a MapType that may also be a list of blocks; those below a single value that may have some
	Items  []Field // the keys of a list's items, if Fields are keys next to the items
	Open   bool    // other keys are the author's; in a list, the name that an item may begin with and, if Each describes them, the keys next to the items
	Loose  bool    // the items of a list take keys of the author's, too
	Each   *Field  // the row of each of the author's keys, nil where they may be anything
	Blocks bool    // the author's keys have blocks: a key with only a value is not the author's
	Deeper bool    // a key of the block may be deeper than its siblings, below one that has a value
	Lax    bool    // of an Each: where not all keys below a name are in Fields, they are the author's, too
	Strict bool    // of an Each: a key without any key of Fields below it is not the author's
	Keyed  bool    // of an Each: a key with a list below it is not the author's
	Short  bool    // of an Each: an inline map, and a block without any key of Fields, are the author's

	Named           bool // the items of a list begin with a name of the author's: `- name`, `- name:` or `- name: word`, the word being one of Values; in YAML an item may be a single value, one of Values if there are some
	LooseAmongItems bool // of a Loose list: the author's keys may also be next to its items

	OneLine bool // a map or a list that may also be a single value on its line
	Repeats bool // the key may be repeated in its map

	Range    *Range             // of a number; nil: not negative, unless it is Signed
	Signed   bool               // the number may be negative
	Listed   bool               // of AnyType: a list; a single value is one of its words
	Integer  bool               // the number has no fraction
	Pattern  *lazyregexp.Regexp // what a single value matches; with Values, the further values that are allowed
	Quoted   bool               // with Values: any quoted text is allowed, too
	Form     string             // what Pattern asks for, in plain words
	Ref      Ref                // what the value, or each item of the list, names; of an Each: what the author's keys are
	Declares bool               // what Ref says is declared here
	Step     bool               // of AnyType: a map here is a binding of its own, whose keys are StepFields
	Files    []string           // the value may be the path of a file; how its name ends, "" for any way

	// The following are of agents in YAML.
	Twin     *Field // the row of ABL's key that means the same, nil for none; without a Name that of names of the author's
	AnyCase  bool   // the keys of the block, or the words of the closed set, may be in any casing
	Unless   string // of a Required key: it may be missing if this one is there
	OnlyText bool   // of a String: a number and a boolean are no texts
}

// Range is the smallest and the largest number that a property may have.
type Range struct{ Min, Max float64 }

// Ref is the kind of thing that a value names.
type Ref int

// The kinds of declarations that a value can name. Only steps, tools and templates must be declared
// wherever a value names them.
const (
	NoRef Ref = iota
	RefStep
	RefTool
	RefTemplate
	RefMessage
	RefAgent
	RefField
	RefHandler
	RefProfile
	RefEntity
	RefLookup
	RefDestination
	RefAction
	RefVariable
	RefPersistent // a persistent variable
	RefConnection // of the exported project
	RefServer     // of abl.yaml, like the following
	RefFunction
	RefSource // also of another system's file
	RefAuthService
	RefEnvironment
	RefServerTool  // what the server of the tool has
	RefParameter   // of the tool
	RefForeignTool // of another system's file
	RefResource    // of Récif
	RefProperty    // a key of the `properties` next to it
)

// Word is one value of a closed set.
type Word struct {
	Name    string
	Doc     string
	Edition Edition
}

// FieldType is the shape of a property's value.
type FieldType int

// The shapes.
const (
	String      FieldType = iota // quoted, unquoted or a pipe block
	WordType                     // a bare or quoted word
	NumberType                   // also a {{…}} placeholder
	BooleanType                  // also a {{…}} placeholder
	ListType                     // [a, b], a block list, or bare comma-separated words
	MapType                      // of single values, as a block or {…}; the keys are the author's
	Block                        // a block of the keys in Fields, or {…}
	BlockList                    // a list of such blocks
	Expr                         // an expression, bare or quoted
	CodeType                     // source text in another language, braces and all
	TypeType                     // a type, as in a signature
	AnyType
)

// IsSingle reports whether such a property has a single value.
func (t FieldType) IsSingle() bool {
	switch t {
	case String, WordType, NumberType, BooleanType, Expr, CodeType, TypeType:
		return true
	}
	return false
}

// String returns the shape in words for a reader.
func (t FieldType) String() string {
	return [...]string{
		String: "string", WordType: "word", NumberType: "number", BooleanType: "boolean",
		ListType: "list", MapType: "map", Block: "block", BlockList: "list of blocks",
		Expr: "expression", CodeType: "source text", TypeType: "type", AnyType: "any",
	}[t]
}

// Edition is the source of a property's definition.
type Edition int

// Seed is the normative page; Later its later edition; Extension is this tool
// set's own and not published ABL.
const (
	Seed Edition = iota
	Later
	Extension
)

// String returns the edition in words for a reader.
func (e Edition) String() string {
	return [...]string{Seed: "ABL", Later: "ABL, later edition", Extension: "extension"}[e]
}
