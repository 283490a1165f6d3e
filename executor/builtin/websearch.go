package builtin

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/rest"
	"github.com/abl-lsp/abl-lsp/executor/template"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// The number of results that a search returns by default, and at most.
const (
	defaultResults = 10
	maxResults     = 50
)

// webSearch asks a search engine. It does not download the pages that are found.
type webSearch struct {
	client *rest.Client
	env    func(name string) (string, bool)
}

// searchResult is one result of a search.
type searchResult struct {
	Title   string `json:"title"`
	URL     string `json:"url"`
	Snippet string `json:"snippet"`
}

// backend is a kind of search engine.
type backend interface {
	// request returns the request for a search. {{query}} in it is the text to search for.
	request(url string) (*tool.HTTP, error)
	// refusalHint says what to do about an error status of the search engine. It is "" if that
	// is not known.
	refusalHint(status int) string
	// parseResults returns the results in the search engine's answer.
	parseResults(answer executor.Result) (results []searchResult, warnings []string, err error)
}

func backends() map[string]backend {
	return map[string]backend{"searxng": searxng{}, "ddgs": duckDuckGo{}, "duckduckgo": duckDuckGo{}}
}

func (webSearch) Parameters() Parameters {
	return Parameters{Required: []string{"query"}, Optional: []string{"max_results"}}
}

func (w webSearch) Run(ctx context.Context, call executor.Call) (executor.Result, error) {
	q, err := w.query(call)
	if err != nil {
		return executor.Result{}, err
	}
	answer, err := w.client.Send(ctx, q.call, q.binding)
	if err != nil {
		return answer, explainSearchRefusal(q.backend, err)
	}
	results, warnings, err := q.backend.parseResults(answer)
	if err != nil {
		return executor.Result{Status: answer.Status}, err
	}
	value, err := exactjson.Encode(results[:min(len(results), q.most)])
	return executor.Result{Value: value, ContentType: "application/json", Status: answer.Status, Warnings: append(answer.Warnings, warnings...)}, err
}

// explainSearchRefusal adds the backend's hint to a refusal.
func explainSearchRefusal(b backend, err error) error {
	if e, ok := errors.AsType[*executor.Error](err); ok {
		if hint := b.refusalHint(e.Status); hint != "" {
			return e.WithHint("%s", hint)
		}
	}
	return err
}

// Preview returns the request to the search engine.
func (w webSearch) Preview(call executor.Call) (any, error) {
	q, err := w.query(call)
	if err != nil {
		return nil, err
	}
	return w.client.Preview(q.call, q.binding)
}

// Reach returns the search engine's host.
func (w webSearch) Reach(call executor.Call) (executor.Reach, error) {
	q, err := w.query(call)
	if err != nil {
		return executor.Reach{}, err
	}
	reach, err := w.client.Reach(q.call, q.binding)
	reach.Project = w.settings(call)
	return reach, err
}

// Secrets returns the names of the secrets in the search engine's address and credential.
func (w webSearch) Secrets(call executor.Call) ([]string, error) {
	q, err := w.query(call)
	if err != nil {
		return nil, err
	}
	names, err := w.client.Secrets(q.call, q.binding)
	return append(names, placeholder.Secrets(q.binding.Endpoint)...), err
}

// query is one search: the call, the request, the search engine, and the most results to return.
type query struct {
	call    executor.Call // its only argument is the query
	binding rest.Binding
	backend backend
	most    int
}

func (w webSearch) query(call executor.Call) (query, error) {
	text, err := requiredText(call, "query")
	if err != nil {
		return query{}, err
	}
	most, err := wholeNumber(call, "max_results", defaultResults, 1, maxResults)
	if err != nil {
		return query{}, err
	}
	s := w.settings(call)
	b := backends()[s.Backend]
	if b == nil {
		return query{}, executor.DefinitionError("search-backend", "search: the backend %q, which abl.yaml or CORAIL_SEARCH_BACKEND names, is none of %s", s.Backend, strings.Join(slices.Sorted(maps.Keys(backends())), ", "))
	}
	spec, err := b.request(s.URL)
	if err != nil {
		return query{}, err
	}
	own := *call.Tool
	own.Spec, own.Returns = spec, nil
	call.Tool, call.SessionValues, call.Previewed = &own, nil, nil
	call.Scope = &template.Scope{
		Params: []string{"query"}, Args: map[string]any{"query": text},
		Session: call.Scope.Session, Variables: call.Scope.Variables, Secrets: call.Scope.Secrets,
	}
	return query{call, rest.Binding{HTTP: spec}, b, most}, nil
}

// settings returns the search settings of the project. Missing ones come from the environment
// variables that Corail reads.
func (w webSearch) settings(call executor.Call) tool.Search {
	s := call.Environment.Search
	if s.Backend == "" && s.URL != "" {
		s.Backend = "searxng"
	}
	if s.Backend == "" {
		s.Backend, _ = w.env("CORAIL_SEARCH_BACKEND")
	}
	s.Backend = strings.ToLower(cmp.Or(strings.TrimSpace(s.Backend), "ddgs"))
	if s.URL == "" && s.Backend == "searxng" {
		s.URL, _ = w.env("CORAIL_SEARXNG_URL")
	}
	return s
}

// oneLine returns text with each run of white space replaced by one space.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
