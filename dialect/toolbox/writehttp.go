package toolbox

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

var (
	inPath     = lazyregexp.New(`\{(\w+)\}`)
	inTemplate = lazyregexp.New(placeholder.Open + `(?:input\.)?(\w+)` + placeholder.Close)
	lone       = lazyregexp.New(`^` + placeholder.Open + `(?:input\.)?([\w-]+)` + placeholder.Close + `$`)
	anyBraces  = lazyregexp.New(placeholder.Any)
	host       = lazyregexp.New(`^https?://[^/?#{}]+`)
	noWord     = lazyregexp.New(`[^A-Za-z0-9]+`)
)

// writeHTTP writes a request under the base URL of a source; for an absolute endpoint it adds a
// source.
func (w *writer) writeHTTP(t tool.Tool, s *tool.HTTP) (entry tool.Object, why string) {
	source, path, why := w.sourceAndPath(s)
	if why != "" {
		return nil, why
	}
	path = inTemplate.ReplaceAllString(path, "{$1}")
	if unknown := w.unfillable(t, s, path); unknown != "" {
		return nil, "it takes " + unknown
	}
	groups, why := w.groupParams(t, s)
	if why != "" {
		return nil, why
	}
	body, media, why := w.writeBody(t, s, groups["bodyParams"])
	if why != "" {
		return nil, why
	}
	w.reportURLDifferences(t, groups)
	entry = append(w.newEntry(t, "http", source), tool.Member{Name: "method", Value: s.Method},
		tool.Member{Name: "path", Value: secretsToVariables(inPath.ReplaceAllString(path, "{{.$1}}")).(string) + constantQuery(path, s.QueryParams)})
	if headers := w.writeHeaders(t, s, media); headers != nil {
		entry = append(entry, tool.Member{Name: "headers", Value: headers})
	}
	if body != "" {
		entry = append(entry, tool.Member{Name: "requestBody", Value: body})
	}
	for _, key := range []string{"pathParams", "queryParams", "bodyParams", "headerParams"} {
		list, why := w.writeParams(t, groups[key])
		if why != "" {
			return nil, why
		}
		entry = addList(entry, key, list)
	}
	return entry, ""
}

// unfillable returns a placeholder that Toolbox cannot fill, "" if there is none. A query parameter
// or a header is either a parameter or has no placeholder; everything else can use only the
// environment.
func (*writer) unfillable(t tool.Tool, s *tool.HTTP, path string) string {
	for _, pair := range s.QueryParams {
		if found := anyBraces.FindString(pair.Value); found != "" && !hasParam(t, soleName(pair.Value)) {
			return found + " as the query parameter " + pair.Key
		}
	}
	for _, m := range sortedObject(s.Headers) {
		value := m.Value.(string)
		if found := anyBraces.FindString(secret.ReplaceAllString(value, "")); found != "" && !hasParam(t, soleName(value)) {
			return found + " in the header " + m.Name
		}
	}
	for _, found := range inPath.FindAllStringSubmatch(path, -1) {
		if !hasParam(t, found[1]) {
			return found[0] + " in its path"
		}
	}
	for _, text := range []string{path, s.BodyTemplate} {
		for _, found := range anyBraces.FindAllString(text, -1) {
			m := inTemplate.FindStringSubmatch(found)
			if (m == nil || !hasParam(t, m[1])) && !secret.MatchString(found) {
				return found
			}
		}
	}
	return ""
}

func hasParam(t tool.Tool, name string) bool {
	return slices.ContainsFunc(t.Params, func(p tool.Param) bool { return p.Name == name })
}

// soleName returns the name in a text that is one placeholder and nothing else; "" for any other
// text.
func soleName(text string) string {
	m := lone.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return m[1]
}

// sourceAndPath returns the source of a request and the path below the source's base URL. why says
// why there is no source; "" if there is one.
func (w *writer) sourceAndPath(s *tool.HTTP) (source, path, why string) {
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

// sourceOf returns the name of the new source with a base URL. It adds the source, named after
// host, if there is none.
func (w *writer) sourceOf(base, host string) string {
	name := strings.Trim(noWord.ReplaceAllString(host, "-"), "-")
	for {
		if w.newSources.Object(name).Text("baseUrl") == base {
			return name
		}
		if !w.newSources.Has(name) && w.sourceKinds[name] == "" {
			w.newSources = append(w.newSources, tool.Member{Name: name, Value: tool.Object{{Name: "kind", Value: "http"}, {Name: "baseUrl", Value: base}}})
			return name
		}
		name += "-http"
	}
}

// groupParams groups the parameters by where they go. Toolbox sends those of the query and the
// headers under their own names. why says why they cannot be grouped.
func (w *writer) groupParams(t tool.Tool, s *tool.HTTP) (groups map[string][]tool.Param, why string) {
	groups = map[string][]tool.Param{}
	grouped := map[string]bool{}
	for _, p := range t.Params {
		places := placesOf(s, p.Name)
		if len(places) > 1 {
			return nil, fmt.Sprintf("its parameter %s goes to more than one place", p.Name)
		}
		to := places[0]
		if to.list == "headerParams" && !isText(p.Type) {
			return nil, fmt.Sprintf("its parameter %s, a header, is no text", p.Name)
		}
		if to.name != p.Name {
			w.Note(t.QualifiedName(), "%s: the parameter %s is called %s there", to.property, p.Name, to.name)
			p.Name = to.name
		}
		if grouped[p.Name] {
			return nil, "two of its parameters are sent as " + p.Name
		}
		grouped[p.Name] = true
		groups[to.list] = append(groups[to.list], p)
	}
	return groups, ""
}

// isText reports whether Toolbox treats a value of the type as text.
func isText(t *tool.Type) bool {
	return t != nil && len(t.Union) == 0 && (t.Name == "string" || nearestTypes[t.Name] == "string")
}

// reportURLDifferences reports what Toolbox writes into a URL otherwise than a run of this program.
func (w *writer) reportURLDifferences(t tool.Tool, groups map[string][]tool.Param) {
	name := t.QualifiedName()
	for _, p := range groups["pathParams"] {
		if isText(p.Type) && len(p.Type.Enum) == 0 {
			w.Note(name, "Toolbox puts %s into the path as it is, also a / or a ? in it", p.Name)
		}
	}
	for _, p := range groups["queryParams"] {
		switch {
		case p.Type == nil || isText(p.Type):
		case slices.Contains([]string{"array", "map", "object"}, p.Type.Name):
			w.Note(name, "Toolbox writes %s into the query as Go prints it, such as [a b] and map[a:b]", p.Name)
		case p.Type.Name == "float" || p.Type.Name == "number":
			w.Note(name, "Toolbox writes a million as 1e+06 into the query, as %s", p.Name)
		}
	}
	for _, p := range groups["headerParams"] {
		if p.Optional && p.Default == nil {
			w.Note(name, "Toolbox wants %s, a header, also where it may be left out", p.Name)
		}
	}
}

// paramPlace is where a parameter goes: one of Toolbox's lists, and its name there.
type paramPlace struct{ list, name, property string }

// placesOf returns the places to which a parameter goes, at least one.
func placesOf(s *tool.HTTP, name string) (places []paramPlace) {
	if namesParam(inPath, s.Endpoint, name) { // in two braces as well
		places = append(places, paramPlace{list: "pathParams", name: name})
	}
	for _, pair := range s.QueryParams {
		if soleName(pair.Value) == name {
			places = append(places, paramPlace{"queryParams", pair.Key, "query_params"})
		}
	}
	if namesParam(inTemplate, s.BodyTemplate, name) {
		places = append(places, paramPlace{list: "bodyParams", name: name})
	}
	for _, m := range sortedObject(s.Headers) {
		if soleName(m.Value.(string)) == name {
			places = append(places, paramPlace{"headerParams", m.Name, "headers"})
		}
	}
	switch {
	case len(places) > 0:
	case slices.Contains([]string{"GET", "DELETE", ""}, strings.ToUpper(s.Method)):
		places = []paramPlace{{list: "queryParams", name: name}}
	default:
		places = []paramPlace{{list: "bodyParams", name: name}}
	}
	return places
}

func namesParam(pattern *lazyregexp.Regexp, text, name string) bool {
	return slices.ContainsFunc(pattern.FindAllStringSubmatch(text, -1), func(m []string) bool { return m[1] == name })
}

// constantQuery returns the query parameters that do not depend on the caller. Toolbox has them in
// the path.
func constantQuery(path string, pairs tool.Pairs) string {
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

// writeHeaders writes the headers that are no parameters, and the Content-Type of the body.
func (*writer) writeHeaders(t tool.Tool, s *tool.HTTP, media string) (out tool.Object) {
	for _, m := range sortedObject(s.Headers) {
		value := m.Value.(string)
		if !hasParam(t, soleName(value)) {
			out = append(out, tool.Member{Name: m.Name, Value: secretsToVariables(value)})
		}
	}
	if media != "" {
		out = append(out, tool.Member{Name: "Content-Type", Value: media})
	}
	return out
}

func sortedObject(texts map[string]string) (out tool.Object) {
	for name, s := range texts {
		out = append(out, tool.Member{Name: name, Value: s})
	}
	slices.SortFunc(out, func(a, b tool.Member) int { return strings.Compare(a.Name, b.Name) })
	return out
}
