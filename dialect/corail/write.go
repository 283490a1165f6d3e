package corail

import (
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/literal"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// form is one of the two ways in which Corail writes a tool, with its types, its properties and
// their spelling: a resource, or an entry of the operator's list.
type form struct {
	types          []tool.Word
	spell          func(name string) string // of a property
	knownKeys      []string                 // that it has, by canonical name
	param          func(w *foreign.WriteResult, t tool.Tool, p tool.Param) (o tool.Object, why string)
	wholeSeconds   bool // seconds are whole numbers
	acceptsAnyType bool // types that someone registered are allowed
}

// resourceForm returns the form of a resource. It has only the fields of the published schema,
// because a cluster refuses others.
func resourceForm() form {
	return form{
		types:        kindWords(),
		spell:        foreign.CamelCase,
		knownKeys:    []string{"description", "category", "endpoint", "method", "headers", "binary", "allowed_commands", "enabled"},
		param:        resourceParam,
		wholeSeconds: true,
	}
}

// entryForm returns the form of an entry. It has the fields that the operator copies from a
// resource under the same name, and others that Corail's tools have.
func entryForm() form {
	own := []string{"risk_level", "render", "component", "props", "env", "server", "server_tool", "builtin"}
	copied := resourceForm()
	spell := func(name string) string {
		if slices.Contains(copied.knownKeys, name) {
			return copied.spell(name)
		}
		return name
	}
	types := append(kindWords(), builtinWords()...) // Corail's factory knows the builtins by their own names
	return form{types: types, spell: spell, knownKeys: append(copied.knownKeys, own...), param: entryParam, acceptsAnyType: true}
}

// WriteResources writes tools as resources of a cluster. It omits what the published schema of the
// resource does not have.
func WriteResources(tools []tool.Tool, project tool.Object) foreign.WriteResult {
	w := newWriter(resourceForm(), project)
	var docs []string
	usedNames := map[string]bool{}
	for _, t := range tools {
		spec := w.writeSpec(t)
		if spec == nil {
			continue
		}
		meta := metadataOf(t, usedNames)
		docs = append(docs, foreign.YAML(tool.Object{
			{Name: "apiVersion", Value: apiGroup + "v1"}, {Name: "kind", Value: "Tool"},
			{Name: "metadata", Value: meta}, {Name: "spec", Value: spec},
		}))
	}
	w.Text = strings.Join(docs, "---\n")
	return w.WriteResult
}

// metadataOf returns the metadata of a tool's resource: those it had, else a name derived from the
// tool's, different from all others in usedNames.
func metadataOf(t tool.Tool, usedNames map[string]bool) tool.Object {
	name, space, more := resourceName(t.Name), "", tool.Object{}
	for _, m := range t.Origin.Metadata {
		switch text, _ := m.Value.(string); {
		case m.Name == "name" && text != "":
			name = text
		case m.Name == "namespace":
			space = text
			fallthrough
		default:
			more = append(more, m)
		}
	}
	first := name
	for n := 2; usedNames[space+"/"+name]; n++ {
		name = first + "-" + strconv.Itoa(n)
	}
	usedNames[space+"/"+name] = true
	return append(tool.Object{{Name: "name", Value: name}}, more...)
}

// WriteList writes tools as the operator's list, the value of CORAIL_TOOLS.
func WriteList(tools []tool.Tool, project tool.Object) foreign.WriteResult {
	w := newWriter(entryForm(), project)
	list := []any{}
	for _, t := range tools {
		if spec := w.writeSpec(t); spec != nil {
			list = append(list, spec)
		}
	}
	w.Text = foreign.IndentedJSON(list)
	return w.WriteResult
}

var notInNames = lazyregexp.New(`[^a-z0-9]+`)

// resourceName turns a name into a valid name of a resource.
func resourceName(name string) string {
	const most = 63
	name = strings.Trim(notInNames.ReplaceAllString(strings.ToLower(name), "-"), "-")
	if name == "" {
		name = "tool"
	}
	return strings.TrimRight(name[:min(len(name), most)], "-")
}

type writer struct {
	foreign.WriteResult
	form    form
	servers tool.Object
	names   map[string]bool // of the tools so far
}

func newWriter(f form, project tool.Object) writer {
	return writer{form: f, servers: project.Object("servers"), names: map[string]bool{}}
}

// writeSpec returns the part of a tool that resources and entries both have. If Corail cannot run
// the tool, it reports that as lost and returns nil.
func (w *writer) writeSpec(t tool.Tool) tool.Object {
	if w.IsDuplicate(t, w.names) {
		return nil
	}
	custom, isCustom := t.Spec.(*tool.Custom)
	switch {
	case slices.Contains(toolTypes, string(t.Kind)), isCustom && w.form.acceptsAnyType:
	case isCustom:
		w.ReportLoss(t.QualifiedName(), "the whole tool, since a resource cannot be of the type %s", t.Kind)
		return nil
	default:
		w.ReportLoss(t.QualifiedName(), "the whole tool, since Corail has no tools of this type")
		return nil
	}
	params, why := w.writeParams(t)
	if s, ok := t.Spec.(*tool.MCP); ok && w.serverURL(t) == "" && !slices.Contains(w.form.knownKeys, "server") {
		why = "nothing says where its server " + s.Server + " is"
	}
	if b, ok := t.Spec.(*tool.Builtin); ok && b.Builtin != t.Name && !slices.Contains(w.form.knownKeys, "builtin") {
		why = "a builtin is called by its own name, " + b.Builtin
	}
	if why != "" {
		w.ReportLoss(t.QualifiedName(), "the whole tool, since %s", why)
		return nil
	}
	covered := foreign.SetProperties(t)
	spec := tool.Object{{Name: "name", Value: t.QualifiedName()}, {Name: "type", Value: w.typeWord(t)}}
	for _, key := range w.form.knownKeys {
		if raw, has := covered[key]; has {
			spec = w.addProperty(spec, t, key, raw)
		}
	}
	if isCustom {
		spec = append(spec, w.customProperties(t, custom)...)
	}
	if url := w.serverURL(t); url != "" {
		spec = append(spec, tool.Member{Name: "mcpEndpoint", Value: url})
	}
	if len(params) > 0 || t.Kind == tool.KindBuiltin { // a builtin that lists none has its own
		spec = append(spec, tool.Member{Name: "parameters", Value: params})
	}
	if t.Gate() == tool.Blocked && !spec.Has("enabled") && !spec.Has("risk_level") {
		w.Note(t.QualifiedName(), "it is blocked, and disabled therefore")
		spec = append(spec, tool.Member{Name: "enabled", Value: false})
	}
	spec, timed := w.addTimeout(spec, t)
	if isPlainQuery(t) {
		timed = append(timed, "query_params")
	}
	if t.Kind == tool.KindBuiltin { // whose name says which, where nothing else does
		timed = append(timed, "builtin")
	}
	w.LoseReturns(t, returnsOf(t.Spec))
	w.LoseRest(t, append(slices.Clone(w.form.knownKeys), append(timed, "type", "service", "base_url")...)...)
	return spec
}

// typeWord returns the type of a tool. A builtin under another name has the name of the builtin as
// its type, because Corail's factory finds it by that; otherwise Corail finds it by the tool's
// name.
func (w *writer) typeWord(t tool.Tool) string {
	if b, ok := t.Spec.(*tool.Builtin); ok && builtinReturns[b.Builtin] != nil && b.Builtin != t.Name {
		return b.Builtin
	}
	return string(t.Kind)
}

// isPlainQuery reports whether a query is the default: all parameters under their own names.
func isPlainQuery(t tool.Tool) bool {
	s, ok := t.Spec.(*tool.HTTP)
	if !ok || !slices.Contains([]string{"GET", "DELETE"}, s.Method) {
		return false
	}
	return !slices.ContainsFunc(s.QueryParams, func(p tool.Pair) bool { return p.Value != "{{"+p.Key+"}}" })
}

// addProperty appends the property called key to spec, under the name that w.form spells for it, and
// returns the result. raw is the JSON of the property's value. The base URL is put before an
// endpoint. In headers and env, secrets become environment variables, and a text with any other
// placeholder is reported as lost.
func (w *writer) addProperty(spec tool.Object, t tool.Tool, key string, raw json.RawMessage) tool.Object {
	v := literal.Parse(raw).Value()
	switch key {
	case "endpoint":
		if s, ok := t.Spec.(*tool.HTTP); ok && strings.HasPrefix(s.Endpoint, "/") && s.BaseURL != "" {
			v = strings.TrimSuffix(s.BaseURL, "/") + s.Endpoint
		}
	case "enabled":
		v = t.Enabled.Is(true)
	case "headers", "env":
		v = w.secretsToVariables(t, key, v)
	}
	return append(spec, tool.Member{Name: w.form.spell(key), Value: v})
}

// customProperties returns the properties of a tool whose type someone registered, with environment
// variables for secrets.
func (w *writer) customProperties(t tool.Tool, s *tool.Custom) tool.Object {
	out := slices.Clone(s.Properties)
	for i, m := range out {
		if m.Name == "headers" || m.Name == "env" {
			out[i].Value = w.secretsToVariables(t, m.Name, m.Value)
		}
	}
	return out
}

var (
	secret    = lazyregexp.New(placeholder.Secret)
	secretEnd = lazyregexp.New(placeholder.Secret + `(\W|$)`)
)

// secretsToVariables returns the object v, the value of the property key, with environment
// variables for secrets in its texts. It leaves out, and reports as lost, texts with any other
// placeholder.
func (w *writer) secretsToVariables(t tool.Tool, key string, v any) any {
	out := tool.Object{}
	o, _ := v.(tool.Object)
	for _, m := range o {
		s, _ := m.Value.(string)
		text := secret.ReplaceAllString(secretEnd.ReplaceAllString(s, "$$$1$2"), "$${$1}")
		if strings.Contains(text, "{{") {
			w.ReportLoss(t.QualifiedName(), "%s.%s, which takes %s", key, m.Name, s)
			continue
		}
		out = append(out, tool.Member{Name: m.Name, Value: text})
	}
	return out
}

// serverURL returns the URL of an MCP tool's server; "" if it is unknown.
func (w *writer) serverURL(t tool.Tool) string {
	if s, ok := t.Spec.(*tool.MCP); ok {
		return w.servers.Object(s.Server).Text("url")
	}
	return ""
}

func (w *writer) writeParams(t tool.Tool) (list []any, why string) {
	list = []any{}
	for _, p := range t.Params {
		if !p.Shown() || !p.FromCaller() {
			if p.Optional || !p.FromCaller() {
				w.ReportLoss(t.QualifiedName(), "the parameter %s, which models do not see", p.Name)
				continue
			}
			return nil, "models do not see its parameter " + p.Name
		}
		o, why := w.form.param(&w.WriteResult, t, p)
		switch {
		case why == "":
			list = append(list, o)
		case p.Optional:
			w.ReportLoss(t.QualifiedName(), "the parameter %s, since %s", p.Name, why)
		default:
			return nil, "of its parameter " + p.Name + " " + why
		}
	}
	return list, ""
}

// paramTypes maps the type words of the published schema, and further ones, to those of JSON
// Schema.
var paramTypes = map[string]string{
	"string": "string", "integer": "integer", "number": "number", "boolean": "boolean",
	"float": "number", "date": "string", "datetime": "string",
}

// resourceParam returns a parameter as the published schema of the resource has it. why says why it
// cannot have it; "" if it can.
func resourceParam(w *foreign.WriteResult, t tool.Tool, p tool.Param) (o tool.Object, why string) {
	word := paramTypes[p.Type.Name]
	if word == "" || len(p.Type.Union) > 0 {
		return nil, "the type is " + p.Type.String()
	}
	if word != p.Type.String() {
		w.Note(t.QualifiedName(), "the type of %s is %s now, not %s", p.Name, word, p.Type)
	}
	if p.AllowedValues != nil || p.ExcludedValues != nil || p.MinValue != "" || p.MaxValue != "" || p.Escape != "" {
		w.ReportLoss(t.QualifiedName(), "the values that %s can have", p.Name)
	}
	o = tool.Object{{Name: "name", Value: p.Name}, {Name: "type", Value: word}}
	if p.Description != "" {
		o = append(o, tool.Member{Name: "description", Value: p.Description})
	}
	o = append(o, tool.Member{Name: "required", Value: !p.Optional})
	if p.Default != nil {
		o = append(o, tool.Member{Name: "default", Value: literal.Parse(p.Default).Text})
	}
	return o, ""
}

// entryParam returns a parameter with all that its JSON Schema says. why says why an entry cannot
// have it; "" if it can.
func entryParam(w *foreign.WriteResult, t tool.Tool, p tool.Param) (o tool.Object, why string) {
	property := p.Schema()
	w.LoseParamKeys(t, p)
	if property.Has("not") {
		w.ReportLoss(t.QualifiedName(), "excluded_values of the parameter %s", p.Name)
	}
	if len(p.Type.Schema()) == 0 {
		w.Note(t.QualifiedName(), "the type of %s is string now, not %s", p.Name, p.Type)
		property = append(tool.Object{{Name: "type", Value: "string"}}, property...)
	}
	o = tool.Object{{Name: "name", Value: p.Name}}
	for _, m := range property {
		if m.Name != "not" {
			o = append(o, m)
		}
	}
	switch fields := o.Has("required"); {
	case fields && p.Optional:
		return nil, "its fields are required and it is not"
	case !fields:
		o = append(o, tool.Member{Name: "required", Value: !p.Optional})
	}
	return o, ""
}

// addTimeout returns spec with the timeout in seconds: that of the binding or, for a kind without
// one, that of the hints. covered are the properties of the tool that spec's timeout expresses
// completely.
func (w *writer) addTimeout(spec tool.Object, t tool.Tool) (out tool.Object, covered []string) {
	n := literal.Parse(foreign.SetProperties(t)["timeout"])
	covered = []string{"timeout"}
	if _, _, hasTimeout := tool.Lookup(tool.Fields(t.Kind), "timeout"); !hasTimeout && t.Hints.Timeout != "" {
		n.Text = string(t.Hints.Timeout)
		if t.Hints == (tool.Hints{Timeout: t.Hints.Timeout}) {
			covered = append(covered, "hints")
		}
	}
	ms, ok := new(big.Rat).SetString(n.Text)
	if n.Text == "" || !ok || len(n.Text) > 20 {
		return spec, covered
	}
	seconds := new(big.Rat).Mul(ms, big.NewRat(1, 1000))
	text := strings.TrimSuffix(strings.TrimRight(seconds.FloatString(6), "0"), ".")
	if w.form.wholeSeconds && !seconds.IsInt() {
		up := new(big.Int).Add(new(big.Int).Quo(seconds.Num(), seconds.Denom()), big.NewInt(1))
		w.Note(t.QualifiedName(), "its timeout is %s seconds now, not %s", up, text)
		text = up.String()
	}
	return append(spec, tool.Member{Name: "timeout", Value: json.Number(text)}), covered
}
