package builtin

import (
	"encoding/json"
	"fmt"
	nethttp "net/http"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
)

// searxng searches with a SearXNG instance whose JSON format is enabled.
type searxng struct{}

// absoluteAddress matches an address with a scheme, or with a placeholder at the beginning.
var absoluteAddress = lazyregexp.New(`(?i)^(https?://|\{\{)`)

func (searxng) request(url string) (*tool.HTTP, error) {
	url = strings.TrimRight(strings.TrimSpace(url), "/")
	if url == "" {
		return nil, executor.DefinitionError("search-url", "search: nothing says where SearXNG answers").
			WithHint("Set search: {backend: searxng, url: …} in abl.yaml, or the variable CORAIL_SEARXNG_URL.")
	}
	if !absoluteAddress.MatchString(url) {
		return nil, executor.DefinitionError("search-url", "search: url is to begin with http:// or https://, and not to be %q", url)
	}
	address, query, more := strings.Cut(url, "?")
	if !strings.HasSuffix(address, "/search") {
		address = strings.TrimRight(address, "/") + "/search"
	}
	if more {
		address += "?" + query
	}
	return &tool.HTTP{
		Endpoint: address, Method: "GET", Headers: map[string]string{"Accept": "application/json"},
		QueryParams: tool.Pairs{{Key: "q", Value: "{{query}}"}, {Key: "format", Value: "json"}},
	}, nil
}

func (searxng) refusalHint(status int) string {
	switch status {
	case nethttp.StatusForbidden, nethttp.StatusTooManyRequests:
		return "See that its settings.yml has json under search.formats, and that its limiter lets you in."
	case nethttp.StatusNotFound, nethttp.StatusMethodNotAllowed:
		return "See that search.url in abl.yaml, or CORAIL_SEARXNG_URL, is where the pages of the instance begin: /search is put behind it."
	}
	return ""
}

func (searxng) parseResults(answer executor.Result) ([]searchResult, []string, error) {
	var page struct {
		Results []struct {
			Title   string `json:"title"`
			URL     string `json:"url"`
			Content string `json:"content"`
		} `json:"results"`
		Unresponsive [][]any `json:"unresponsive_engines"`
	}
	if json.Unmarshal(answer.Value, &page) != nil || page.Results == nil {
		return nil, nil, executor.Errorf(executor.KindRemote, "search-answer", "the answer is not what SearXNG gives for format=json").
			WithHint("See that search.url is that of a SearXNG instance, and that its settings.yml has json under search.formats.")
	}
	results := []searchResult{}
	for _, r := range page.Results {
		if r.URL != "" {
			results = append(results, searchResult{oneLine(r.Title), r.URL, oneLine(r.Content)})
		}
	}
	var warnings []string
	for _, engine := range page.Unresponsive {
		if len(engine) > 0 && len(results) == 0 {
			warnings = append(warnings, "SearXNG got no answer from "+strings.Trim(fmt.Sprint(engine...), "[]"))
		}
	}
	return results, warnings, nil
}
