// Package tool says what a tool is.
//
// It promises plain data: no text positions, no I/O, the standard library
// alone. Whatever a tool was written in (ABL, a Toolbox file, …), it becomes
// one [Tool], and everything that shows, checks or runs tools reads that.
//
// The package also holds the schema table ([Field]): every property that an
// author can write, with type, default, allowed values and documentation.
// Completion, hover, checks, decoding ([Decode]) and the docs read this one
// table. The JSON names of the structs here are the names of its rows; a test
// holds the two together.
//
// A nil pointer or an empty [Number] or [Flag] means "missing", which is
// never the same as zero or false.
package tool

import "encoding/json"

// Tool is one tool, resolved: shared defaults are added to its own properties, aliases and case are
// canonical.
type Tool struct {
	Name        string  `json:"name"`
	Namespace   string  `json:"service,omitempty"` // the service a tool belongs to, else ""
	Version     string  `json:"version,omitempty"`
	Description string  `json:"description,omitempty"`
	Params      []Param `json:"params,omitempty"`
	Returns     *Type   `json:"returns,omitempty"`
	Kind        Kind    `json:"type,omitempty"` // "" where no binding is declared
	Spec        Spec    `json:"spec,omitempty"` // nil exactly when Kind is ""

	Common
	Origin Origin `json:"-"`
}

// Common holds the properties that every kind of tool may have, except for the description and the
// parameters.
type Common struct {
	Hints         Hints          `json:"hints,omitzero"`
	OnResult      *Outcome       `json:"on_result,omitempty"`
	OnError       *Outcome       `json:"on_error,omitempty"`
	Confirmation  *Confirmation  `json:"confirmation,omitempty"`
	PIIAccess     string         `json:"pii_access,omitempty"`
	ContextAccess *ContextAccess `json:"context_access,omitempty"`
	StoreResult   Flag           `json:"store_result,omitempty"`

	// Known since the later edition of the language.
	Effect string `json:"effect,omitempty"` // read_only, state_write, side_effect

	// Known by an extension of this tool set.
	Mutation     Flag            `json:"mutation,omitempty"`
	RiskLevel    string          `json:"risk_level,omitempty"` // safe, confirm, blocked
	Enabled      Flag            `json:"enabled,omitempty"`
	Streaming    Flag            `json:"streaming,omitempty"`
	AuthRequired []string        `json:"auth_required,omitempty"` // auth services; any one will do
	Permissions  Accesses        `json:"permissions,omitempty"`
	ContentType  string          `json:"content_type,omitempty"`
	Verify       *Step           `json:"verify,omitempty"`
	Revert       *Step           `json:"revert,omitempty"`
	InputSchema  json.RawMessage `json:"input_schema,omitempty"`  // JSON Schema, or a string that names its file
	OutputSchema json.RawMessage `json:"output_schema,omitempty"` // likewise

	// Extra keeps the known properties that have no field above, by canonical name, so that no
	// declaration is lost.
	Extra map[string]json.RawMessage `json:"extra,omitempty"`
}

// Spec is the binding of one kind: HTTP, MCP, Sandbox, … It is always a pointer to the struct.
type Spec interface{ Kind() Kind }

// Kind is the word after `type:`. The file of each kind has its name.
type Kind string

// Param is one parameter of a tool's signature, with the keys of its `parameters:` block.
type Param struct {
	Name        string          `json:"name"`
	Type        *Type           `json:"type"`
	Optional    bool            `json:"optional,omitempty"` // by `?`, a default or `required: false`
	Default     json.RawMessage `json:"default,omitempty"`  // JSON; nil where none is declared
	Description string          `json:"description,omitempty"`
	Hidden      bool            `json:"hidden,omitempty"`   // not shown to the model
	Source      string          `json:"source,omitempty"`   // model, system, runtime, config, auth, expr, lookup
	Value       string          `json:"value,omitempty"`    // the source's expression or reference
	Key         string          `json:"key,omitempty"`      // for lookup: what is looked up
	Table       string          `json:"table,omitempty"`    // for lookup: where
	Template    string          `json:"template,omitempty"` // of sipTransferId: the destination is made of it
	Visibility  *Visibility     `json:"visibility,omitempty"`

	// Known by an extension of this tool set.
	AllowedValues  []json.RawMessage `json:"allowed_values,omitempty"`  // each a value, or a regular expression
	ExcludedValues []json.RawMessage `json:"excluded_values,omitempty"` // likewise
	MinValue       Number            `json:"min_value,omitempty"`
	MaxValue       Number            `json:"max_value,omitempty"`
	Escape         string            `json:"escape,omitempty"` // the quotes of a template parameter
	AuthServices   []AuthClaim       `json:"auth_services,omitempty"`
}

// Visibility says who sees a parameter.
type Visibility struct {
	Model Flag `json:"model,omitempty"`
	Trace Flag `json:"trace,omitempty"`
}

// AuthClaim names the claim of an auth service's token that fills a parameter.
type AuthClaim struct {
	Name  string `json:"name"` // of the service
	Field string `json:"field"`
}

// Hints are what the author tells the runtime about a tool; they are never part of a request.
type Hints struct {
	Cacheable    Flag   `json:"cacheable,omitempty"`
	Latency      string `json:"latency,omitempty"` // fast, medium, slow
	SideEffects  Flag   `json:"side_effects,omitempty"`
	RequiresAuth Flag   `json:"requires_auth,omitempty"`
	Timeout      Number `json:"timeout,omitempty"` // milliseconds, bounds the whole call
}

// Outcome is an `on_result` or `on_error` block.
type Outcome struct {
	Set Assignments     `json:"set,omitempty"`
	Do  json.RawMessage `json:"do,omitempty"` // the later edition's list of actions
}

// Assignment gives the session variable Name (dotted) the value of an
// expression over `result` or `error`.
type Assignment struct {
	Name string `json:"name"`
	Expr string `json:"expr"`
}

// Confirmation says when a person is asked before the tool runs.
type Confirmation struct {
	Require         string   `json:"require,omitempty"` // always, never, when_side_effects
	ImmutableParams []string `json:"immutable_params,omitempty"`

	ConsentRequiredIn string   `json:"consent_required_in,omitempty"` // conversation, explicit_prompt
	ConsentScope      []string `json:"consent_scope,omitempty"`
	ConsentAction     string   `json:"consent_action,omitempty"`
	ConsentFallback   string   `json:"consent_fallback,omitempty"` // explicit_prompt, block
}

// ContextAccess names the session variables that a tool reads and writes.
type ContextAccess struct {
	Read  []string `json:"read,omitempty"`
	Write []string `json:"write,omitempty"`
}

// Origin is where a tool was written.
type Origin struct {
	System string // abl, toolbox, corail, service, nao
	File   string // absolute path; relative paths in the tool are relative to its folder
	Line   int    // of the signature, 1-based
	InYAML bool   // of an agent in YAML, which has the keys of that dialect

	Metadata Object // the tool's metadata in a cluster, except for what follows from its name; nil for none
}
