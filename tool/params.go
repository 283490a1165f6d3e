package tool

// ParamFields returns the keys that may describe one parameter in a `parameters:` block. If a
// parameter's block has other keys, all its keys are the fields of an object type instead.
func ParamFields() []Field { return paramFields }

var paramFields = []Field{
	{Name: "description", Type: String, Edition: Later,
		Doc: "What the model reads about the parameter."},
	{Name: "type", Type: TypeType, Edition: Later,
		Doc: "The parameter's type, instead of the signature's."},
	{Name: "required", Type: BooleanType, Edition: Later,
		Doc: "Whether a call must give it."},
	{Name: "default", Type: AnyType, Edition: Later,
		Doc: "The value where a call gives none."},
	{Name: "source", Aliases: []string{"default_source"}, Type: WordType, Values: sources, Default: "model", Edition: Later,
		Doc: "Where the value comes from. `lookup` may name its table: `lookup(table)`."},
	{Name: "value", Type: String, Edition: Later,
		Doc: "The expression or reference that the source evaluates."},
	{Name: "key", Type: String, Edition: Later,
		Doc: "For `source: lookup`: what is looked up."},
	{Name: "table", Type: String, Edition: Later, Ref: RefLookup,
		Doc: "For `source: lookup`: the table."},
	{Name: "hidden", Type: BooleanType, Default: "false", Edition: Later,
		Doc: "`true` hides the parameter from the model."},
	{Name: "visibility", Type: Block, Edition: Later, Fields: []Field{
		{Name: "model", Type: BooleanType, Edition: Later, Doc: "Whether the model sees it."},
		{Name: "trace", Type: BooleanType, Edition: Later, Doc: "Whether traces show it."},
	}, Doc: "Who sees the parameter."},
	{Name: "properties", Type: Block, Open: true, Each: &Field{Type: Block, Fields: memberFields, Lax: true}, Edition: Later,
		Doc: "The fields of an object, by name."},
	{Name: "items", Type: Block, Open: true, Each: &Field{Type: Block, Fields: memberFields, Lax: true}, Edition: Later,
		Doc: "The fields of each item of an array, by name."},

	{Name: "enum", Type: ListType, Edition: Later,
		Doc: "The values that are allowed."},
	{Name: "schema", Type: CodeType, Edition: Later,
		Doc: "JSON Schema of an object or array, as text."},
	{Name: "template", Type: String, Edition: Later,
		Doc: "For `sipTransferId` of `call_transfer`: a SIP URI that is made at the call, of `{{route.vdn}}`, `{{route.ip}}`, `{{route.port}}` and `{{sip.header}}`."},
	{Name: "approved_authorities", Type: ListType, Edition: Later,
		Doc: "Beside `template`: the destinations that it may make, each `sip:USER@HOST:PORT`."},

	{Name: "allowed_values", Type: AnyType, Listed: true, Edition: Extension,
		Doc: "A list of values, or regular expressions, of which the argument must match one."},
	{Name: "excluded_values", Type: AnyType, Listed: true, Edition: Extension,
		Doc: "A list of values, or regular expressions, that the argument must not match."},
	{Name: "min_value", Type: NumberType, Edition: Extension, Doc: "The smallest number allowed."},
	{Name: "max_value", Type: NumberType, Edition: Extension, Doc: "The largest number allowed."},
	{Name: "escape", Type: WordType, Edition: Extension, Values: []Word{
		{Name: "single-quotes", Doc: "`'value'`", Edition: Extension},
		{Name: "double-quotes", Doc: "`\"value\"`", Edition: Extension},
		{Name: "backticks", Doc: "`` `value` ``", Edition: Extension},
		{Name: "square-brackets", Doc: "`[value]`", Edition: Extension},
	}, Doc: "The quotes that a template parameter is put into."},
	{Name: "auth_services", Type: BlockList, Edition: Extension, Fields: []Field{
		{Name: "name", Type: String, Required: true, Ref: RefAuthService, Edition: Extension, Doc: "The auth service that checks the token."},
		{Name: "field", Type: String, Required: true, Edition: Extension, Doc: "The claim of the token that gives the value."},
	}, Doc: "Takes the value from the caller's token, and never from the arguments."},
}

// memberFields are the keys under a field's name in properties and items.
var memberFields = []Field{
	{Name: "type", Type: TypeType, Edition: Later, Doc: "The field's type."},
	{Name: "description", Type: String, Edition: Later, Doc: "What the model reads about the field."},
	{Name: "required", Type: BooleanType, Edition: Later, Doc: "Whether the field must be there."},
}

var sources = []Word{
	{Name: "model", Doc: "The model gives it.", Edition: Later},
	{Name: "system", Doc: "The platform gives it.", Edition: Later},
	{Name: "runtime", Doc: "The running session gives it.", Edition: Later},
	{Name: "config", Doc: "The project's configuration gives it.", Edition: Later},
	{Name: "auth", Doc: "The caller's sign-in gives it.", Edition: Later},
	{Name: "expr", Doc: "The expression in `value` gives it.", Edition: Later},
	{Name: "lookup", Doc: "A look-up table gives it, by `key`.", Edition: Later},
}

// Shown reports whether callers see the parameter and give its value.
func (p Param) Shown() bool {
	unseen := p.Visibility != nil && p.Visibility.Model.Is(false)
	return !p.Hidden && !unseen && !p.FromSignIn()
}

// IsSecret reports whether neither models nor traces show the parameter's value: nothing that is
// shown or stored of a run contains it.
func (p Param) IsSecret() bool {
	v := p.Visibility
	return v != nil && v.Model.Is(false) && v.Trace.Is(false)
}

// FromSignIn reports whether the value comes from the caller's identity, and so never from the
// arguments.
func (p Param) FromSignIn() bool { return p.Source == "auth" || len(p.AuthServices) > 0 }

// FromCaller reports whether the value comes only from the caller.
func (p Param) FromCaller() bool {
	return p.Source == "" || p.Source == "model" || p.Source == "lookup"
}
