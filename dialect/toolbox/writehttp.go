package toolbox

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/tool"
)

var (
	inPath     = regexp.MustCompile(`\{(\w+)\}`)
	inTemplate = regexp.MustCompile(`\{\{\s*(?:input\.)?(\w+)\s*\}\}`)
	anyBraces  = regexp.MustCompile(`\{\{[^{}]*\}\}`)
	host       = regexp.MustCompile(`^https?://[^/?#{}]+`)
	noWord     = regexp.MustCompile(`[^A-Za-z0-9]+`)
)

// http is a request under the base URL of a source, which is made of an absolute
// endpoint.
func (w *writer) http(t tool.Tool, s *tool.HTTP) (entry tool.Object, why string) {
	source, path, why := w.target(s)
	if why != "" {
		return nil, why
	}
	path = inTemplate.ReplaceAllString(path, "{$1}")
	if unknown := w.unknown(t, s, path); unknown != "" {
		return nil, "it takes " + unknown
	}
	groups, why := w.groups(t, s)
	if why != "" {
		return nil, why
	}
	entry = append(w.begin(t, "http", source), tool.Member{Name: "method", Value: s.Method},
		tool.Member{Name: "path", Value: inPath.ReplaceAllString(path, "{{.$1}}") + constants(path, s.QueryParams)})
	if headers := w.headers(t, s); headers != nil {
		entry = append(entry, tool.Member{Name: "headers", Value: headers})
	}
	if body := body(s, groups["bodyParams"]); body != "" {
		entry = append(entry, tool.Member{Name: "requestBody", Value: body})
	}
	for _, key := range []string{"pathParams", "queryParams", "bodyParams", "headerParams"} {
		list, why := w.parameters(t, groups[key])
		if why != "" {
			return nil, why
		}
		entry = with(entry, key, list)
	}
	return entry, ""
}

// unknown is a placeholder that Toolbox cannot fill, "" where there is none: a
// query parameter is called as the parameter of the tool, and of anything else only
// the environment is known.
func (*writer) unknown(t tool.Tool, s *tool.HTTP, path string) string {
	texts := []string{path, s.BodyTemplate}
	for _, m := range ordered(s.Headers) {
		texts = append(texts, m.Value.(string))
	}
	for _, pair := range s.QueryParams {
		if found := anyBraces.FindString(pair.Value); found != "" && pair.Value != "{{"+pair.Key+"}}" {
			return found + " as the query parameter " + pair.Key
		}
	}
	for _, text := range texts {
		for _, found := range anyBraces.FindAllString(text, -1) {
			m := inTemplate.FindStringSubmatch(found)
			isParam := m != nil && slices.ContainsFunc(t.Params, func(p tool.Param) bool { return p.Name == m[1] })
			if !isParam && !secret.MatchString(found) {
				return found
			}
		}
	}
	return ""
}

// target is the source of a request and the path below it.
func (w *writer) target(s *tool.HTTP) (source, path, why string) {
	if s.Source != "" {
		return s.Source, s.Endpoint, ""
	}
	endpoint := s.Endpoint
	if strings.HasPrefix(endpoint, "/") {
		endpoint = strings.TrimSuffix(s.BaseURL, "/") + endpoint
	}
	base := host.FindString(endpoint)
	if base == "" {
		return "", "", "nothing says to which host its endpoint belongs"
	}
	u, err := url.Parse(base)
	if err != nil {
		return "", "", "its endpoint is no URL"
	}
	path = strings.TrimPrefix(endpoint, base)
	if path == "" {
		path = "/"
	}
	return w.sourceOf(base, u.Host), path, ""
}

// sourceOf is the source with a base URL, made where there is none yet.
func (w *writer) sourceOf(base, host string) string {
	name := strings.Trim(noWord.ReplaceAllString(host, "-"), "-")
	for {
		has := func(m tool.Member) bool { return m.Name == name }
		i := slices.IndexFunc(w.made, has)
		if i >= 0 && textOf(w.made[i].Value.(tool.Object), "baseUrl") == base {
			return name
		}
		if i < 0 && w.kinds[name] == "" {
			w.made = append(w.made, tool.Member{Name: name, Value: tool.Object{{Name: "kind", Value: "http"}, {Name: "baseUrl", Value: base}}})
			return name
		}
		name += "-http"
	}
}

// groups are the parameters by where they go.
func (*writer) groups(t tool.Tool, s *tool.HTTP) (groups map[string][]tool.Param, why string) {
	groups = map[string][]tool.Param{}
	for _, p := range t.Params {
		places := placesOf(s, p.Name)
		if len(places) > 1 {
			return nil, fmt.Sprintf("its parameter %s goes to more than one place", p.Name)
		}
		groups[places[0]] = append(groups[places[0]], p)
	}
	return groups, ""
}

// placesOf are the lists that a parameter belongs into, one at least.
func placesOf(s *tool.HTTP, name string) (places []string) {
	if names(inPath, s.Endpoint, name) { // in two braces as well
		places = append(places, "pathParams")
	}
	for _, pair := range s.QueryParams {
		if names(inTemplate, pair.Value, name) {
			places = append(places, "queryParams")
			break
		}
	}
	if names(inTemplate, s.BodyTemplate, name) {
		places = append(places, "bodyParams")
	}
	if names(inTemplate, s.Headers[name], name) {
		places = append(places, "headerParams")
	}
	switch {
	case len(places) > 0:
	case slices.Contains([]string{"GET", "DELETE", ""}, strings.ToUpper(s.Method)):
		places = []string{"queryParams"}
	default:
		places = []string{"bodyParams"}
	}
	return places
}

func names(pattern *regexp.Regexp, text, name string) bool {
	return slices.ContainsFunc(pattern.FindAllStringSubmatch(text, -1), func(m []string) bool { return m[1] == name })
}

// constants are the query parameters that take nothing from the caller: Toolbox
// has them in the path.
func constants(path string, pairs tool.Pairs) string {
	query := ""
	for _, pair := range pairs {
		if !anyBraces.MatchString(pair.Value) {
			query += "&" + url.QueryEscape(pair.Key) + "=" + url.QueryEscape(pair.Value)
		}
	}
	if query != "" && !strings.Contains(path, "?") {
		return "?" + query[1:]
	}
	return query
}

// headers are those that are not parameters of their own.
func (*writer) headers(t tool.Tool, s *tool.HTTP) (out tool.Object) {
	for _, m := range ordered(s.Headers) {
		value := m.Value.(string)
		if value == "{{"+m.Name+"}}" && slices.ContainsFunc(t.Params, func(p tool.Param) bool { return p.Name == m.Name }) {
			continue
		}
		value = templated(variables(value).(string))
		out = append(out, tool.Member{Name: m.Name, Value: value})
	}
	return out
}

func ordered(texts map[string]string) (out tool.Object) {
	for name, s := range texts {
		out = append(out, tool.Member{Name: name, Value: s})
	}
	slices.SortFunc(out, func(a, b tool.Member) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// templated is a text with placeholders as Go's templates have them.
func templated(s string) string { return inTemplate.ReplaceAllString(s, "{{.$1}}") }

// body is the body of a request. Where no template makes it, it is an object of
// the parameters that are left.
func body(s *tool.HTTP, params []tool.Param) string {
	if s.BodyTemplate != "" || len(params) == 0 {
		return templated(variables(s.BodyTemplate).(string))
	}
	fields := make([]string, len(params))
	for i, p := range params {
		fields[i] = string(foreign.Marshal(p.Name)) + ": {{json ." + p.Name + "}}"
	}
	return "{" + strings.Join(fields, ", ") + "}"
}
