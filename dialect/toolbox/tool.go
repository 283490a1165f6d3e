package toolbox

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/sqltext"
)

// reader reads one tool.
type reader struct {
	file   *foreign.File
	entry  entry
	tool   foreign.Tool
	props  map[string]any
	places map[string]foreign.Member // of props, as the file calls them

	copies   []foreign.Node // the names of parameters whose values others take
	embedded []foreign.Node // the names of models that make vectors of values
}

// form reads the tools of one kind.
type form struct {
	matches func(kind string) bool
	read    func(*reader)
}

var forms = []form{
	{func(k string) bool { return strings.HasSuffix(k, "-execute-sql") }, (*reader).readExecuteSQL},
	{func(k string) bool { return strings.HasSuffix(k, "-sql") }, (*reader).readSQL},
	{func(k string) bool { return catalogKind(k) != nil }, (*reader).readCatalog},
	{func(k string) bool { return k == "http" }, (*reader).readHTTP},
	{func(k string) bool { return slices.Contains(onRedis, k) }, (*reader).readRedis},
	{func(k string) bool { return k == "wait" }, (*reader).readWait},
}

// isRun reports whether this program can run tools of a kind.
func isRun(kind string) bool { return slices.Contains(tool.WordNames(kindsOfTools), kind) }

// keysOf returns the keys of a kind of tools. all is false for a kind that this program cannot run,
// which may have more keys.
func keysOf(kind string) (keys []string, all bool) {
	all = isRun(kind)
	if !all && strings.HasSuffix(kind, "-execute-sql") {
		kind = executes[0]
	} else if !all && strings.HasSuffix(kind, "-sql") {
		kind = statements[0]
	}
	return append(foreign.Keys(toolRows, kind), "kind", "type", "name"), all
}

func readTool(f *foreign.File, e entry) foreign.Tool {
	r := reader{file: f, entry: e, props: map[string]any{}, places: map[string]foreign.Member{}}
	r.tool.Tool.Name, r.tool.Name, r.tool.Span = e.name, e.at, e.span
	if e.body.Kind != foreign.Map {
		r.report("missing-property", e.at, "The tool `%s` has no properties.", e.name)
		return r.tool
	}
	kind := e.kind.Value
	r.tool.Sort = kind.Text
	if !kind.IsSet() {
		r.report("missing-property", e.at, "`%s` is missing in `%s`.", e.kindKey(), e.name)
	}
	f.Sure = f.Sure || kind.IsSet() && e.body.Get("description").IsSingle()
	r.readDescription()
	r.readProperty("authRequired", "auth_required")
	r.readAnnotations()
	i := slices.IndexFunc(forms, func(f form) bool { return f.matches(kind.Text) })
	if i >= 0 {
		forms[i].read(&r)
		if !isRun(kind.Text) {
			r.reportOtherKind()
		}
		r.reportUnknown(keysOf(kind.Text))
	} else {
		r.readParams("parameters")
		r.reportOtherKind()
		r.reportUnknown(keysOfAll, false)
	}
	r.checkCopies()
	r.reportUnusedKeys()
	decoded, errs := tool.Decode(r.props)
	r.reportErrors(errs, r.places)
	r.removeEmbedded(&decoded)
	decoded.Name, decoded.Params = e.name, r.tool.Tool.Params
	decoded.Returns = returnsOf(decoded.Spec)
	r.tool.Tool = decoded
	return r.tool
}

// returnsOf returns the type of a binding's result: rows, if it only reads them.
func returnsOf(spec tool.Spec) *tool.Type {
	if s, ok := spec.(*tool.SQL); ok && sqltext.OnlyReads(s.Statement) {
		return &tool.Type{Name: "array", Elem: &tool.Type{Name: "object"}}
	}
	return tool.Any()
}

// keysOfAll are the keys that tools of every kind have.
var keysOfAll = []string{"name", "description", "authRequired", "annotations", "parameters", "scopesRequired", "ui", "maxRows", "maxResponseBytes"}

// reportOtherKind reports that tools of this kind do not run here. Toolbox has many more kinds.
func (r *reader) reportOtherKind() {
	if kind := r.entry.kind.Value; kind.IsSet() {
		r.file.Report(foreign.Information, "invalid-value", kind.Span, "Tools of kind `%s` are listed, and not run here.", kind.Text)
		r.file.SuggestKnown(kind.Text, tool.WordNames(kindsOfTools))
	}
}

func (r *reader) report(code string, at text.Span, format string, args ...any) {
	r.file.Report(foreign.Error, code, at, format, args...)
}

// reportErrors reports wrong properties at their places in the file, by the names that the file has
// for them.
func (r *reader) reportErrors(errs []tool.FieldError, places map[string]foreign.Member) {
	for _, err := range errs {
		m := places[err.Path[0]]
		at := m.Value.At(err.Path[1:]...)
		r.report("invalid-value", at.Span, "`%s` is wrong: %s.", m.Key, strings.TrimSuffix(err.Msg, "."))
		r.file.SuggestKnown(at.Text, err.Known)
	}
}

func (r *reader) readDescription() {
	d, kind := r.entry.body.Get("description"), r.entry.kind.Value
	switch {
	case d.IsSet() && !d.IsSingle():
		r.report("invalid-value", d.Span, "`description` wants a text.")
		return
	case !d.IsSingle() && kind.IsSet() && hasOwnDescription(kind.Text):
		return
	case !d.IsSingle():
		r.file.Report(foreign.Warning, "missing-property", r.entry.at, "`description` is missing in `%s`: the model reads it to pick a tool.", r.entry.name)
		return
	}
	r.props["description"] = strings.TrimSpace(d.Text)
}

// hasOwnDescription reports whether Toolbox may have a description of tools of a kind, as of many that
// do not run here.
func hasOwnDescription(kind string) bool {
	if c := catalogKind(kind); c != nil {
		return !c.needsDescription
	}
	return !isRun(kind)
}

// readAnnotations reads hints for MCP clients. The read-only hint sets `mutation`; the others are
// lost.
func (r *reader) readAnnotations() {
	for _, m := range r.entry.body.Get("annotations").Members {
		switch {
		case m.Key == "readOnlyHint" && m.Value.Kind == foreign.Bool:
			r.props["mutation"] = m.Value.Text != "true"
		default:
			r.reportLoss("annotations."+m.Key, m.KeySpan)
		}
	}
}

func (r *reader) reportLoss(text string, at text.Span) {
	r.tool.Lost = append(r.tool.Lost, foreign.Name{Text: text, Span: at})
}

// reportUnknown records as lost the keys of the tool that are not in known. If isComplete says that
// the kind has no other keys, they are also reported as mistakes.
func (r *reader) reportUnknown(known []string, isComplete bool) {
	unknown := foreign.Unknown(r.entry.body, known...)
	r.tool.Lost = append(r.tool.Lost, unknown...)
	if isComplete {
		r.file.ReportUnknown("A tool of kind `"+r.entry.kind.Value.Text+"`", unknown, known)
	}
}

// readProperty sets the property called to, if the tool has a value for key.
func (r *reader) readProperty(key, to string) {
	m, _ := r.entry.body.Member(key)
	if n := m.Value; n.IsSet() {
		r.props[to], r.places[to] = variablesToSecrets(n.Value()), m
		r.tool.Lost = append(r.tool.Lost, lostDefaults(key, n)...)
	}
}

// readRequired is [reader.readProperty] for a required key.
func (r *reader) readRequired(key, to string) {
	if !r.entry.body.Get(key).IsSet() {
		r.report("missing-property", r.entry.at, "`%s` is missing in `%s`.", key, r.entry.name)
	}
	r.readProperty(key, to)
}

func (r *reader) readSQL() {
	r.props["type"] = "sql"
	r.readRequired("source", "source")
	r.readRequired("statement", "statement")
	if s, ok := r.props["statement"].(string); ok {
		r.props["statement"] = strings.Trim(s, "\n")
		if variable.MatchString(r.entry.body.Get("statement").Text) {
			r.reportLoss("variables in statement", r.entry.body.Get("statement").Span)
		}
	}
	r.readParams("parameters")
	r.readTemplateParams()
}

// anyStatement is a statement that the caller writes completely.
const (
	anyStatement   = "{{.sql}}"
	anyDescription = "The SQL to execute"
)

// readExecuteSQL reads a tool whose caller writes the statement.
func (r *reader) readExecuteSQL() {
	r.props["type"], r.props["statement"] = "sql", anyStatement
	r.readRequired("source", "source")
	r.props["template_parameters"] = tool.Object{{Name: "sql", Value: tool.Object{
		{Name: "type", Value: "string"}, {Name: "description", Value: anyDescription},
	}}}
}

// durationParam returns the parameter of tools of the kind wait.
func durationParam() tool.Param {
	return tool.Param{Name: "duration", Type: &tool.Type{Name: "string"}, Description: "How long to wait, such as 10s"}
}

func (r *reader) readWait() {
	r.props["type"], r.props["builtin"] = "builtin", "wait"
	r.tool.Tool.Params = []tool.Param{durationParam()}
	r.tool.Params = []text.Span{r.entry.at}
	m, ok := r.entry.body.Member("timeout")
	if !ok {
		return
	}
	if ms, ok := milliseconds(m.Value.Text); ok {
		r.props["hints"] = tool.Object{{Name: "timeout", Value: ms}}
		return
	}
	r.report("invalid-value", m.Value.Span, "`timeout` wants a duration such as `30s`, not `%s`.", m.Value.Text)
}
