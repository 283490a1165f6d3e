package toolbox

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// Write writes tools as a tools.yaml in the older form, with the sources and the auth services of
// their project.
func Write(tools []tool.Tool, project tool.Object) foreign.WriteResult {
	w := writer{sourceKinds: map[string]string{}, sourceMedia: map[string]string{}}
	sources := w.writeSources(project.Object("sources"))
	services := w.writeAuthServices(project.Object("auth_services"))
	var entries tool.Object
	usedNames := map[string]bool{}
	for _, t := range tools {
		if w.IsDuplicate(t, usedNames) {
			continue
		}
		if entry := w.writeTool(t); entry != nil {
			entries = append(entries, tool.Member{Name: t.QualifiedName(), Value: entry})
		}
	}
	var file tool.Object
	for _, section := range []tool.Member{
		{Name: "sources", Value: append(sources, w.newSources...)}, {Name: "authServices", Value: services}, {Name: "tools", Value: entries},
	} {
		if len(section.Value.(tool.Object)) > 0 {
			file = append(file, section)
		}
	}
	if file != nil {
		w.Text = foreign.YAML(file)
	}
	return w.WriteResult
}

// writer collects what is written besides the tools.
type writer struct {
	foreign.WriteResult
	sourceKinds map[string]string // of the sources
	sourceMedia map[string]string // what they say that bodies are
	newSources  tool.Object       // undeclared sources: the hosts of endpoints
}

// toolKinds maps kinds of sources to the shorter word that the kinds of their tools begin with.
var toolKinds = map[string]string{
	"cloud-sql-postgres": "postgres", "alloydb-postgres": "postgres", "cloud-sql-mysql": "mysql", "cloud-sql-mssql": "mssql",
}

func (w *writer) writeSources(table tool.Object) (out tool.Object) {
	for _, m := range table {
		o, _ := m.Value.(tool.Object)
		kind := o.Text("kind")
		if kind == "" {
			w.ReportLoss("", "the source %s: it has no kind", m.Name)
			continue
		}
		w.sourceKinds[m.Name] = kind
		for _, h := range o.Object("headers") {
			if text, ok := h.Value.(string); ok && strings.EqualFold(h.Name, "Content-Type") {
				w.sourceMedia[m.Name] = text
			}
		}
		if slices.Contains(onRedis, kind) {
			o = w.redisSource(m.Name, o)
		}
		out = append(out, tool.Member{Name: m.Name, Value: w.writeEntry("sources", m.Name, o)})
	}
	return out
}

// notToolbox are the kinds of auth services that Toolbox does not have.
var notToolbox = []string{"oauth2", "saml"}

func (w *writer) writeAuthServices(table tool.Object) (out tool.Object) {
	for _, m := range table {
		o, _ := m.Value.(tool.Object)
		if kind := o.Text("kind"); kind == "" || slices.Contains(notToolbox, kind) {
			w.ReportLoss("", "the auth service %s: Toolbox has none of its kind", m.Name)
			continue
		}
		if o.Text("kind") == "oidc" {
			o = w.openIDProvider(m.Name, o)
		}
		out = append(out, tool.Member{Name: m.Name, Value: w.writeEntry("authServices", m.Name, o)})
	}
	return out
}

// openIDProvider writes an OpenID provider in Toolbox's form. Its tokens are only for an audience;
// a client is written as one.
func (w *writer) openIDProvider(name string, o tool.Object) tool.Object {
	out := tool.Object{{Name: "kind", Value: "generic"}}
	for _, m := range o {
		switch m.Name {
		case "kind":
			continue
		case "issuer":
			m.Name = "authorization_server"
		case "client_id":
			m.Name = "audience"
			if o.Text("audience") != "" {
				continue
			}
		case "audience", "scopes_required", "mcp_enabled":
		default:
			w.ReportLoss("", "%s of the auth service %s", m.Name, name)
			continue
		}
		out = append(out, m)
	}
	return out
}

// writeEntry writes an entry of a table of abl.yaml in Toolbox's spelling.
func (w *writer) writeEntry(section, name string, o tool.Object) tool.Object {
	out := make(tool.Object, len(o))
	for i, m := range o {
		value := secretsToVariables(m.Value)
		if ms, isNumber := value.(json.Number); isNumber && strings.HasSuffix(m.Name, "timeout") {
			if n, err := ms.Int64(); err == nil {
				value = duration(n)
			}
		}
		if found := anyBraces.FindString(string(exactjson.EncodeOrNil(value))); found != "" {
			w.Note("", "nothing fills %s in %s of %s: write it out", found, m.Name, name)
		}
		out[i] = tool.Member{Name: foreign.CamelCase(m.Name), Value: value}
	}
	if missing := missingKeys(section, out.Text("kind"), out.Has); missing != "" {
		w.Note("", "%s has no %s, which Toolbox demands", name, missing)
	}
	return out
}

var secret = lazyregexp.New(placeholder.Secret)

// secretsToVariables replaces the placeholders of secrets in a value by environment variables.
func secretsToVariables(v any) any { return replaceInTexts(v, secret, "$${$1}") }

// writeTool returns the entry of a tool. If Toolbox cannot run the tool, it reports that as lost and
// returns nil.
func (w *writer) writeTool(t tool.Tool) tool.Object {
	if w.NeverRuns(t) {
		return nil
	}
	var entry tool.Object
	var covered []string
	var why string
	switch s := t.Spec.(type) {
	case *tool.SQL:
		entry, why = w.writeSQL(t, s)
		covered = []string{"source", "statement", "template_parameters"}
	case *tool.HTTP:
		entry, why = w.writeHTTP(t, s)
		covered = []string{"source", "endpoint", "base_url", "method", "headers", "query_params", "body_template"}
		if s.BodyType == "json" && strings.Contains(s.BodyTemplate, "{{") { // its placeholders say it
			covered = append(covered, "body_type")
		}
	case *tool.Redis:
		entry, why = w.writeRedis(t, s)
		covered = []string{"source", "commands"}
	case *tool.Builtin:
		if why = "Toolbox has no such tool"; s.Builtin == "wait" {
			entry, why = w.writeWait(t), ""
			if covered = []string{"builtin"}; t.Hints == (tool.Hints{Timeout: t.Hints.Timeout}) {
				covered = append(covered, "hints")
			}
		}
	default:
		why = "Toolbox has no tools of this type"
	}
	if why != "" {
		w.ReportLoss(t.QualifiedName(), "the whole tool, since %s", why)
		return nil
	}
	if len(t.AuthRequired) > 0 {
		entry = append(entry, tool.Member{Name: "authRequired", Value: words(t.AuthRequired)})
	}
	if t.Mutation != "" {
		entry = append(entry, tool.Member{Name: "annotations", Value: tool.Object{{Name: "readOnlyHint", Value: t.Mutation.Is(false)}}})
	}
	w.LoseReturns(t, returnsOf(t.Spec))
	w.LoseRest(t, append(covered, "type", "description", "service", "auth_required", "mutation")...)
	return entry
}

func words(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// descriptionOf returns a description, which Toolbox requires: the name, if there is none.
func (w *writer) descriptionOf(t tool.Tool, name, description string) string {
	if description != "" {
		return description
	}
	w.Note(t.QualifiedName(), "Toolbox demands a description of %s: its name stands there", name)
	return name
}

// newEntry returns an entry with the keys that every entry begins with.
func (w *writer) newEntry(t tool.Tool, kind, source string) tool.Object {
	entry := tool.Object{{Name: "kind", Value: kind}}
	if source != "" {
		entry = append(entry, tool.Member{Name: "source", Value: source})
	}
	return append(entry, tool.Member{Name: "description", Value: w.descriptionOf(t, t.QualifiedName(), t.Description)})
}

// addList appends a list to entry under key, unless the list is empty.
func addList(entry tool.Object, key string, list []any) tool.Object {
	if len(list) == 0 {
		return entry
	}
	return append(entry, tool.Member{Name: key, Value: list})
}

func (w *writer) writeWait(t tool.Tool) tool.Object {
	for _, p := range t.Params {
		if !reflect.DeepEqual(p, durationParam()) {
			w.ReportLoss(t.QualifiedName(), "what the tool says of its parameter %s: a wait has its own, duration", p.Name)
		}
	}
	timeout := "30s" // the default
	if ms, ok := t.Hints.Timeout.Int(); ok {
		timeout = duration(ms)
	}
	return append(w.newEntry(t, "wait", ""), tool.Member{Name: "timeout", Value: timeout})
}
