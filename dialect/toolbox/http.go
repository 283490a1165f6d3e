package toolbox

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// The placeholders of parameters in Toolbox's requests.
var (
	goField   = lazyregexp.New(placeholder.Open + `(?:json\s+)?\.(\w+)` + placeholder.Close)
	jsonField = lazyregexp.New(placeholder.Open + `json\s+\.(\w+)` + placeholder.Close)
)

// readHTTP reads a request under the base URL of its source.
func (r *reader) readHTTP() {
	r.props["type"] = "http"
	r.readRequired("source", "source")
	r.readRequired("method", "method")
	r.readRequired("path", "endpoint")
	r.readProperty("headers", "headers")
	r.readProperty("requestBody", "body_template")
	for _, key := range []string{"parameters", "pathParams", "queryParams", "bodyParams"} {
		r.readParams(key)
	}
	before := len(r.tool.Tool.Params)
	r.readParams("headerParams")
	headers, _ := r.props["headers"].(tool.Object)
	for _, p := range r.tool.Tool.Params[before:] {
		headers = append(headers, tool.Member{Name: p.Name, Value: "{{" + p.Name + "}}"})
	}
	if len(headers) > 0 {
		r.props["headers"] = headers
	}
	r.checkTemplateActions()
	r.checkBodyValues()
	r.convertPlaceholders()
	r.setQueryParams()
}

// checkBodyValues handles values that are written as JSON: if one is the whole body, the body is
// JSON; it reports them in any other text.
func (r *reader) checkBodyValues() {
	m, _ := r.entry.body.Member("requestBody")
	body := m.Value.Text
	found := jsonField.FindString(body)
	switch {
	case found == "":
	case found == strings.TrimSpace(body):
		r.props["body_type"] = "json"
	case !isJSON(body):
		r.file.Report(foreign.Warning, "template-syntax", m.Value.Span, "`%s` is written as text here: only a body that is JSON has values of JSON.", found)
	}
}

// checkTemplateActions reports actions of Go's templates that a request here does not support.
func (r *reader) checkTemplateActions() {
	headers, _ := r.entry.body.Member("headers")
	all := slices.Clone(headers.Value.Members)
	for _, key := range []string{"path", "requestBody"} {
		m, _ := r.entry.body.Member(key)
		all = append(all, m)
	}
	for _, m := range all {
		for _, found := range anyBraces.FindAllString(m.Value.Text, -1) {
			if !goField.MatchString(found) {
				r.file.Report(foreign.Warning, "template-syntax", m.Value.Span,
					"`%s` is not understood here: a parameter is written {{.x}}, in a body also {{json .x}}, and nothing else of Go's templates.", found)
				break
			}
		}
	}
}

// convertPlaceholders turns Go's `{{.x}}` into ABL's placeholders; those in a path have single
// braces.
func (r *reader) convertPlaceholders() {
	if s, ok := r.props["endpoint"].(string); ok {
		r.props["endpoint"] = strings.TrimSpace(goField.ReplaceAllString(s, "{$1}"))
	}
	if s, ok := r.props["body_template"].(string); ok {
		r.props["body_template"] = strings.TrimSpace(goField.ReplaceAllString(r.quoteJSONPlaceholders(s), "{{$1}}"))
	}
	headers, _ := r.props["headers"].(tool.Object)
	for i := range headers {
		if s, ok := headers[i].Value.(string); ok {
			headers[i].Value = goField.ReplaceAllString(s, "{{$1}}")
		}
	}
}

// quoteJSONPlaceholders puts quotes around a text that Toolbox's `json` writes with its quotes.
func (r *reader) quoteJSONPlaceholders(body string) string {
	return replacePlaceholders(body, func(found string, quoted bool) string {
		m := jsonField.FindStringSubmatch(found)
		isIt := func(p tool.Param) bool { return m != nil && p.Name == m[1] && !p.Optional && isText(p.Type) }
		if quoted || !isJSON(body) || !slices.ContainsFunc(r.tool.Tool.Params, isIt) {
			return found
		}
		return `"{{.` + m[1] + `}}"`
	})
}

// setQueryParams sets the query parameters if the method would otherwise send them in the body.
func (r *reader) setQueryParams() {
	if method, _ := r.props["method"].(string); strings.EqualFold(method, "GET") || strings.EqualFold(method, "DELETE") {
		return
	}
	var query tool.Object
	for _, item := range r.entry.body.Get("queryParams").Items {
		if name := item.Get("name").Text; name != "" {
			query = append(query, tool.Member{Name: name, Value: "{{" + name + "}}"})
		}
	}
	if query != nil {
		r.props["query_params"] = query
	}
}
