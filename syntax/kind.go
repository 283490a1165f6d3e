package syntax

import (
	"slices"
	"sync"

	tree_sitter_abl "github.com/abl-lsp/abl-lsp/syntax/grammar/bindings/go"
)

// Kind is the kind of a node: the rule of the grammar that it matches.
type Kind uint8

// The kinds. Error and Missing never occur as long as the grammar is total.
const (
	Other Kind = iota // punctuation that no tree has; the kind of the zero Node
	Error
	Missing

	Comment
	SectionNode
	ToolsSection
	Keyword
	Block

	Tool
	ToolName
	Import
	Add
	Parameters
	Parameter
	Identifier
	Invalid

	TypeIdentifier
	ArrayType
	ObjectType
	TypeField
	GenericType
	TypeList

	Pair
	Key
	ListItem
	Assignment
	Mapping
	Path
	Scalar

	String
	Number
	Boolean
	Null
	Regex
	Text
	PipeBlock
	BlockText
	List
	Map
	MapPair

	Step
	StepName
	Rule
	BeforeClause
	ConditionalItem

	Expression
	BinaryExpression
	UnaryExpression
	IsExpression
	ConditionalExpression
	CallExpression
	FilterExpression
	Arguments
	NamedArgument
	MemberExpression
	IndexExpression
	ParenthesizedExpression
	ListExpression
	ObjectExpression
	ObjectPair
	Operator

	Interpolation
	BlockHelper

	Colon
	Equals
	Question
	Arrow
	Pipe
	kindCount
)

var kindNames = [kindCount]string{
	Other: "other", Error: "ERROR", Missing: "MISSING",
	Comment: "comment", SectionNode: "section", ToolsSection: "tools_section", Keyword: "keyword", Block: "block",
	Tool: "tool", ToolName: "tool_name", Import: "import", Add: "add", Parameters: "parameters", Parameter: "parameter",
	Identifier: "identifier", Invalid: "invalid",
	TypeIdentifier: "type_identifier", ArrayType: "array_type", ObjectType: "object_type", TypeField: "type_field",
	GenericType: "generic_type", TypeList: "type_list",
	Pair: "pair", Key: "key", ListItem: "list_item", Assignment: "assignment", Mapping: "mapping", Path: "path", Scalar: "scalar",
	String: "string", Number: "number", Boolean: "boolean", Null: "null", Regex: "regex", Text: "text", PipeBlock: "pipe_block",
	BlockText: "block_text", List: "list", Map: "map", MapPair: "map_pair",
	Step: "step", StepName: "step_name", Rule: "rule", BeforeClause: "before_clause", ConditionalItem: "conditional_item",
	Expression: "expression", BinaryExpression: "binary_expression", UnaryExpression: "unary_expression",
	IsExpression: "is_expression", ConditionalExpression: "conditional_expression", CallExpression: "call_expression", FilterExpression: "filter_expression",
	Arguments: "arguments", NamedArgument: "named_argument", MemberExpression: "member_expression",
	IndexExpression: "index_expression", ParenthesizedExpression: "parenthesized_expression",
	ListExpression: "list_expression", ObjectExpression: "object_expression", ObjectPair: "object_pair", Operator: "operator",
	Interpolation: "interpolation", BlockHelper: "block_helper",
	Colon: ":", Equals: "=", Question: "?", Arrow: "->", Pipe: "|",
}

// String returns the name of the grammar's rule.
func (k Kind) String() string { return kindNames[min(k, kindCount-1)] }

// Field is the role of a node in its parent, as the grammar's field names say it.
type Field uint8

// The fields.
const (
	NoField Field = iota
	FieldKeyword
	FieldValue
	FieldBlock
	FieldKey
	FieldName
	FieldNames
	FieldPath
	FieldParameters
	FieldReturns
	FieldType // of a parameter
	FieldDefault
	FieldElement
	FieldTarget
	FieldSource
	FieldCondition // of a rule, an IF item or a conditional expression
	FieldBefore
	FieldTool // of a before clause
	FieldAction
	FieldLeft
	FieldOperator
	FieldRight
	FieldOperand
	FieldConsequence
	FieldAlternative
	FieldFunction
	FieldArguments
	FieldObject
	FieldProperty
	FieldIndex
	fieldCount
)

var fieldNames = [fieldCount]string{
	FieldKeyword: "keyword", FieldValue: "value", FieldBlock: "block", FieldKey: "key", FieldName: "name",
	FieldNames: "names", FieldPath: "path", FieldParameters: "parameters", FieldReturns: "returns",
	FieldType: "type", FieldDefault: "default", FieldElement: "element", FieldTarget: "target", FieldSource: "source",
	FieldCondition: "condition", FieldBefore: "before", FieldTool: "tool", FieldAction: "action",
	FieldLeft: "left", FieldOperator: "operator", FieldRight: "right", FieldOperand: "operand",
	FieldConsequence: "consequence", FieldAlternative: "alternative", FieldFunction: "function", FieldArguments: "arguments",
	FieldObject: "object", FieldProperty: "property", FieldIndex: "index",
}

// symbolTables maps the numbers of the generated parser's symbols and fields to kinds and
// fields. It reads them from the language on first use.
var symbolTables = sync.OnceValues(func() ([]Kind, []Field) {
	language := tree_sitter_abl.Language()
	byName := make(map[string]Kind, kindCount)
	for k, name := range kindNames {
		byName[name] = Kind(k)
	}
	table := make([]Kind, language.SymbolCount())
	for i := range table {
		table[i] = byName[language.SymbolName(sitterSymbol(i))]
	}
	var fields []Field
	for id := 0; id == 0 || language.FieldName(id) != ""; id++ {
		fields = append(fields, Field(max(0, slices.Index(fieldNames[1:], language.FieldName(id))+1)))
	}
	return table, fields
})
