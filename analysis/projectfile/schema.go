package projectfile

import (
	"slices"
	"strings"
	"sync"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// ProjectField returns the schema field for the whole of an abl.yaml. Fields are shared: do not
// change them.
func ProjectField() *tool.Field { return projectField() }

// CasesField returns the schema field for a file of saved cases.
func CasesField() *tool.Field { return &casesField }

// ArgumentsField returns the schema field of the arguments of a call.
func ArgumentsField() *tool.Field { return &argumentsField }

// FieldAt returns the schema field at path below field; nil if anything may be there, or nothing is
// known. All keys of a map whose keys are the author's have one field.
func FieldAt(field *tool.Field, path []yaml.PathElement) *tool.Field {
	for _, step := range path {
		if field == nil {
			return nil
		}
		if step.Index < 0 {
			field = KeyField(field, step.Key)
		} else {
			field = ItemField(field)
		}
	}
	return field
}

// KeyField returns the schema field of key in a map whose field is field. It is nil if the map has
// no such key, or if anything may be there.
func KeyField(field *tool.Field, key string) *tool.Field {
	switch field.Type {
	case tool.MapType:
		return field.Each
	case tool.Block, tool.AnyType:
	default:
		return nil
	}
	if own := OwnField(field, key); own != nil {
		return own
	}
	return field.Each
}

// OwnField returns the field of key among those that a map lists, nil if it lists no such key.
func OwnField(in *tool.Field, key string) *tool.Field {
	for i := range in.Fields {
		f := &in.Fields[i] // a field is too large to be copied for each key
		if f.Name == key || in.AnyCase && strings.EqualFold(f.Name, key) || slices.Contains(f.Synonyms, key) {
			return f
		}
	}
	return nil
}

// ItemField returns the schema field of the items of a list, nil if they may be anything.
func ItemField(field *tool.Field) *tool.Field {
	switch item := (tool.Field{Name: field.Name, Doc: field.Doc, Twin: field.Twin}); {
	case field.Type == tool.BlockList:
		item.Type, item.Fields, item.Open, item.By = tool.Block, field.Fields, field.Open, field.By
		item.OneLine, item.Values, item.AnyCase = field.Named, field.Values, field.AnyCase
		return &item
	case field.Type == tool.Block && field.Items != nil: // instead of the map
		item.Type, item.Fields = tool.Block, field.Items
		return &item
	case field.Type == tool.ListType:
		item.Type, item.Values, item.Ref = tool.String, field.Values, field.Ref
		return &item
	}
	return nil
}

// HasShape reports whether a value has the shape of its field: a single value, a list or a map.
func HasShape(field *tool.Field, n *yaml.Node) bool {
	switch field.Type {
	case tool.Block:
		return n.Kind == yaml.Map || field.OneLine && n.IsScalar() || field.Items != nil && n.Kind == yaml.List
	case tool.MapType:
		return n.Kind == yaml.Map || field.OneLine && n.Kind == yaml.String
	case tool.ListType, tool.BlockList:
		return n.Kind == yaml.List || field.OneLine && n.IsScalar()
	case tool.AnyType:
		return true
	}
	return n.IsScalar() && (!field.OnlyText || n.Kind == yaml.String)
}

// KindOf returns the word in the map n that decides its kind, such as the value of `kind`; "" if
// the maps of field have no kinds, or n does not say its own.
func KindOf(field *tool.Field, n *yaml.Node) string {
	if field.By == "" {
		return ""
	}
	return n.Get(field.By).StringValue()
}

// FieldsOf returns the fields of the keys that the map n may have: those that maps of its kind use,
// required as that kind requires them; all keys of field if its kind is unknown.
func FieldsOf(field *tool.Field, n *yaml.Node) []tool.Field {
	kind, known := KnownKind(field, n)
	if !known {
		return field.Fields
	}
	fields := slices.DeleteFunc(slices.Clone(field.Fields), func(f tool.Field) bool { return !f.IsUsedBy(kind) })
	for i := range fields {
		fields[i].Required = fields[i].IsNeededBy(kind)
	}
	return fields
}

// KnownKind returns the word in the map n that decides its kind. known is false if there is none,
// or if the schema does not have that word.
func KnownKind(field *tool.Field, n *yaml.Node) (kind string, known bool) {
	kind = KindOf(field, n)
	by, _ := tool.Find(field.Fields, field.By)
	return kind, by != nil && slices.ContainsFunc(by.Values, func(w tool.Word) bool { return w.Name == kind })
}

// namedBlocks returns a map whose keys are the author's, and have blocks.
func namedBlocks(name, doc string, one tool.Field) tool.Field {
	one.Type = tool.Block
	return tool.Field{Name: name, Type: tool.Block, Open: true, Each: &one, Doc: doc}
}

var projectField = sync.OnceValue(func() *tool.Field {
	keys := slices.Concat(baseFields, tableFields, ruleFields)
	inside := slices.Concat(keys, environmentFields)
	keys = append(keys,
		namedBlocks(Environments, "Environments by name. What one says is laid over the top level of this file, key by key.",
			tool.Field{Name: "environment", Fields: inside, Doc: "What holds in this environment: any key of this file, and those of its own."}),
		tool.Field{Name: "default_environment", Type: tool.String, Ref: tool.RefEnvironment, Doc: "The environment that counts where nobody names one."},
	)
	for _, f := range environmentFields {
		f.Undocumented = true // at the top level
		keys = append(keys, f)
	}
	return &tool.Field{Name: FileName, Type: tool.Block, Fields: keys,
		Doc: "What the tools of a project share, and what holds for their runs."}
})

var baseFields = []tool.Field{
	{Name: "base_url", Type: tool.String, Pattern: absoluteURL, Form: addressForm, Doc: "What stands before an `endpoint` that is a path, in files without a `base_url` of their own."},
	{Name: "callback_base_url", Type: tool.String, Doc: "The URL, of a tunnel say, under which others reach this machine's callback listener. Without it, callbacks of `type: async_webhook` come from this machine alone."},
	{Name: "callback_port", Type: tool.NumberType, Integer: true, Range: &tool.Range{Min: 1, Max: 65535}, Doc: "The port of this machine at which callbacks are listened for: the one that a tunnel forwards to. Without it, each run takes a free one."},
}

// environmentFields are the keys that only environments have.
var environmentFields = []tool.Field{
	{Name: "variables", Type: tool.MapType, Doc: "What `{{env.NAME}}` and `{{config.NAME}}` stand for, by name."},
	{Name: "protected", Type: tool.BooleanType, Default: "false", Doc: "Whether every call that may change something must be confirmed, also that of a tool with `require: never`. Left empty it is `true`."},
}

var headersField = tool.Field{Name: "headers", Type: tool.MapType, Doc: "Headers to send, by name. Secrets stand there as `{{secrets.NAME}}`."}

// ruleFields say what a run may do and what it may not.
var ruleFields = []tool.Field{
	namedBlocks("credentials", "What says who calls: by the name of a tool, HOST:PORT, HOST or *.DOMAIN, in this order. A tool's own `auth_config` comes first.",
		tool.Field{Name: "credential", Doc: "What says who calls.", Fields: []tool.Field{
			{Name: "bearer", Type: tool.String, Doc: "The token for `Authorization: Bearer`, best as `{{secrets.NAME}}`."},
			{Name: "api_key", Type: tool.String, Doc: "The key of the API, best as `{{secrets.NAME}}`."},
			{Name: "client_id", Type: tool.String, Doc: "The client that OAuth knows."},
			{Name: "client_secret", Type: tool.String, Doc: "The client's secret, best as `{{secrets.NAME}}`."},
			headersField,
		}}),
	{Name: "search", Type: tool.Block, Doc: "Where the builtin `web_search` looks; else the variables `CORAIL_SEARCH_BACKEND` and `CORAIL_SEARXNG_URL` say so.", Fields: []tool.Field{
		{Name: "backend", Type: tool.WordType, Default: "ddgs", Doc: "The search engine.", Values: []tool.Word{
			{Name: "ddgs", Doc: "DuckDuckGo, by its page for browsers without JavaScript."},
			{Name: "duckduckgo", Doc: "The same."},
			{Name: "searxng", Doc: "An instance of SearXNG, which answers at `url`."},
		}},
		{Name: "url", Type: tool.String, Doc: "Where the instance of SearXNG answers."},
	}},
	{Name: "sandbox", Type: tool.Block, Doc: "What the code of tools runs in.", Fields: []tool.Field{
		{Name: "engine", Type: tool.WordType, Default: "wasm", Doc: "The kind of sandbox.", Values: []tool.Word{
			{Name: "wasm", Doc: "WebAssembly, on every platform."},
			{Name: "bubblewrap", Doc: "Namespaces and seccomp, on Linux."},
			{Name: "gvisor", Doc: "A kernel of its own, on Linux."},
		}},
	}},
	{Name: "secrets", Type: tool.Block, Doc: "Where `{{secrets.NAME}}` comes from.", Fields: []tool.Field{
		{Name: "providers", Type: tool.ListType, Default: "env, dotenv, keychain", Doc: "The places that are asked, in order.", Values: []tool.Word{
			{Name: "env", Doc: "Variables of the process."},
			{Name: "dotenv", Doc: "The `.env` beside this file."},
			{Name: "keychain", Doc: "The keychain of the system; passed over where there is none."},
			{Name: "command", Doc: "What `command` prints."},
		}},
		{Name: "command", Type: tool.ListType, Doc: "The program and its arguments that print a secret. The secret's name is appended."},
	}},
	{Name: "scopes", Type: tool.Block, Open: true, Doc: "What a caller of `abl-lsp mcp --http` needs besides being known, by the names of tools. Tools that are not named here need nothing more.",
		Each: &tool.Field{Name: "scopes of a tool", Type: tool.ListType, Doc: "The scopes that a caller's access token must have, all of them."}},
	{Name: "permissions", Type: tool.Block, Doc: "Accesses that are allowed without a question, and those that are denied whoever asks.", Fields: []tool.Field{
		{Name: "allow", Type: tool.BlockList, Fields: accessFields, Doc: "Accesses that need no question."},
		{Name: "deny", Type: tool.BlockList, Fields: accessFields, Doc: "Accesses that are refused. They come before those that are allowed."},
	}},
	{Name: "limits", Type: tool.Block, Doc: "What a call may bring at most.", Fields: []tool.Field{
		{Name: "response_bytes", Type: tool.String, Default: "10MB", Pattern: byteSize, Form: "a size such as 10MB", Doc: "The size of an answer, or of what is printed."},
		{Name: "rows", Type: tool.NumberType, Integer: true, Range: &tool.Range{Min: 1, Max: 1 << 31}, Default: "1000", Doc: "The rows of a database's answer."},
	}},
}

// absoluteURL matches a URL before which nothing more is put, and an empty text. Runs refuse a user
// name in one.
var absoluteURL = lazyregexp.New(`^\s*([hH][tT][tT][pP][sS]?://[^/?#\s@]+([/?#\s]|$)|$)`)

const addressForm = "a URL that begins with https:// or http:// and a host, without a user name"

// byteSize matches a number of bytes.
var byteSize = lazyregexp.New(`^[0-9]+(\.[0-9]+)? *([kKmMgG]?[bB])?$`)

// scriptFile matches the name of a file that Node runs.
var scriptFile = lazyregexp.New(`\.([cm]?[jt]s|tsx)$`)

var accessFields = []tool.Field{
	{Name: "kind", Type: tool.String, Doc: "What is reached, such as `web`, `file` or `secret`."},
	{Name: "op", Type: tool.String, Doc: "What is done there, such as `get`; `*` for anything."},
	{Name: "resource", Type: tool.String, Doc: "Which one: a host, with its port or without, under `deny` also a URL without its query; a path; `*` stands for any text."},
}
