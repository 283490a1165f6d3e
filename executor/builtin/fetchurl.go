package builtin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	nethttp "net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/rest"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// The number of characters of a page that a call returns by default, and at most.
const (
	defaultChars = 8000
	maxChars     = 200_000
)

// readFactor is how many times that number of characters are read of a page, because much of a page
// is not the article.
const readFactor = 3

// fetchURL returns the readable text of one page, after a line that names its URL.
type fetchURL struct{ client *rest.Client }

func (fetchURL) Parameters() Parameters {
	return Parameters{Required: []string{"url"}, Optional: []string{"max_chars"}}
}

func (f fetchURL) Run(ctx context.Context, call executor.Call) (executor.Result, error) {
	q, err := pageOf(call)
	if err != nil {
		return executor.Result{}, err
	}
	page, err := f.client.Get(ctx, call, q.url, q.header)
	if err != nil {
		return executor.Result{}, explainRefusal(err)
	}
	defer page.Close()
	failed := executor.Result{Status: page.Status}
	if isSignInHost(page.URL.Hostname()) {
		return failed, executor.Errorf(executor.KindRemote, "login-wall", "url: %s leads to %s, where one signs in or consents, and not to the page",
			q.url.Host, strings.ToLower(page.URL.Hostname())).WithHint("Read another page; nobody signs in here.")
	}
	text, more, err := read(page, q.most*readFactor)
	if err != nil {
		return failed, page.Fault(err)
	}
	return pageResult(page, call.Redact(text), q.most, more), nil
}

// pageResult returns the first most characters of a page's text, after a line that names the URL.
// more says that the page was not read to its end.
func pageResult(page *rest.Page, text string, most int, more bool) executor.Result {
	r := executor.Result{ContentType: "text/plain", Status: page.Status}
	total := utf8.RuneCountInString(text)
	kept := min(total, most)
	if total > most {
		text = string([]rune(text)[:most])
	}
	if total > most || more {
		r.Truncated = &executor.Truncation{Kept: int64(kept)}
		if all := int64(total); !more {
			r.Truncated.Total = &all
		}
		r.Warnings = []string{fmt.Sprintf("the page was cut: %d characters of it are kept; max_chars allows more", kept)}
	}
	r.Text = fmt.Sprintf("%s (HTTP %d, %s)\n\n%s", page.URL, page.Status, cmp.Or(page.ContentType, "of no type"), text)
	return r
}

// Preview returns the request.
func (fetchURL) Preview(call executor.Call) (any, error) {
	q, err := pageOf(call)
	if err != nil {
		return nil, err
	}
	return struct {
		Method   string            `json:"method"`
		URL      string            `json:"url"`
		Headers  map[string]string `json:"headers"`
		MaxChars int               `json:"max_chars"`
	}{nethttp.MethodGet, q.url.String(), browserHeaders(), q.most}, nil
}

// Reach returns the host of the first request.
func (fetchURL) Reach(call executor.Call) (executor.Reach, error) {
	q, err := pageOf(call)
	if err != nil {
		return executor.Reach{}, err
	}
	return executor.Reach{Accesses: executor.WebAccesses(nethttp.MethodGet, q.url)}, nil
}

// lacksScheme matches an address that begins with a host name, with or without a port. A word
// without a dot before a colon could be a scheme, so it does not match.
var lacksScheme = lazyregexp.New(`^(localhost|[\w-]+(\.[\w-]+)+)(:\d+)?([/?#]|$)`)

// pageRequest is the request for a page.
type pageRequest struct {
	url    *url.URL
	header nethttp.Header
	most   int
}

func pageOf(call executor.Call) (pageRequest, error) {
	text, err := requiredText(call, "url")
	if err != nil {
		return pageRequest{}, err
	}
	most, err := wholeNumber(call, "max_chars", defaultChars, 1, maxChars)
	if err != nil {
		return pageRequest{}, err
	}
	address := strings.TrimSpace(text)
	if lacksScheme.MatchString(address) {
		return pageRequest{}, argumentError("url", "%q does not say how it is reached", address).WithHint("Write the whole address: https://%s", address)
	}
	u, err := dial.ParseURL(address)
	if r, ok := errors.AsType[*dial.RefusedError](err); ok {
		return pageRequest{}, r
	}
	if err != nil {
		return pageRequest{}, argumentError("url", "it is no address of a page, such as https://example.com/: %v", err)
	}
	u.Fragment, u.RawFragment = "", ""
	header := nethttp.Header{}
	for name, value := range browserHeaders() {
		header.Set(name, value)
	}
	return pageRequest{u, header, most}, nil
}

// isSignInHost reports whether the name of a host shows that people sign in or consent there.
func isSignInHost(host string) bool {
	first, rest, _ := strings.Cut(strings.ToLower(host), ".")
	return rest != "" && slices.Contains([]string{"consent", "accounts", "auth", "login", "idp", "signin"}, first)
}

// explainRefusal adds a hint about the usual cause to a refusal.
func explainRefusal(err error) error {
	e, ok := errors.AsType[*executor.Error](err)
	if ok && slices.Contains([]int{nethttp.StatusUnauthorized, nethttp.StatusForbidden, nethttp.StatusTooManyRequests}, e.Status) {
		return e.WithHint("Many sites turn away what is no browser; read another page that says the same.")
	}
	return err
}
