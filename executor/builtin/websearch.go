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

// A search gives so many results where nothing is said, and at most.
const (
	defaultResults = 10
	maxResults     = 50
)

// webSearch asks a search engine, and downloads none of the pages that it finds.
type webSearch struct {
	client *rest.Client
	env    func(name string) (string, bool)
}

// searchResult is one result.
type searchResult struct {
	Title   string `json:"title"`
	URL     string `json:"url"`
	Snippet string `json:"snippet"`
}

// backend is a kind of search engine.
type backend interface {
	// request is how it is asked: {{query}} stands for what is searched for.
	request(url string) (*tool.HTTP, error)
	// refusalHint says what to do where it answers with a status that is no success; ""
	// where nobody can tell.
	refusalHint(status int) string
	// parseResults takes the results out of its answer.
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

// explainSearchRefusal adds what is usual about a refusal.
func explainSearchRefusal(b backend, err error) error {
	if e, ok := errors.AsType[*executor.Error](err); ok {
		if hint := b.refusalHint(e.Status); hint != "" {
			return e.WithHint("%s", hint)
		}
	}
	return err
}

// Preview shows the request to the search engine.
func (w webSearch) Preview(call executor.Call) (any, error) {
	q, err := w.query(call)
	if err != nil {
		return nil, err
	}
	return w.client.Preview(q.call, q.binding)
}

// Reach is the search engine's host.
func (w webSearch) Reach(call executor.Call) (executor.Reach, error) {
	q, err := w.query(call)
	if err != nil {
		return executor.Reach{}, err
	}
	reach, err := w.client.Reach(q.call, q.binding)
	reach.Project = w.settings(call)
	return reach, err
}

// Secrets are those of the search engine's address, and of its credential.
func (w webSearch) Secrets(call executor.Call) ([]string, error) {
	q, err := w.query(call)
	if err != nil {
		return nil, err
	}
	names, err := w.client.Secrets(q.call, q.binding)
	return append(names, placeholder.Secrets(q.binding.Endpoint)...), err
}

// query is one search.
type query struct {
	call    executor.Call // in which nothing but the query is an argument
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

// settings are what the project says, else what Corail reads from the environment.
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

// oneLine is text as a page shows it.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
