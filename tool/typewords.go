package tool

// ParamTypes returns the types that a parameter can have. Each may be followed by `[]` for an
// array. Any other name is a type that nothing declares.
func ParamTypes() []Word { return paramTypes }

// ReturnTypes returns the types that a result or one of its fields can have.
func ReturnTypes() []Word { return returnTypes }

var paramTypes = []Word{
	{Name: "string", Doc: "Text."},
	{Name: "number", Doc: "A number, whole or not."},
	{Name: "boolean", Doc: "`true` or `false`."},
	{Name: "date", Doc: "A date, written `\"YYYY-MM-DD\"`."},
	{Name: "object", Doc: "Named fields. A `parameters:` block may say which."},
	{Name: "datetime", Doc: "A date with a time of day.", Edition: Later},
	{Name: "array", Doc: "A list of anything.", Edition: Later},
	{Name: "integer", Doc: "A whole number.", Edition: Extension},
	{Name: "float", Doc: "A number, whole or not.", Edition: Extension},
	{Name: "map", Doc: "Texts, numbers, `true` and `false` under names that the caller chooses; `map<T>` where all are of one type.", Edition: Extension},
}

var returnTypes = []Word{
	{Name: "string", Doc: "Text."},
	{Name: "number", Doc: "A number, whole or not."},
	{Name: "boolean", Doc: "`true` or `false`."},
	{Name: "date", Doc: "A date, written `\"YYYY-MM-DD\"`."},
	{Name: "object", Doc: "Named fields. `{name: type, other?: type}` says which."},
	{Name: "datetime", Doc: "A date with a time of day.", Edition: Later},
	{Name: "array", Doc: "A list of anything; `type[]` where all are of one type.", Edition: Later},
	{Name: "integer", Doc: "A whole number.", Edition: Extension},
	{Name: "float", Doc: "A number, whole or not.", Edition: Extension},
	{Name: "map", Doc: "Values under names of any kind; `map<T>` where all are of one type.", Edition: Extension},
}
