package tool

// Field is one row of the schema table: a property that authors can write.
type Field struct {
	Name     string
	Aliases  []string  // other accepted spellings
	Type     FieldType // of its value
	Values   []Word    // the closed set, where there is one
	Required bool
	Default  string // as the docs show it; "" for none
	Doc      string // one or two sentences in Markdown
	Edition  Edition

	Fields []Field // the keys of a Block; nil with Open
	Open   bool    // the keys of a Block or Map are the author's
}

// Word is one value of a closed set.
type Word struct {
	Name    string
	Doc     string
	Edition Edition
}

// FieldType is the shape of a property's value.
type FieldType int

// The shapes. String is quoted, unquoted or a pipe block; WordType a bare or
// quoted word; Expr an expression, bare or quoted.
const (
	String FieldType = iota
	WordType
	NumberType  // also a {{…}} placeholder
	BooleanType // also a {{…}} placeholder
	ListType    // [a, b], a block list, or bare comma-separated words
	MapType     // of strings, as a block or {…}
	Block       // a block of the keys in Fields, or {…}
	BlockList   // a list of such blocks
	Expr
	CodeType // source text in another language
	AnyType
)

// Edition says where a property comes from.
type Edition int

// Seed is the normative page; Later its later edition; Extension is this tool
// set's own and not published ABL.
const (
	Seed Edition = iota
	Later
	Extension
)
