package builtin

import (
	nethttp "net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// duckDuckGo searches on the page for browsers without JavaScript, since DuckDuckGo has no other
// free interface.
type duckDuckGo struct{}

const duckDuckGoPage = "https://html.duckduckgo.com/html/"

func (duckDuckGo) request(url string) (*tool.HTTP, error) {
	if url != "" {
		return nil, executor.DefinitionError("search-url", "search: url is for the backend searxng; DuckDuckGo is where it is")
	}
	return &tool.HTTP{
		Endpoint: duckDuckGoPage, Method: "GET", Headers: browserHeaders(),
		QueryParams: tool.Pairs{{Key: "q", Value: "{{query}}"}},
	}, nil
}

const askAnother = "Wait a while, or have a SearXNG instance asked: search: {backend: searxng, url: …} in abl.yaml."

func (duckDuckGo) refusalHint(status int) string {
	if status == nethttp.StatusForbidden || status == nethttp.StatusTooManyRequests {
		return askAnother
	}
	return ""
}

func (duckDuckGo) parseResults(answer executor.Result) ([]searchResult, []string, error) {
	page, err := html.Parse(strings.NewReader(answer.Text))
	if err != nil {
		return nil, nil, executor.Errorf(executor.KindRemote, "search-answer", "DuckDuckGo's page cannot be read: %w", err)
	}
	results := []searchResult{}
	known := false
	for n := range page.Descendants() {
		switch {
		case hasClass(n, "result") && !hasClass(n, "result--ad"):
			if r := resultOf(n); r.URL != "" {
				results = append(results, r)
			}
		case hasClass(n, "anomaly-modal__title"), attribute(n, "id") == "challenge-form":
			return nil, nil, executor.Errorf(executor.KindRemote, "search-blocked", "DuckDuckGo wants to see that a person asks").
				WithHint(askAnother)
		case hasClass(n, "no-results"), attribute(n, "id") == "links":
			known = true
		}
	}
	if len(results) == 0 && !known {
		return nil, nil, executor.Errorf(executor.KindRemote, "search-answer", "DuckDuckGo's page has changed: no results were found in it, and no word that there are none")
	}
	return results, nil, nil
}

func resultOf(n *html.Node) searchResult {
	var r searchResult
	for part := range n.Descendants() {
		switch {
		case hasClass(part, "result__a") && r.URL == "":
			r.Title, r.URL = textOf(part), linkTarget(attribute(part, "href"))
		case hasClass(part, "result__snippet") && r.Snippet == "":
			r.Snippet = textOf(part)
		}
	}
	return r
}

// linkTarget returns the target of a link without DuckDuckGo's redirect. It is "" for an
// advertisement.
func linkTarget(href string) string {
	u, err := url.Parse(href)
	if err != nil {
		return ""
	}
	if to := u.Query().Get("uddg"); to != "" {
		if u, err = url.Parse(to); err != nil {
			return ""
		}
	}
	if u.Scheme != "http" && u.Scheme != "https" || strings.HasSuffix(u.Hostname(), "duckduckgo.com") && u.Path == "/y.js" {
		return ""
	}
	return u.String()
}

func hasClass(n *html.Node, class string) bool {
	return n.Type == html.ElementNode && slices.Contains(strings.Fields(attribute(n, "class")), class)
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for part := range n.Descendants() {
		if part.Type == html.TextNode {
			b.WriteString(part.Data)
		}
	}
	return oneLine(b.String())
}
