package tool

// Field is one row of the schema table: a property that authors can write.
// The table is shared and never changes; whoever reads it must not write to
// its slices.
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
	With     []string // of auth_config's keys: the auth kinds that use the key

	// Undocumented properties are accepted, but no page lists them:
	// completion leaves them out.
	Undocumented bool

	Fields []Field // the keys of a Block or of a BlockList's items; those of a MapType that may also be a list of blocks
	Open   bool    // the keys of a Block are the author's
	Each   []Field // the keys of the blocks under the author's keys
}

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

// String is the shape in a reader's words.
func (t FieldType) String() string {
	return [...]string{
		String: "string", WordType: "word", NumberType: "number", BooleanType: "boolean",
		ListType: "list", MapType: "map", Block: "block", BlockList: "list of blocks",
		Expr: "expression", CodeType: "source text", TypeType: "type", AnyType: "any",
	}[t]
}

// Edition says where a property comes from.
type Edition int

// Seed is the normative page; Later its later edition; Extension is this tool
// set's own and not published ABL.
const (
	Seed Edition = iota
	Later
	Extension
)

// String is the edition in a reader's words.
func (e Edition) String() string {
	return [...]string{Seed: "ABL", Later: "ABL, later edition", Extension: "extension"}[e]
}
