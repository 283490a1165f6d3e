// Package toolbox reads and writes the tools.yaml of MCP Toolbox: the older form, which has a map
// for each section, and the newer form, which has a document for each entry.
package toolbox

import (
	"slices"
	"strings"
	"sync"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// sections maps the words for sections, in both forms, to the older form's.
var sections = map[string]string{
	"tools": "tools", "tool": "tools",
	"sources": "sources", "source": "sources",
	"authServices": "authServices", "authService": "authServices", "authSources": "authServices",
	"toolsets": "toolsets", "toolset": "toolsets",
	"prompts": "prompts", "prompt": "prompts",
	"embeddingModels": "embeddingModels", "embeddingModel": "embeddingModels",
	"groups": "groups", "group": "groups",
	"resources": "resources", "resource": "resources",
	"resourceTemplates": "resourceTemplates", "resourceTemplate": "resourceTemplates",
}

// identifyingSections are the sections that identify a file: other systems have words such as
// `resource` as well.
var identifyingSections = []string{"tools", "sources", "authServices", "toolsets"}

// Matches reports whether YAML documents are Toolbox's.
func Matches(roots []foreign.Node) bool { return slices.ContainsFunc(roots, isEntryDocument) }

func isEntryDocument(root foreign.Node) bool {
	if isFlat(root) && slices.Contains(identifyingSections, sections[root.Get("kind").Text]) {
		return true
	}
	for _, name := range identifyingSections {
		if kind := root.Get(name).Kind; kind == foreign.Map || root.Has(name) && kind <= foreign.Null {
			return true
		}
	}
	return isListed(root.Get("tools")) || isPrompt(root)
}

// isPrompt reports whether a document declares a prompt with messages, or a map of prompts. The
// word alone is used by many systems.
func isPrompt(root foreign.Node) bool {
	hasMessages := func(n foreign.Node) bool { return n.Expand().Get("messages").Kind == foreign.List }
	if isFlat(root) {
		return sections[root.Get("kind").Text] == "prompts" && root.Has("name") && hasMessages(root)
	}
	return slices.ContainsFunc(root.Get("prompts").Members, func(m foreign.Member) bool { return hasMessages(m.Value) })
}

// isListed reports whether a list, where a map is expected, contains a tool that only Toolbox has.
func isListed(list foreign.Node) bool {
	return list.Kind == foreign.List && slices.ContainsFunc(list.Expand().Items, func(item foreign.Node) bool {
		isSQL := func(key string) bool { return slices.Contains(slices.Concat(statements, executes), item.Get(key).Text) }
		return item.Get("source").IsSet() && (isSQL("kind") || isSQL("type"))
	})
}

func isFlat(root foreign.Node) bool {
	_, ok := sections[root.Get("kind").Text]
	return ok && !root.Has("apiVersion")
}

// isHalfFlat reports whether a document of the newer form does not say what it declares.
func isHalfFlat(root foreign.Node) bool {
	return root.Has("kind") && !isFlat(root) && !root.Has("apiVersion") && !isEntryDocument(root)
}

// entry is a declaration of a file.
type entry struct {
	section  string
	name     string
	at       text.Span // of the name
	span     text.Span
	body     foreign.Node
	document int
	flat     bool           // it is a document of its own
	kind     foreign.Member // the word that says which sort of its section it is
}

// Read reads the documents of a file, given as outlines. before is the result for the previous
// version of the file, or nil; Read reuses the parts that have not changed.
func Read(roots []foreign.Node, before *foreign.File) foreign.File {
	f := foreign.File{System: "toolbox"}
	var all []entry
	for i, root := range roots {
		f.Rows = append(f.Rows, rowOf(root))
		for _, e := range entries(&f, root) {
			e.document = i
			all = append(all, e)
		}
	}
	reportDuplicates(&f, all)
	for _, e := range all {
		if read := readers[e.section]; read != nil {
			f.Entry(before, e.body, e.section, func(f *foreign.File) { read(f, e.resolved()) })
		}
	}
	for _, e := range all {
		switch e.section {
		case "toolsets":
			readToolset(&f, e.resolved(), "toolset")
		case "groups":
			readToolset(&f, e.resolved(), "group")
		}
	}
	return f
}

// reportDuplicates reports entries that another document has declared. Duplicate tools are reported
// when they are added, and duplicate keys of one map by the reader of YAML.
func reportDuplicates(f *foreign.File, all []entry) {
	type named struct{ section, name string }
	document := map[named]int{}
	for _, e := range all {
		one, again := sectionNouns[e.section]
		if in, seen := document[named{e.section, e.name}]; again && seen && in != e.document && e.name != "" {
			f.Report(foreign.Warning, "duplicate-property", e.at, "The %s `%s` is declared twice; the last one counts.", one, e.name)
		}
		document[named{e.section, e.name}] = e.document
	}
}

// sectionNouns name one entry of a section.
var sectionNouns = map[string]string{"sources": "source", "authServices": "auth service", "toolsets": "toolset", "prompts": "prompt"}

// readers read an entry of a section. Sections that are read as a whole have none.
var readers = map[string]func(*foreign.File, entry){
	"tools":        addTool,
	"sources":      addProjectEntry,
	"authServices": addProjectEntry,
	"prompts":      readPrompt,

	"embeddingModels":   loseEntry("embedding model"),
	"resources":         loseEntry("resource"),
	"resourceTemplates": loseEntry("resource template"),
}

// loseEntry returns a reader that records an entry as lost.
func loseEntry(what string) func(*foreign.File, entry) {
	return func(f *foreign.File, e entry) {
		f.Lost = append(f.Lost, foreign.Name{Text: "The " + what + " " + e.name, Span: e.at})
	}
}

// resolved returns the entry with its complete body.
func (e entry) resolved() entry {
	e.body = e.body.Expand()
	word := e.kindKey()
	if !e.body.Get(word).IsSet() {
		word = "type"
	}
	e.kind, _ = e.body.Member(word)
	return e
}

// kindKey returns the key of an entry's kind. A document of its own uses `kind` for its section.
func (e entry) kindKey() string {
	if e.flat {
		return "type"
	}
	return "kind"
}

func entries(f *foreign.File, root foreign.Node) []entry {
	if isFlat(root) {
		return []entry{flat(f, root)}
	}
	if kind := root.Get("kind"); isHalfFlat(root) {
		if words := tool.WordNames(flatKind.Values); kind.IsSet() {
			f.ReportWord("kind", kind, words)
		} else {
			f.Report(foreign.Error, "invalid-value", kind.Span, "`kind` wants one of %s here.", strings.Join(words, ", "))
			f.SuggestKnown(kind.Text, words)
		}
		return nil
	}
	var out []entry
	for _, m := range root.Members {
		section, known := sections[m.Key]
		if !known || strings.TrimSuffix(m.Key, "s") == m.Key {
			f.Report(foreign.Warning, "unknown-property", m.KeySpan, "A Toolbox file has no `%s`; it has sources, authServices, tools, toolsets and prompts.", m.Key)
			f.SuggestKnown(m.Key, foreign.Keys(mapsRow().Fields, ""))
			continue
		}
		if last, _ := root.Member(m.Key); last.KeySpan != m.KeySpan {
			continue
		}
		if m.Value.IsSet() && m.Value.Kind != foreign.Map {
			f.Report(foreign.Error, "invalid-value", m.Value.Span, "`%s` wants a map: each entry stands below its name.", m.Key)
			f.Sure = f.Sure || isListed(m.Value)
		}
		for _, one := range m.Value.Members {
			out = append(out, entry{section: section, name: one.Key, at: one.KeySpan, span: one.Span(), body: one.Value})
		}
	}
	return out
}

func flat(f *foreign.File, root foreign.Node) entry {
	kind, _ := root.Member("kind")
	name := root.Get("name")
	e := entry{section: sections[kind.Value.Text], name: name.Text, at: name.Span, span: root.Span, body: root, flat: true}
	if !name.IsSingle() {
		e.at = kind.KeySpan
		if e.section == "groups" { // the one of all tools has no name
			return e
		}
		f.Report(foreign.Error, "missing-property", e.at, "`name` is missing.")
	}
	return e
}

// addTool adds a tool, if it can be named.
func addTool(f *foreign.File, e entry) {
	if t := readTool(f, e); e.name != "" {
		f.AddTool(t)
	}
}

// readToolset reads a toolset or group, which ABL does not have, and checks that its tools and
// prompts exist.
func readToolset(f *foreign.File, e entry, what string) {
	f.Lost = append(f.Lost, foreign.Name{Text: "The " + what + " " + e.name, Span: e.at})
	list := e.body
	if tools, has := list.Member("tools"); has || e.flat || what == "group" {
		list = tools.Value
	}
	switch {
	case !list.IsSet() && e.flat && what == "toolset":
		f.Report(foreign.Warning, "missing-property", e.at, "`tools` is missing in the toolset `%s`: the list of its tools.", e.name)
	case list.IsSet() && list.Kind != foreign.List:
		f.Report(foreign.Error, "invalid-value", list.Span, "The %s `%s` wants a list of tools: `[one, another]`.", what, e.name)
	}
	set := foreign.Toolset{Name: foreign.Name{Text: e.name, Span: e.at}}
	set.Tools = readNames(f, list, "tool", "undefined-tool", f.HasTool, f.ToolNames)
	if what == "group" {
		set.Prompts = readNames(f, e.body.Get("prompts"), "prompt", "invalid-value", f.HasPrompt, f.PromptNames)
	}
	if e.name != "" {
		f.AddToolset(set)
	}
}

// readNames returns the names in a list. It reports those that the file does not declare, with a
// code; what says of what they are the names.
func readNames(f *foreign.File, list foreign.Node, what, code string, exists func(string) bool, all func() []string) (names []string) {
	known := sync.OnceValue(all)
	for _, item := range list.Items {
		switch {
		case !item.IsSingle():
			f.Report(foreign.Error, "invalid-value", item.Span, "The name of a %s is wanted here.", what)
			continue
		case !exists(item.Text):
			f.Report(foreign.Warning, code, item.Span, "This file has no %s `%s`.", what, item.Text)
			f.SuggestKnown(item.Text, known())
		}
		names = append(names, item.Text)
	}
	return names
}

// projectNames maps sections to the tables of abl.yaml.
var projectNames = map[string]string{"sources": "sources", "authServices": "auth_services"}

// addProjectEntry adds a source or an auth service to its table.
func addProjectEntry(f *foreign.File, e entry) {
	if !e.kind.Value.IsSet() {
		f.Report(foreign.Error, "missing-property", e.at, "`%s` is missing in `%s`.", e.kindKey(), e.name)
	}
	reportUnknownKeys(f, e)
	if missing := missingKeys(e.section, e.kind.Value.Text, e.body.Has); e.name != "" && missing != "" {
		f.Report(foreign.Warning, "missing-property", e.at, "`%s` has no %s, which Toolbox demands.", e.name, missing)
	}
	reportUnreachable(f, e)
	if e.section == "sources" {
		checkSettings(f, e)
	}
	table := projectNames[e.section]
	value := tool.Object{{Name: "kind", Value: projectWord(table, e.kind.Value.Text)}}
	for _, m := range e.body.Members {
		if slices.Contains(onlyToolbox, m.Key) {
			f.Lost = append(f.Lost, foreign.Name{Text: e.name + "." + m.Key, Span: m.KeySpan})
			continue
		}
		if m.KeySpan != e.kind.KeySpan && m.Key != "kind" && m.Key != "name" {
			value = append(value, projectSetting(table, e.kind.Value.Text, m)...)
			f.Lost = append(f.Lost, lostDefaults(e.name+"."+m.Key, m.Value)...)
		}
	}
	if e.name != "" {
		f.AddEntry(table, e.name, value)
	}
}

// projectSetting returns a setting of an entry of a kind as abl.yaml has it.
func projectSetting(table, kind string, m foreign.Member) tool.Object {
	if convert := redisSettings[m.Key]; convert != nil && slices.Contains(onRedis, kind) {
		return convert(m.Value)
	}
	return tool.Object{{Name: projectWord(table, foreign.SnakeCase(m.Key)), Value: variablesToSecrets(m.Value.Value())}}
}

// onlyToolbox are the keys of sources and auth services that abl.yaml does not have: the person who
// runs a tool decides whom it may reach, and the operator of abl-lsp's server who may call it.
var onlyToolbox = []string{
	"allowPrivateNetworks", "allowedIpRanges", "customBlockedIpRanges", "returnFullError",
	"maxRetries", "retryBaseDelay", "readOnlyMode", "enableWriteMode", "maxRowLimit", "queryTimeoutSec", "enableTelemetry", "telemetryVerbose", "clusterID",
	"loadBalance", "topologyKeys", "ybServersRefreshInterval", "fallbackToTopologyKeysOnly", "failedHostReconnectDelaySecs", "ssl",
	"clusterEnabled", "disableCache",
	"mcpEnabled", "introspectionEndpoint", "introspectionMethod", "introspectionParamName", "forceIntrospection",
}

// reportUnreachable reports a source or an auth service of a kind that is not supported here.
// Toolbox has many more.
func reportUnreachable(f *foreign.File, e entry) {
	schema, kind := schemaOf(e.section), e.kind.Value
	if known := tool.WordNames(schema.kinds); kind.IsSet() && !slices.Contains(known, kind.Text) && !isVariable(kind) {
		f.Report(foreign.Information, "invalid-value", kind.Span, "Nothing here knows %ss of kind `%s`: tools that need `%s` are listed, and not run.", schema.noun, kind.Text, e.name)
		f.SuggestKnown(kind.Text, known)
	}
}

// reportUnknownKeys reports unknown keys of a source or an auth service, if all keys of its kind
// are known.
func reportUnknownKeys(f *foreign.File, e entry) {
	schema, kind := schemaOf(e.section), e.kind.Value.Text
	if !slices.Contains(tool.WordNames(schema.kinds), kind) {
		return
	}
	known := append(foreign.Keys(schema.rows, kind), "kind", "type", "name")
	what := "The " + schema.noun + " `" + e.name + "` of kind `" + kind + "`"
	f.ReportUnknown(what, foreign.Unknown(e.body, known...), known)
}

// missingKeys lists the keys that Toolbox requires of an entry of a kind and for which has is false;
// "" if there are none.
func missingKeys(section, kind string, has func(key string) bool) string {
	var missing []string
	for _, row := range schemaOf(section).rows {
		inAudience := row.Name == "clientId" && has("audience")
		if slices.Contains(row.Needs, kind) && !has(row.Name) && !inAudience {
			missing = append(missing, "`"+row.Name+"`")
		}
	}
	return strings.Join(missing, ", ")
}

// projectWord returns abl.yaml's word for a word of Toolbox in an entry of a table; the word itself
// if both are the same.
func projectWord(table, word string) string {
	if own := projectWords[table][word]; own != "" {
		return own
	}
	return word
}

var projectWords = map[string]map[string]string{
	"auth_services": {"generic": "oidc", "authorization_server": "issuer"},
	"sources": {
		"cockroachdb": "postgres", "yugabytedb": "postgres",
		"tidb": "mysql", "singlestore": "mysql", "mindsdb": "mysql",
		"username": "user", // of redis and valkey
	},
}

var variable = lazyregexp.New(`\$\{(\w+)(?::[^}]*)?\}`)

// lostDefaults lists the variables in a value that have a default, since a secret has none.
func lostDefaults(path string, n foreign.Node) (lost []foreign.Name) {
	for _, m := range variable.FindAllStringSubmatch(n.Text, -1) {
		if strings.Contains(m[0], ":") {
			lost = append(lost, foreign.Name{Text: "the default of " + m[1] + " in " + path, Span: n.Span})
		}
	}
	for _, m := range n.Members {
		lost = append(lost, lostDefaults(path+"."+m.Key, m.Value)...)
	}
	for _, item := range n.Items {
		lost = append(lost, lostDefaults(path, item)...)
	}
	return lost
}

// variablesToSecrets replaces the environment variables in a value by placeholders of secrets.
func variablesToSecrets(v any) any { return replaceInTexts(v, variable, "{{secrets.$1}}") }

// replaceInTexts replaces the matches of a pattern in all texts of a value.
func replaceInTexts(v any, form *lazyregexp.Regexp, by string) any {
	switch v := v.(type) {
	case string:
		return form.ReplaceAllString(v, by)
	case tool.Object:
		out := make(tool.Object, len(v))
		for i, m := range v {
			out[i] = tool.Member{Name: m.Name, Value: replaceInTexts(m.Value, form, by)}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = replaceInTexts(v[i], form, by)
		}
		return out
	}
	return v
}
