package tool

// laterFields are the common properties that the later edition added.
var laterFields = []Field{
	{Name: "auth_profile", Type: String, Edition: Later,
		Doc: "Name of a stored auth profile. It may stand for all of `auth_config`."},
	{Name: "tls_profile", Type: String, Edition: Later,
		Doc: "Name of a stored profile with a client certificate (mTLS)."},
	{Name: "auth_jit", Type: BooleanType, Edition: Later,
		Doc: "Whether credentials are obtained only when the tool is called."},
	{Name: "consent", Type: WordType, Edition: Later, Values: []Word{
		{Name: "preflight", Doc: "Before the conversation needs the tool.", Edition: Later},
		{Name: "inline", Doc: "At the call.", Edition: Later},
	}, Doc: "When the user is asked to connect an account."},
	{Name: "connection", Type: WordType, Edition: Later, Values: []Word{
		{Name: "per_user", Doc: "Each user has a connection.", Edition: Later},
		{Name: "shared", Doc: "One connection serves all.", Edition: Later},
	}, Doc: "Whose connection the tool uses."},
	{Name: "scopes", Type: String, Edition: Later,
		Doc: "What access the `auth_profile` is asked for, separated by spaces or commas."},
	{Name: "effect", Type: WordType, Edition: Later, Values: []Word{
		{Name: "read_only", Doc: "Changes nothing.", Edition: Later},
		{Name: "state_write", Doc: "Changes stored state.", Edition: Later},
		{Name: "side_effect", Doc: "Does something in the world outside.", Edition: Later},
	}, Doc: "What running the tool changes. It replaces what the binding suggests."},
	{Name: "provides", Type: ListType, Edition: Later,
		Doc: "State fields for which this tool has the last word."},
	{Name: "compaction", Type: Block, Edition: Later, Fields: compactionFields,
		Doc: "How a large result is shortened before the model sees it."},
	{Name: "process", Type: Block, Edition: Later, Fields: processFields,
		Doc: "What is computed and checked before and after the call."},
	{Name: "scrub_secrets", Type: BooleanType, Edition: Later,
		Doc: "`false` leaves secret-looking values in the result. Without it they are removed."},
	{Name: "RESULT_SECRETS", Type: Block, Open: true, Edition: Later,
		Doc: "Results that go to the vault and not to the model, one a line: `path -> vault_key (consumers: [tool], ttl: seconds, single_use: true)`. The options may be left out."},
	{Name: "SECRET_ACCESS", Type: Block, Edition: Later, Fields: []Field{
		{Name: "READ", Type: ListType, Edition: Later, Doc: "Vault keys that this tool may use."},
	}, Doc: "Vault keys for `{{_secret.key}}` in `headers` and `body_template`. HTTP tools only."},
	{Name: "model_context", Type: Block, Edition: Later, Fields: modelContextFields,
		Doc: "What the model sees of the result in later turns: `fields` or `template`, exactly one of them. Expressions and templates see the whole result."},
}

var compactionFields = []Field{
	{Name: "essential_fields", Type: ListType, Edition: Later, Doc: "Fields that are always kept, as dotted paths."},
	{Name: "max_description_length", Type: NumberType, Edition: Later, Doc: "Longest text that is kept, in characters."},
	{Name: "summary_timeout_ms", Type: NumberType, Edition: Later, Doc: "Milliseconds that a summary may take."},
	{Name: "max_search_tokens", Type: NumberType, Edition: Later, Doc: "Most tokens that search results may take."},
}

const actionDoc = "`block(\"…\")`, `reask(\"…\")`, `warn(\"…\")`, `use_original` or `fallback(\"…\")`."

var processFields = []Field{
	{Name: "before", Type: Block, Edition: Later, Fields: []Field{
		{Name: "params", Type: MapType, Edition: Later, Doc: "Arguments to set, by expressions. New names are allowed."},
		{Name: "require", Type: ListType, Edition: Later, Doc: "Conditions that must hold for the call to go on."},
		{Name: "on_fail", Type: Expr, Edition: Later, Doc: "What to do where a condition fails: " + actionDoc},
		{Name: "use", Type: String, Edition: Later, Doc: "Name of a stored processor."},
	}, Doc: "Runs before the call."},
	{Name: "after", Type: Block, Edition: Later, Fields: []Field{
		{Name: "result", Type: MapType, Edition: Later, Doc: "Result fields to set, by expressions. New names are allowed."},
		{Name: "on_fail", Type: Expr, Edition: Later, Doc: "What to do where an expression fails: " + actionDoc},
	}, Doc: "Runs after the call."},
}

var modelContextFields = []Field{
	{Name: "fields", Type: ListType, Edition: Later,
		Doc: "Paths into the result, such as `rows[].id`; `[]` steps through an array."},
	{Name: "template", Type: CodeType, Edition: Later, Doc: "Text with `{{result.x}}` in it."},
}
