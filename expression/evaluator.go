package expression

// EvaluatorFunctions returns the functions of expr-lang, which evaluates expressions here. The
// platform does not have them. The slice is shared: do not change it.
func EvaluatorFunctions() []Function { return evaluatorFunctions }

var evaluatorFunctions = []Function{
	{Name: "len", Params: []string{"value"}, Returns: "number", Doc: "How many elements a list, keys an object or characters a text has."},
	{Name: "all", Params: []string{"list", "condition"}, Returns: "boolean", Doc: "Whether the condition holds for each element, which is `#`."},
	{Name: "any", Params: []string{"list", "condition"}, Returns: "boolean", Doc: "Whether the condition holds for some element, which is `#`."},
	{Name: "none", Params: []string{"list", "condition"}, Returns: "boolean", Doc: "Whether the condition holds for no element, which is `#`."},
	{Name: "filter", Params: []string{"list", "condition"}, Returns: "array", Doc: "The elements for which the condition holds."},
	{Name: "map", Params: []string{"list", "expression"}, Returns: "array", Doc: "What the expression is for each element, which is `#`."},
	{Name: "count", Params: []string{"list", "condition?"}, Returns: "number", Doc: "For how many elements the condition holds."},
	{Name: "sum", Params: []string{"list"}, Returns: "number", Doc: "The sum of the elements."},
	{Name: "min", Params: []string{"a", "…"}, Returns: "number", Doc: "The least of the values."},
	{Name: "max", Params: []string{"a", "…"}, Returns: "number", Doc: "The greatest of the values."},
	{Name: "abs", Params: []string{"number"}, Returns: "number", Doc: "The number without its sign."},
	{Name: "round", Params: []string{"number"}, Returns: "number", Doc: "The nearest whole number."},
	{Name: "first", Params: []string{"list"}, Returns: "any", Doc: "The first element."},
	{Name: "last", Params: []string{"list"}, Returns: "any", Doc: "The last element."},
	{Name: "keys", Params: []string{"object"}, Returns: "array", Doc: "The names of an object's fields."},
	{Name: "values", Params: []string{"object"}, Returns: "array", Doc: "The values of an object's fields."},
	{Name: "lower", Params: []string{"text"}, Returns: "string", Doc: "The text in small letters."},
	{Name: "upper", Params: []string{"text"}, Returns: "string", Doc: "The text in capitals."},
	{Name: "trim", Params: []string{"text"}, Returns: "string", Doc: "The text without the space around it."},
	{Name: "split", Params: []string{"text", "separator"}, Returns: "array", Doc: "The parts of a text."},
	{Name: "join", Params: []string{"list", "separator"}, Returns: "string", Doc: "The elements as one text."},
}
