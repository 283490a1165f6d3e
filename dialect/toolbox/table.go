package toolbox

import (
	"slices"
	"sync"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/tool"
)

// The kinds of tools and sources that run here. Toolbox has other kinds; only their common keys are
// known.
var (
	statements = []string{
		"sqlite-sql", "postgres-sql", "mysql-sql",
		"cockroachdb-sql", "yugabytedb-sql", "tidb-sql", "singlestore-sql", "mindsdb-sql",
	}
	executes = []string{
		"sqlite-execute-sql", "postgres-execute-sql", "mysql-execute-sql",
		"cockroachdb-execute-sql", "tidb-execute-sql", "singlestore-execute-sql", "mindsdb-execute-sql",
	}
	onHTTP     = []string{"http"}
	inServer   = []string{"postgres", "mysql", "cockroachdb", "yugabytedb", "tidb", "singlestore", "mindsdb"}
	passwords  = []string{"postgres", "mysql", "yugabytedb", "tidb", "singlestore"} // are required
	inSQL      = append([]string{"sqlite"}, inServer...)
	withSource = slices.Concat(statements, executes, catalogKinds(), onHTTP, onRedis)
	withParams = slices.Concat(statements, onHTTP, onRedis)
)

var kindsOfTools = append([]tool.Word{
	{Name: "sqlite-sql", Doc: "A statement on a SQLite database."},
	{Name: "postgres-sql", Doc: "A statement on a PostgreSQL database."},
	{Name: "mysql-sql", Doc: "A statement on a MySQL or MariaDB database."},
	{Name: "sqlite-execute-sql", Doc: "Any statement that the caller writes, on SQLite."},
	{Name: "postgres-execute-sql", Doc: "Any statement that the caller writes, on PostgreSQL."},
	{Name: "mysql-execute-sql", Doc: "Any statement that the caller writes, on MySQL or MariaDB."},
	{Name: "cockroachdb-sql", Doc: "A statement on CockroachDB, by PostgreSQL's protocol."},
	{Name: "cockroachdb-execute-sql", Doc: "Any statement that the caller writes, on CockroachDB."},
	{Name: "yugabytedb-sql", Doc: "A statement on YugabyteDB, by PostgreSQL's protocol."},
	{Name: "tidb-sql", Doc: "A statement on TiDB, by MySQL's protocol."},
	{Name: "tidb-execute-sql", Doc: "Any statement that the caller writes, on TiDB."},
	{Name: "singlestore-sql", Doc: "A statement on SingleStore, by MySQL's protocol."},
	{Name: "singlestore-execute-sql", Doc: "Any statement that the caller writes, on SingleStore."},
	{Name: "mindsdb-sql", Doc: "A statement on MindsDB, by MySQL's protocol."},
	{Name: "mindsdb-execute-sql", Doc: "Any statement that the caller writes, on MindsDB."},
	{Name: "http", Doc: "A request to an HTTP service."},
	{Name: "redis", Doc: "Commands for a Redis server."},
	{Name: "valkey", Doc: "Commands for a Valkey server."},
	{Name: "wait", Doc: "Waits a while."},
}, catalogWords()...)

var sourceKinds = []tool.Word{
	{Name: "sqlite", Doc: "A database in a file."},
	{Name: "postgres", Doc: "A PostgreSQL server."},
	{Name: "mysql", Doc: "A MySQL or MariaDB server."},
	{Name: "http", Doc: "An HTTP service."},
	{Name: "cockroachdb", Doc: "CockroachDB, by PostgreSQL's protocol."},
	{Name: "yugabytedb", Doc: "YugabyteDB, by PostgreSQL's protocol."},
	{Name: "tidb", Doc: "TiDB, by MySQL's protocol."},
	{Name: "singlestore", Doc: "SingleStore, by MySQL's protocol."},
	{Name: "mindsdb", Doc: "MindsDB, by MySQL's protocol."},
	{Name: "redis", Doc: "A Redis server."},
	{Name: "valkey", Doc: "A Valkey server, by Redis' protocol."},
}

var authKinds = []tool.Word{
	{Name: "google", Doc: "Google's identity tokens."},
	{Name: "generic", Doc: "Identity tokens of any OpenID provider."},
}

// typeWords are the types of parameters. The single ones come first.
var typeWords = []tool.Word{
	{Name: "string", Doc: "A text."},
	{Name: "integer", Doc: "A whole number."},
	{Name: "float", Doc: "A number."},
	{Name: "boolean", Doc: "`true` or `false`."},
	{Name: "array", Doc: "A list, of what `items` says."},
	{Name: "map", Doc: "Values by name: of any single type, or of that in `valueType`."},
}

const singleTypes = 4 // of typeWords

var (
	description = tool.Field{Name: "description", Type: tool.String, Required: true, Doc: "What the model reads when it picks a tool."}
	nameRow     = tool.Field{Name: "name", Type: tool.String, Required: true, Doc: "What the parameter is called."}
)

// itemRow is the row of an array's items.
var itemRow = tool.Field{Name: "items", Type: tool.Block, By: "type", With: []string{"array"}, Needs: []string{"array"},
	Doc: "What the array holds: a parameter without `default` and `required`.", Fields: []tool.Field{
		{Name: "name", Type: tool.String, Required: true, Doc: "What one item is called."},
		{Name: "type", Type: tool.WordType, Values: typeWords, Required: true, Doc: "The type of the items."},
		{Name: "description", Type: tool.String, Required: true, Doc: "What the model reads of an item."},
		{Name: "valueType", Type: tool.WordType, Values: typeWords[:singleTypes], With: []string{"map"}, Doc: "The type of the map's values."},
		{Name: "items", Type: tool.Block, With: []string{"array"}, Doc: "What an array in the array holds."},
		{Name: "default", Undocumented: true},
		{Name: "required", Undocumented: true},
	}}

// parameterRows are the keys of a parameter.
var parameterRows = []tool.Field{
	declared(nameRow, tool.RefParameter),
	{Name: "type", Type: tool.WordType, Values: typeWords, Required: true, Doc: "The type of its value."},
	{Name: "description", Type: tool.String, Required: true, Doc: "What the model reads of the parameter."},
	{Name: "default", Type: tool.AnyType, Doc: "The value where a call gives none; the parameter is then not required."},
	{Name: "required", Type: tool.BooleanType, Default: "true", Doc: "Whether a call must give it."},
	itemRow,
	{Name: "valueType", Type: tool.WordType, Values: typeWords[:singleTypes], With: []string{"map"}, Doc: "The type that all of the map's values have; without it, any single one."},
	{Name: "allowedValues", Type: tool.ListType, Doc: "Values, or regular expressions, of which the argument must match one."},
	{Name: "excludedValues", Type: tool.ListType, Doc: "Values, or regular expressions, that the argument must not match."},
	{Name: "minValue", Type: tool.NumberType, Signed: true, With: []string{"integer", "float"}, Doc: "The smallest number allowed."},
	{Name: "maxValue", Type: tool.NumberType, Signed: true, With: []string{"integer", "float"}, Doc: "The largest number allowed."},
	{Name: "escape", Type: tool.WordType, With: []string{"string"}, Values: []tool.Word{
		{Name: "single-quotes", Doc: "`'value'`"},
		{Name: "double-quotes", Doc: "`\"value\"`"},
		{Name: "backticks", Doc: "`` `value` ``"},
		{Name: "square-brackets", Doc: "`[value]`"},
	}, Doc: "The quotes that a template parameter is put into."},
	{Name: "authServices", Type: tool.BlockList, Doc: "Takes the value from the caller's token, and never from the arguments.", Fields: authServiceRows},
	{Name: "valueFromParam", Type: tool.String, Ref: tool.RefParameter, Doc: "Takes the value of another parameter, and is not shown to the model."},
	{Name: "secure", Type: tool.BooleanType, Default: "false", Doc: "Whether the program that calls gives the value, and no model sees it."},
	{Name: "embeddedBy", Type: tool.String, Doc: "The embedding model that turns the text, a `string`, into a vector. Such a tool is not run here."},
	{Name: "authSources", Type: tool.BlockList, Undocumented: true, Doc: "The older name of `authServices`.", Fields: authServiceRows},
}

var authServiceRows = []tool.Field{
	{Name: "name", Type: tool.String, Required: true, Ref: tool.RefAuthService, Doc: "The auth service that checks the token."},
	{Name: "field", Type: tool.String, Required: true, Doc: "The claim of the token that gives the value, such as `sub`."},
}

// declared returns a row whose value is a name that others refer to.
func declared(row tool.Field, ref tool.Ref) tool.Field {
	row.Ref, row.Declares = ref, true
	return row
}

func parameters(name, doc string, with []string) tool.Field {
	return tool.Field{Name: name, Type: tool.BlockList, By: "type", With: with, Fields: parameterRows, Doc: doc}
}

// toolRows are the keys of tools of all kinds.
var toolRows = []tool.Field{
	description,
	{Name: "source", Type: tool.String, Ref: tool.RefSource, With: withSource, Needs: withSource, Doc: "The source that it acts on: one of `sources`."},
	{Name: "statement", Type: tool.CodeType, With: statements, Needs: statements, Doc: "The statement. `$1`, `$2` and so on stand for the parameters in their order, on MySQL and SQLite also `?`; `{{.name}}` for a template parameter."},
	{Name: "method", Type: tool.WordType, With: onHTTP, Needs: onHTTP, Values: methods, Doc: "The method of the request."},
	{Name: "path", Type: tool.String, With: onHTTP, Needs: onHTTP, Doc: "What stands behind the source's `baseUrl`. `{{.name}}` is a parameter."},
	{Name: "headers", Type: tool.MapType, With: onHTTP, Doc: "Headers to send, by name."},
	{Name: "requestBody", Type: tool.CodeType, With: onHTTP, Doc: "The body to send. `{{.name}}` is a parameter, `{{json .name}}` as JSON."},
	{Name: "commands", Type: tool.ListType, With: onRedis, Needs: onRedis, Doc: "The commands, each a list of words. A word such as `$name` is the parameter `name`: of an array, a word for each item."},
	parameters("parameters", "What a call gives, in the order of the statement's `$1`, `$2` and so on.", withParams),
	parameters("templateParameters", "What is pasted into the statement as it is, such as the name of a table. Prefer `parameters`.", statements),
	parameters("pathParams", "What `{{.name}}` in `path` stands for.", onHTTP),
	parameters("queryParams", "What is sent in the query.", onHTTP),
	parameters("bodyParams", "What `{{.name}}` in `requestBody` stands for.", onHTTP),
	parameters("headerParams", "What is sent as headers.", onHTTP),
	{Name: "timeout", Type: tool.String, With: []string{"wait"}, Doc: "How long it may wait at most, such as `30s`."},
	{Name: "authRequired", Type: tool.ListType, Ref: tool.RefAuthService, Doc: "Auth services of which one must vouch for the caller."},
	{Name: "scopesRequired", Type: tool.ListType, Doc: "Scopes that Toolbox demands of a caller's token. They are not looked at here."},
	{Name: "ui", Type: tool.Block, Doc: "The page that an MCP client may show with the tool. Nothing is shown here.", Fields: uiRows},
	{Name: "maxRows", Type: tool.NumberType, Doc: "How many rows Toolbox gives at most. Here `limits` in abl.yaml says so."},
	{Name: "maxResponseBytes", Type: tool.NumberType, Doc: "How much Toolbox gives at most. Here `limits` in abl.yaml says so."},
	{Name: "annotations", Type: tool.Block, Open: true, Doc: "Hints for MCP clients.", Fields: []tool.Field{
		{Name: "readOnlyHint", Type: tool.BooleanType, Doc: "Whether the tool changes nothing."},
		{Name: "destructiveHint", Type: tool.BooleanType, Doc: "Whether what it changes may be lost."},
		{Name: "idempotentHint", Type: tool.BooleanType, Doc: "Whether a second call changes nothing more."},
		{Name: "openWorldHint", Type: tool.BooleanType, Doc: "Whether it reaches out into the world."},
	}},
}

var uiRows = []tool.Field{
	{Name: "resource", Type: tool.String, Required: true, Doc: "The resource that has the page."},
	{Name: "visibility", Type: tool.ListType, Values: []tool.Word{
		{Name: "model", Doc: "The model may call the tool."}, {Name: "app", Doc: "The page may call the tool."},
	}, Doc: "Who may call the tool."},
}

var methods = []tool.Word{
	{Name: "GET", Doc: "Reads."}, {Name: "POST", Doc: "Creates, or asks for something to be done."}, {Name: "PUT", Doc: "Replaces."},
	{Name: "PATCH", Doc: "Changes."}, {Name: "DELETE", Doc: "Removes."},
}

// The databases whose sources have keys that only Toolbox uses.
var (
	onCockroach = []string{"cockroachdb"}
	onYugabyte  = []string{"yugabytedb"}
)

var sourceRows = append([]tool.Field{
	{Name: "database", Type: tool.String, With: slices.Concat(inSQL, onRedis), Needs: inSQL, Doc: "The database's name; of `sqlite` the path of its file, of `redis` and `valkey` its number."},
	{Name: "host", Type: tool.String, With: inServer, Needs: inServer, Doc: "Where the server is."},
	{Name: "port", Type: tool.AnyType, With: inServer, Needs: inServer, Doc: "Its port."},
	{Name: "user", Type: tool.String, With: inServer, Needs: inServer, Doc: "Who connects."},
	{Name: "password", Type: tool.String, With: slices.Concat(inServer, onRedis), Needs: passwords, Doc: "The password, best as `${NAME}`, which is the secret `NAME`."},
	{Name: "queryParams", Type: tool.MapType, With: []string{"postgres", "mysql", "cockroachdb", "http"}, Doc: "Further parameters, by name."},
	{Name: "queryExecMode", Type: tool.String, With: []string{"postgres"}, Doc: "How statements are executed."},
	{Name: "queryTimeout", Type: tool.String, With: []string{"mysql", "singlestore", "mindsdb"}, Doc: "How long a statement may take, such as `30s`."},
	{Name: "baseUrl", Type: tool.String, With: onHTTP, Needs: onHTTP, Doc: "What stands before the `path` of a tool."},
	{Name: "headers", Type: tool.MapType, With: onHTTP, Doc: "Headers to send, by name."},
	{Name: "timeout", Type: tool.String, With: onHTTP, Doc: "How long a request may take, such as `30s`."},
	{Name: "returnFullError", Type: tool.BooleanType, With: onHTTP, Default: "false", Doc: "Whether Toolbox shows the answer to a refused request. Here the beginning of it is part of the error."},
	{Name: "allowPrivateNetworks", Type: tool.BooleanType, With: onHTTP, Doc: "Toolbox may reach private networks; here only the person who runs a tool can allow that (`--allow-host`)."},
	{Name: "allowedIpRanges", Type: tool.ListType, With: onHTTP, Doc: "Addresses that Toolbox may reach; here only the person who runs a tool can allow any (`--allow-host`)."},
	{Name: "customBlockedIpRanges", Type: tool.ListType, With: onHTTP, Doc: "Further addresses that Toolbox must not reach. They are not looked at here."},
	{Name: "maxRetries", Type: tool.NumberType, With: onCockroach, Doc: "How often Toolbox repeats a transaction. Nothing is repeated here."},
	{Name: "retryBaseDelay", Type: tool.String, With: onCockroach, Doc: "How long Toolbox waits before it repeats a transaction."},
	{Name: "readOnlyMode", Type: tool.BooleanType, With: onCockroach, Doc: "Whether Toolbox refuses to write. Here the statement decides, and the person confirms."},
	{Name: "enableWriteMode", Type: tool.BooleanType, With: onCockroach, Doc: "Whether Toolbox writes. Here the statement decides, and the person confirms."},
	{Name: "maxRowLimit", Type: tool.NumberType, With: onCockroach, Doc: "How many rows Toolbox gives at most. Here `limits` in abl.yaml says so."},
	{Name: "queryTimeoutSec", Type: tool.NumberType, With: onCockroach, Doc: "How long Toolbox lets a statement take. Here the tool's `timeout` says so."},
	{Name: "enableTelemetry", Type: tool.BooleanType, With: onCockroach, Doc: "Whether Toolbox writes what it does into its log."},
	{Name: "telemetryVerbose", Type: tool.BooleanType, With: onCockroach, Doc: "Whether that has the statements."},
	{Name: "clusterID", Type: tool.String, With: onCockroach, Doc: "What Toolbox's log calls the cluster."},
	{Name: "loadBalance", Type: tool.AnyType, With: onYugabyte, Doc: "Whether Toolbox spreads its connections. Here the one host is used."},
	{Name: "topologyKeys", Type: tool.String, With: onYugabyte, Doc: "Where Toolbox prefers to connect."},
	{Name: "ybServersRefreshInterval", Type: tool.AnyType, With: onYugabyte, Doc: "How often Toolbox asks for the servers."},
	{Name: "fallbackToTopologyKeysOnly", Type: tool.AnyType, With: onYugabyte, Doc: "Whether Toolbox connects nowhere else."},
	{Name: "failedHostReconnectDelaySecs", Type: tool.AnyType, With: onYugabyte, Doc: "When Toolbox tries a failed server again."},
	{Name: "ssl", Type: tool.BooleanType, With: []string{"tidb"}, Doc: "Whether Toolbox encrypts. Here another machine is always reached by TLS."},
	{Name: "disableSslVerification", Type: tool.BooleanType, With: onHTTP, Doc: "Toolbox may take any certificate; here none but a good one is taken."},
}, redisSourceRows...)

var authRows = []tool.Field{
	{Name: "clientId", Type: tool.String, With: []string{"google"}, Needs: []string{"google"}, Doc: "The client that the tokens must be for."},
	{Name: "audience", Type: tool.String, Needs: []string{"generic"}, Doc: "Whom the tokens must be for."},
	{Name: "authorizationServer", Type: tool.String, With: []string{"generic"}, Needs: []string{"generic"}, Doc: "The URL below which the provider's configuration is."},
	{Name: "scopesRequired", Type: tool.ListType, Doc: "What the token must be for."},
	{Name: "mcpEnabled", Type: tool.BooleanType, Doc: "Whether Toolbox asks MCP clients for such a token."},
	{Name: "introspectionEndpoint", Type: tool.String, With: []string{"generic"}, Doc: "Where Toolbox asks what a token of an MCP client is for."},
	{Name: "introspectionMethod", Type: tool.String, With: []string{"generic"}, Doc: "The method of that request."},
	{Name: "introspectionParamName", Type: tool.String, With: []string{"generic"}, Doc: "The parameter of that request that has the token."},
	{Name: "forceIntrospection", Type: tool.BooleanType, With: []string{"generic"}, Doc: "Whether Toolbox asks so about each token."},
}

// sectionSchema is the schema of the entries of one section, in both forms of the file.
type sectionSchema struct {
	section, flat, noun string
	kinds               []tool.Word
	rows                []tool.Field
	ref                 tool.Ref
	doc, entryDoc       string
}

var sectionSchemas = []sectionSchema{
	{"sources", "sources", "source", sourceKinds, sourceRows, tool.RefSource, "Databases, other servers and HTTP services, by name.", "How to reach a source."},
	{"authServices", "authServices", "auth service", authKinds, authRows, tool.RefAuthService, "Services that say who somebody is, by name.", "A service that says who somebody is."},
	{"tools", "tools", "tool", kindsOfTools, toolRows, tool.RefForeignTool, "Tools, by name.", "An action that an agent can take."},
}

func schemaOf(section string) sectionSchema {
	return sectionSchemas[slices.IndexFunc(sectionSchemas, func(s sectionSchema) bool { return s.section == section })]
}

var toolsetTools = tool.Field{Name: "tools", Type: tool.ListType, Ref: tool.RefForeignTool, Required: true, Doc: "The tools of the set."}

// kindRow returns the row of an entry's kind. name is its key.
func (t sectionSchema) kindRow(name string) tool.Field {
	return tool.Field{Name: name, Type: tool.WordType, Required: true, Values: t.kinds, Doc: "Which kind of " + t.noun + " it is."}
}

// mapRow returns the row of the older form: a map of all entries of a section.
func (t sectionSchema) mapRow() tool.Field {
	one := &tool.Field{Name: t.noun, Type: tool.Block, By: "kind", Ref: t.ref, Declares: true, Doc: t.entryDoc}
	one.Fields = append([]tool.Field{t.kindRow("kind")}, t.rows...)
	return tool.Field{Name: t.section, Type: tool.Block, Open: true, Each: one, Doc: t.doc}
}

// flatRow returns the row of the newer form: a document for each entry.
func (t sectionSchema) flatRow() *tool.Field {
	name := tool.Field{Name: "name", Type: tool.String, Required: true, Ref: t.ref, Declares: true, Doc: "What it is called."}
	return &tool.Field{Name: t.noun, Type: tool.Block, By: "type", Doc: t.entryDoc,
		Fields: append([]tool.Field{flatKind, name, t.kindRow("type")}, t.rows...)}
}

var flatKind = tool.Field{Name: "kind", Type: tool.WordType, Required: true, Doc: "What the document declares.", Values: []tool.Word{
	{Name: "sources", Doc: "A database, another server or an HTTP service."},
	{Name: "authServices", Doc: "A service that says who somebody is."},
	{Name: "tools", Doc: "A tool."},
	{Name: "toolsets", Doc: "A set of tools."},
	{Name: "prompts", Doc: "A text for a model, with arguments."},
	{Name: "embeddingModels", Doc: "A model that turns texts into vectors."},
	{Name: "group", Doc: "Tools, prompts and resources under one name."},
	{Name: "resource", Doc: "A text or file for MCP clients."},
	{Name: "resourceTemplate", Doc: "Texts or files for MCP clients, by a pattern."},
}}

var flatName = tool.Field{Name: "name", Type: tool.String, Required: true, Doc: "What it is called."}

// The schemas of documents: of the older form, and of each entry of the newer one. They are made on
// first use.
var (
	mapsRow  = sync.OnceValue(rootRow)
	flatRows = sync.OnceValue(entryRows)
	halfRow  = &tool.Field{Name: "document", Type: tool.Block, Open: true, Fields: []tool.Field{flatKind}, Doc: "What one thing is."}
)

func entryRows() map[string]*tool.Field {
	return map[string]*tool.Field{
		"sources": sectionSchemas[0].flatRow(), "authServices": sectionSchemas[1].flatRow(), "tools": sectionSchemas[2].flatRow(),
		"toolsets": {Name: "toolset", Type: tool.Block, Doc: "A set of tools.", Fields: []tool.Field{
			flatKind, flatName, toolsetTools,
		}},
		"prompts": {Name: "prompt", Type: tool.Block, Doc: promptRow.Doc, Fields: append([]tool.Field{flatKind, flatName}, promptRow.Fields...)},
	}
}

func rootRow() *tool.Field {
	row := tool.Field{Name: "tools.yaml", Type: tool.Block, Doc: "Tools for agents, as MCP Toolbox has them."}
	for _, t := range sectionSchemas {
		row.Fields = append(row.Fields, t.mapRow())
	}
	set := &tool.Field{Name: "toolset", Type: tool.ListType, Ref: tool.RefForeignTool, Doc: "The tools of the set."}
	row.Fields = append(row.Fields, tool.Field{Name: "toolsets", Type: tool.Block, Open: true, Each: set, Doc: "Sets of tools, by name."})
	row.Fields = append(row.Fields,
		tool.Field{Name: "prompts", Type: tool.Block, Open: true, Each: &promptRow, Doc: "Texts for a model, by name."},
		tool.Field{Name: "embeddingModels", Type: tool.Block, Open: true, Doc: "Models that turn texts into vectors, by name."})
	return &row
}

// rowOf returns the schema of a document.
func rowOf(root foreign.Node) *tool.Field {
	switch {
	case isFlat(root):
		return flatRows()[sections[root.Get("kind").Text]]
	case isHalfFlat(root):
		return halfRow
	}
	return mapsRow()
}
