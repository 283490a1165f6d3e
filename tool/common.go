package tool

import "slices"

// CommonFields returns the properties that every kind of tool may have.
func CommonFields() []Field { return commonFields }

var commonFields = slices.Concat(seedFields, laterFields, extensionFields)

// ReturnsField returns the property in which a tool without a signature declares its result.
func ReturnsField() Field { return returnsField }

var returnsField = Field{Name: "returns", Type: AnyType,
	Doc: "What the tool returns: a type as behind the arrow of a signature, or the fields of an object. Without it an object."}

var seedFields = []Field{
	{Name: "description", Type: String,
		Doc: "What the model reads when it picks a tool: say what the tool does, when to call it and what comes back."},
	{Name: "type", Type: WordType, Values: Kinds(),
		Doc: "What runs the tool. Without it the project decides, and the tool is a signature only."},
	{Name: "parameters", Synonyms: []string{"params"}, Type: Block, Open: true, Each: &Field{Type: Block, Fields: paramFields, Lax: true},
		Doc: "More about parameters of the signature: under each name, the fields of an object parameter as `field: type`, or keys that describe the parameter."},
	{Name: "hints", Type: Block, Fields: hintFields,
		Doc: "What the runtime may assume when it schedules, caches and bounds the tool. Hints are never sent."},
	{Name: "on_result", Type: Block, Fields: outcomeFields("result", "result.total"),
		Doc: "What happens after a success. The answer is called `result`."},
	{Name: "on_error", Type: Block, Fields: outcomeFields("error", "error.message"),
		Doc: "What happens after a failure. The failure is called `error`."},
	{Name: "confirmation", Type: Block, Fields: confirmationFields,
		Doc: "Whether the user is asked before the tool runs."},
	{Name: "pii_access", Type: WordType, Values: []Word{
		{Name: "tools", Doc: "Sees personal data in the results of other tools."},
		{Name: "user", Doc: "Sees personal data that the user gave."},
		{Name: "logs", Doc: "Its personal data may be logged."},
		{Name: "llm", Doc: "Its personal data is sent to the model."},
		{Name: "original", Doc: "Sees the values unredacted.", Edition: Later},
	}, Doc: "Which personal data the tool may see or pass on."},
	{Name: "context_access", Type: Block, Fields: []Field{
		{Name: "read", Type: ListType, Ref: RefVariable, Doc: "Session variables that are added to the request, as dotted paths."},
		{Name: "write", Type: ListType, Ref: RefVariable, Doc: "Session variables that the result is written to, as dotted paths."},
	}, Doc: "The session variables that the tool reads and writes."},
	{Name: "store_result", Type: BooleanType, Default: "true",
		Doc: "Whether the raw result stays readable in the session afterwards."},
}

var hintFields = []Field{
	{Name: "cacheable", Type: BooleanType,
		Doc: "`true`: a result may be used again for equal arguments. `false`: never."},
	{Name: "latency", Type: WordType, Values: []Word{
		{Name: "fast", Doc: "Answers at once."},
		{Name: "medium", Doc: "Keeps the user waiting a moment."},
		{Name: "slow", Doc: "Takes noticeably long."},
	}, Doc: "How long an answer usually takes."},
	{Name: "side_effects", Type: BooleanType,
		Doc: "Whether the tool changes something outside. What is said here replaces what the binding suggests."},
	{Name: "requires_auth", Type: BooleanType,
		Doc: "Whether the tool runs only for somebody who is signed in."},
	{Name: "timeout", Type: NumberType,
		Doc: "Milliseconds that the whole call may take, instead of `EXECUTION.tool_timeout`."},
}

// outcomeFields returns the keys of on_result or on_error. name is the variable that their
// expressions read, and sample an example.
func outcomeFields(name, sample string) []Field {
	return []Field{
		{Name: "set", Type: MapType,
			Doc: "Session variables and their new values: expressions over `" + name + "`, such as `" + sample + "`."},
		{Name: "do", Type: AnyType, Edition: Later,
			Doc: "Actions in order (`SET`, `CLEAR`, `LOG`, `RESPOND`, `CALL`, …), with `IF`, `WHEN` and `ELSE`."},
	}
}

var confirmationFields = []Field{
	{Name: "require", Type: WordType, Values: []Word{
		{Name: "always", Doc: "Ask before each call."},
		{Name: "never", Doc: "Do not ask."},
		{Name: "when_side_effects", Doc: "Ask unless the tool changes nothing."},
	}, Doc: "When to ask."},
	{Name: "immutable_params", Type: ListType, Ref: RefParameter,
		Doc: "Parameters whose values must still be those that were confirmed when the tool runs."},
	{Name: "consent_required_in", Type: WordType, Edition: Later, Values: []Word{
		{Name: "conversation", Doc: "An agreement in the conversation is enough.", Edition: Later},
		{Name: "explicit_prompt", Doc: "A question of its own is put.", Edition: Later},
	}, Doc: "Where the user's consent must have been given."},
	{Name: "consent_scope", Type: ListType, Edition: Later, Doc: "What the consent covers."},
	{Name: "consent_action", Type: String, Edition: Later, Doc: "The action that the consent is asked for."},
	{Name: "consent_fallback", Type: WordType, Edition: Later, Values: []Word{
		{Name: "explicit_prompt", Doc: "Put the question.", Edition: Later},
		{Name: "block", Doc: "Do not run.", Edition: Later},
	}, Doc: "What to do where no consent is found."},
}
