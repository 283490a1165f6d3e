// Package corail reads and writes Récif's custom resources, which declare Corail's tools, and the
// JSON into which their operator turns them.
package corail

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

const apiGroup = "agents.recif.dev/"

// IsResource reports whether a YAML document is one of Récif's resources.
func IsResource(root foreign.Node) bool {
	return strings.HasPrefix(root.Get("apiVersion").Text, apiGroup)
}

// IsList reports whether a JSON value is the operator's list of tools: one element says so by its
// type, or by a key that only such a tool has.
func IsList(root foreign.Node) bool {
	isOther := func(item foreign.Node) bool { return item.Has("inputSchema") }
	return slices.ContainsFunc(root.Items, isEntry) && !slices.ContainsFunc(root.Items, isOther)
}

func isEntry(item foreign.Node) bool {
	name, kind := item.Get("name"), item.Get("type")
	switch {
	case slices.Contains(toolTypes, kind.Text):
		return true
	case builtinReturns[kind.Text] != nil:
		return name.Text == kind.Text || item.Get("builtin").Text == kind.Text
	}
	return name.IsSingle() && kind.IsSingle() && slices.ContainsFunc([]string{"endpoint", "binary", "mcpEndpoint"}, item.Has)
}

// ReadList reads the operator's list.
func ReadList(root foreign.Node) foreign.File {
	f := foreign.File{System: "corail", Rows: []*tool.Field{listRow()}}
	for _, item := range root.Items {
		if item.Kind != foreign.Map {
			f.Report(foreign.Error, "invalid-value", item.Span, "A tool is wanted here: an object with `name`, `type` and `description`.")
			continue
		}
		f.Sure = f.Sure || isEntry(item) && item.Get("description").IsSingle()
		f.AddTool(readSpec(&f, item, foreign.Node{}))
	}
	return f
}

// Read reads the resources of a file: its tools, and the names of tools that its agents use and
// other files declare.
func Read(roots []foreign.Node) foreign.File {
	f := foreign.File{System: "corail", Sure: slices.ContainsFunc(roots, IsResource)}
	here := map[string]bool{}
	for _, root := range roots {
		f.Rows = append(f.Rows, rowOf(root))
		if IsResource(root) {
			readResource(&f, root, here)
		}
	}
	for _, root := range roots {
		if IsResource(root) && root.Get("kind").Text == "Agent" {
			readAgent(&f, root, here)
		}
	}
	return f
}

// resourceKinds are the kinds of resources that are read.
var resourceKinds = []string{"Tool", "Agent"}

// readResource reads a tool, and records the name by which agents use it.
func readResource(f *foreign.File, root foreign.Node, here map[string]bool) {
	f.ReportUnknown("A resource", foreign.Unknown(root, resourceKeys()...), resourceKeys())
	switch kind := root.Get("kind"); {
	case kind.Text == "Tool":
		readMetadata(f, root, here)
		readTool(f, root)
	case !kind.IsSet():
		f.Report(foreign.Error, "missing-property", root.Head(), "`kind` is missing: %s.", strings.Join(resourceKinds, " or "))
	case kind.Text != "Agent":
		f.Report(foreign.Warning, "invalid-value", kind.Span, "Nothing is read from a `%s`, only from a `Tool` and an `Agent`.", kind.Text)
		f.SuggestKnown(kind.Text, resourceKinds)
	}
}

// resourceKeys returns the keys that any resource may have. The cluster writes the last one.
func resourceKeys() []string { return append(tool.FieldNames(toolRow().Fields), "status") }

var clusterName = lazyregexp.New(`^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`)

// readMetadata records the name of a tool's resource.
func readMetadata(f *foreign.File, root foreign.Node, here map[string]bool) {
	meta := root.Get("metadata")
	name := meta.Get("name")
	id := meta.Get("namespace").Text + "/" + name.Text
	switch {
	case !name.IsSingle():
		f.Report(foreign.Warning, "missing-property", root.Head(), "`metadata.name` is missing: agents name the tool by it.")
		return
	case here[id]:
		f.Report(foreign.Warning, "duplicate-tool", name.Span, "The Tool `%s` is declared twice; a cluster keeps one of the two.", name.Text)
	case !clusterName.MatchString(name.Text):
		f.Report(foreign.Warning, "invalid-value", name.Span, "A resource's name is of small letters, digits, hyphens and dots; no cluster takes `%s`.", name.Text)
	}
	here[id], here[name.Text] = true, true
}

func readTool(f *foreign.File, root foreign.Node) {
	spec := root.Get("spec")
	if spec.Kind != foreign.Map {
		f.Report(foreign.Error, "missing-property", root.Head(), "`spec` is missing: it says what the tool is.")
		return
	}
	f.AddTool(readSpec(f, spec, root))
}

// readAgent records the tools of an agent that are not in this file.
func readAgent(f *foreign.File, root foreign.Node, here map[string]bool) {
	for _, item := range f.List(root.Get("spec"), "tools", "the names of Tools") {
		switch {
		case !item.IsSingle():
			f.Report(foreign.Error, "invalid-value", item.Span, "The name of a Tool is wanted here.")
		case !here[item.Text]:
			f.ToolsElsewhere = append(f.ToolsElsewhere, foreign.Name{Text: item.Text, Span: item.Span})
			if t, ok := builtin(item); ok {
				f.Builtins = append(f.Builtins, t)
			}
		}
	}
}

// builtin returns the builtin that an agent means by name, the name of a missing resource; ok is
// false if it means none.
func builtin(name foreign.Node) (t foreign.Tool, ok bool) {
	word := strings.ReplaceAll(name.Text, "-", "_")
	if builtinReturns[word] == nil {
		return t, false
	}
	var discarded foreign.File // nothing is wrong with it
	spec := foreign.Node{Kind: foreign.Map, Span: name.Span, Members: []foreign.Member{
		{Key: "name", KeySpan: name.Span, Value: foreign.Node{Kind: foreign.String, Text: word, Span: name.Span}},
		{Key: "type", KeySpan: name.Span, Value: foreign.Node{Kind: foreign.String, Text: "builtin", Span: name.Span}},
		{Key: "description", KeySpan: name.Span, Value: foreign.Node{Kind: foreign.String, Text: builtinDoc(word), Span: name.Span}},
	}}
	t = readSpec(&discarded, spec, foreign.Node{})
	t.Resource = name.Text
	return t, true
}

// builtinDoc returns the schema table's description of a builtin.
func builtinDoc(name string) string {
	row, _ := tool.Find(tool.Fields(tool.KindBuiltin), "builtin")
	word, _ := tool.LookupWord(row.Values, name)
	return word.Doc
}

// reader reads one tool.
type reader struct {
	file   *foreign.File
	spec   foreign.Node
	row    *tool.Field // its schema
	tool   foreign.Tool
	props  map[string]any
	places map[string]foreign.Node // of props
	custom *tool.Custom            // the binding of a type that someone registered
}

// readSpec reads a spec. resource is the resource that contains it, or the zero Node.
func readSpec(f *foreign.File, spec, resource foreign.Node) foreign.Tool {
	r := reader{file: f, spec: spec, row: toolSpec(), props: map[string]any{}, places: map[string]foreign.Node{}}
	if resource.Kind == foreign.Missing {
		r.row = listRow()
	}
	r.readName(resource)
	kind := r.readKind()
	r.readProperties(kind)
	r.setDefaults(kind)
	decoded, errs := tool.Decode(r.props)
	for _, e := range errs {
		at := r.places[e.Path[0]].At(e.Path[1:]...)
		r.report("invalid-value", at.Span, "`%s` is wrong: %s.", e.Path[0], strings.TrimSuffix(e.Msg, "."))
		r.file.SuggestKnown(at.Text, e.Known)
	}
	if r.custom != nil {
		decoded.Kind, decoded.Spec = r.custom.Type, r.custom
	}
	decoded.Name, decoded.Returns, decoded.Origin = r.tool.Tool.Name, returnsOf(decoded.Spec), r.tool.Origin
	r.tool.Tool = decoded
	r.readParams()
	r.checkAllowedCommands()
	return r.tool
}

// checkAllowedCommands reports allowed commands of a tool that takes no command.
func (r *reader) checkAllowedCommands() {
	s, ok := r.tool.Spec.(*tool.CLI)
	takes := func(p tool.Param) bool { return p.Name == tool.Subcommand }
	if ok && len(s.AllowedCommands) > 0 && !slices.ContainsFunc(r.tool.Tool.Params, takes) {
		r.file.Report(foreign.Warning, "unknown-parameter", r.places["allowed_commands"].Span,
			"The commands that are allowed stand in the parameter `%s`, and `%s` has none.", tool.Subcommand, r.tool.Tool.Name)
	}
}

// readKind returns the kind of the tool; "" if no table here has it. In a list the type may also be
// the name of a builtin, as in Corail's factory, or a type that someone registered there.
func (r *reader) readKind() tool.Kind {
	given := r.spec.Get("type")
	word, _ := tool.LookupWord(tool.Kinds(), given.Text)
	switch known := tool.WordNames(foreign.Row(r.row.Fields, "type").Values); {
	case given.Text == "":
		r.report("missing-property", r.tool.Name, "`type` is missing: %s.", strings.Join(toolTypes, ", "))
	case slices.Contains(toolTypes, word.Name):
		r.props["type"] = word.Name
		return tool.Kind(word.Name)
	case slices.Contains(known, given.Text):
		r.props["type"], r.props["builtin"], r.places["builtin"] = "builtin", given.Text, given
		return tool.KindBuiltin
	case r.row == listRow():
		if word.Name == "" && given.Kind == foreign.String {
			r.custom = &tool.Custom{Type: tool.Kind(given.Text)}
		} else {
			r.tool.Lost = append(r.tool.Lost, foreign.Name{Text: "type: " + given.Text, Span: given.Span})
		}
		r.file.Report(foreign.Warning, "invalid-value", given.Span, "No tool of the type `%s` is run here; there are %s.", given.Text, strings.Join(known, ", "))
		r.file.SuggestKnown(given.Text, known)
	default:
		r.file.ReportWord("type", given, toolTypes)
	}
	return ""
}

func (r *reader) report(code string, at text.Span, format string, args ...any) {
	r.file.Report(foreign.Error, code, at, format, args...)
}

// readName reads the tool's own name, else that of its resource.
func (r *reader) readName(resource foreign.Node) {
	name := r.spec.Get("name")
	if !name.IsSingle() {
		name = resource.Get("metadata").Get("name")
	}
	r.tool.Tool.Name, r.tool.Name, r.tool.Span = name.Text, name.Span, r.spec.Span
	if resource.Kind != foreign.Missing {
		r.tool.Span, r.tool.Resource = resource.Span, resource.Get("metadata").Get("name").Text
		r.keepMetadata(resource.Get("metadata"))
	}
	if !name.IsSingle() {
		r.tool.Name = r.spec.Head()
		r.report("missing-property", r.tool.Name, "`name` is missing: nothing can call the tool.")
	}
}

// clusterKeys are the metadata that a cluster writes itself.
var clusterKeys = []string{"uid", "resourceVersion", "generation", "creationTimestamp", "managedFields", "selfLink"}

// keepMetadata keeps the cluster's metadata of a tool, so that it can be written as a resource
// again. It reports them as lost, since nothing else has a place for them, except for a name that
// follows from the tool's own.
func (r *reader) keepMetadata(meta foreign.Node) {
	for _, m := range meta.Members {
		shown := foreign.Metadata + m.Key
		switch {
		case m.Key == "name" && m.Value.Text == resourceName(r.tool.Tool.Name), slices.Contains(clusterKeys, m.Key):
			continue
		case m.Value.IsSingle():
			shown += ": " + m.Value.Text
		}
		o := &r.tool.Origin
		o.Metadata = append(o.Metadata, tool.Member{Name: m.Key, Value: m.Value.Value()})
		r.tool.Lost = append(r.tool.Lost, foreign.Name{Text: shown, Span: m.KeySpan})
	}
}

// readProperties reads the properties that the schema table has by the same name in snake case.
func (r *reader) readProperties(kind tool.Kind) {
	rows := slices.Concat(tool.CommonFields(), tool.Fields(kind))
	for _, m := range r.spec.Members {
		row, _ := tool.Find(rows, foreign.SnakeCase(m.Key))
		if row == nil && m.Key == "url" {
			row, _ = tool.Find(rows, "endpoint")
		}
		switch {
		case m.Key == "name", m.Key == "type", m.Key == "parameters":
		case m.Key == "timeout":
			r.readTimeout(row, m.Value)
		case m.Key == "mcpEndpoint" && kind == tool.KindMCP:
			r.readServer(m.Value)
		case row == nil && r.custom != nil:
			r.keepCustomProperty(m)
		case row == nil:
			r.reportUnknownKey(m, kind)
		case m.Key == "url" && r.spec.Has("endpoint"):
			r.file.Report(foreign.Warning, "duplicate-property", m.KeySpan, "`url` means the same as `endpoint`, which counts here; remove one of the two.")
		case m.Value.IsSet():
			r.props[row.Name], r.places[row.Name] = m.Value.Value(), m.Value
			if row.Name == "headers" || row.Name == "env" {
				r.props[row.Name] = variablesToSecrets(m.Value.Value())
			}
		}
	}
}

// keepCustomProperty keeps a property that only the program knows which registered the type.
func (r *reader) keepCustomProperty(m foreign.Member) {
	value := m.Value.Value()
	if m.Key == "headers" || m.Key == "env" {
		value = variablesToSecrets(value)
	}
	r.custom.Properties = append(r.custom.Properties, tool.Member{Name: m.Key, Value: value})
}

// reportUnknownKey reports a key that a tool of this kind does not have. If the kind is unknown, it
// reports only keys that cannot be right.
func (r *reader) reportUnknownKey(m foreign.Member, kind tool.Kind) {
	r.tool.Lost = append(r.tool.Lost, foreign.Name{Text: m.Key, Span: m.KeySpan})
	isBindingKey := len(tool.BindingOnly(foreign.SnakeCase(m.Key))) > 0 || r.row == listRow()
	if kind == "" && isBindingKey {
		return
	}
	r.file.Report(foreign.Warning, "unknown-property", m.KeySpan, "A tool of this type has no property `%s`.", m.Key)
	r.file.SuggestKnown(m.Key, foreign.Keys(r.row.Fields, string(kind)))
}

// readServer makes a server of the URL of an MCP tool. The server is named as the tool, unless the
// tool names it.
func (r *reader) readServer(url foreign.Node) {
	if !url.IsSet() {
		return
	}
	if url.Kind != foreign.String {
		r.report("invalid-value", url.Span, "`mcpEndpoint` wants a URL.")
	}
	name := r.tool.Tool.Name
	if serverName := r.spec.Get("server"); serverName.IsSingle() {
		name = serverName.Text
	}
	r.props["server"], r.places["server"] = name, url
	r.file.AddEntry("servers", name, tool.Object{{Name: "transport", Value: "http"}, {Name: "url", Value: variablesToSecretsIn(url.Text)}})
}

// readTimeout reads a timeout in seconds. row is the row of the timeout among the properties of the
// tool's kind; if it is nil, the timeout becomes a hint.
func (r *reader) readTimeout(row *tool.Field, n foreign.Node) {
	seconds, ok := new(big.Rat).SetString(n.Text)
	if n.Kind != foreign.Number || !ok || len(n.Text) > 20 {
		r.report("invalid-value", n.Span, "`timeout` wants a number of seconds, not `%s`.", n.Text)
		return
	}
	if seconds.Sign() < 0 {
		r.report("invalid-value", n.Span, "`timeout` cannot be less than 0.")
		return
	}
	ms := new(big.Rat).Mul(seconds, big.NewRat(1000, 1))
	value := json.Number(strings.TrimSuffix(strings.TrimRight(ms.FloatString(3), "0"), "."))
	if row == nil {
		hints, _ := r.props["hints"].(tool.Object)
		r.props["hints"] = append(hints, tool.Member{Name: "timeout", Value: value})
		return
	}
	r.props["timeout"] = value
}

var variable = lazyregexp.New(`\$(?:\{(\w+)\}|([A-Za-z_]\w*))`)

// variablesToSecrets replaces the variables in the texts of a value by placeholders of secrets.
func variablesToSecrets(v any) any {
	o, ok := v.(tool.Object)
	if !ok {
		return v
	}
	for i, m := range o {
		if s, isText := m.Value.(string); isText {
			o[i].Value = variablesToSecretsIn(s)
		}
	}
	return o
}

func variablesToSecretsIn(s string) string { return variable.ReplaceAllString(s, "{{secrets.$1$2}}") }

// setDefaults sets the defaults of a kind and reports missing properties.
func (r *reader) setDefaults(kind tool.Kind) {
	switch kind {
	case tool.KindHTTP:
		r.setDefault("method", "GET")
	case tool.KindBuiltin:
		r.setDefault("builtin", strings.ReplaceAll(r.tool.Tool.Name, "-", "_"))
	}
	for _, row := range tool.Fields(kind) {
		switch _, has := r.props[row.Name]; {
		case has || !row.Required:
		case row.Name == "server":
			r.report("missing-property", r.tool.Name, "`mcpEndpoint` is missing: it says where the tool's server is.")
		default:
			r.report("missing-property", r.tool.Name, "`%s` is missing in a tool of type `%s`.", row.Name, kind)
		}
	}
	if _, has := r.props["description"]; !has {
		r.file.Report(foreign.Warning, "missing-property", r.tool.Name, "`description` is missing: the model reads it to pick a tool.")
	}
}

func (r *reader) setDefault(name, value string) {
	if _, has := r.props[name]; !has {
		r.props[name], r.places[name] = value, foreign.Node{Span: r.tool.Name}
	}
}

// returnsOf returns the type of the result of a tool with that binding.
func returnsOf(spec tool.Spec) *tool.Type {
	if s, ok := spec.(*tool.Builtin); ok && builtinReturns[s.Builtin] != nil {
		return builtinReturns[s.Builtin]
	}
	return tool.Any()
}

var builtinReturns = map[string]*tool.Type{
	"datetime":   {Name: "object"},
	"calculator": {Name: "number"},
	"web_search": {Name: "array", Elem: &tool.Type{Name: "object"}},
	"fetch_url":  {Name: "string"},
}
