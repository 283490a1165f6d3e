package builtin_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	nethttp "net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/builtin"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/rest"
	"github.com/abl-lsp/abl-lsp/tool"
)

// web is a fake web: every name leads to one handler, by http and https. No other address is
// dialled.
type web struct {
	options  builtin.Options
	dialled  atomic.Int64
	requests chan *nethttp.Request
}

func newWeb(t testing.TB, h nethttp.HandlerFunc) *web {
	w := &web{requests: make(chan *nethttp.Request, 64)}
	serve := nethttp.HandlerFunc(func(rw nethttp.ResponseWriter, r *nethttp.Request) {
		select {
		case w.requests <- r.Clone(context.Background()):
		default:
		}
		h(rw, r)
	})
	plain, secure := httptest.NewServer(serve), httptest.NewTLSServer(serve)
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	connect := func(ctx context.Context, _ *net.Dialer, network, address string) (net.Conn, error) {
		w.dialled.Add(1)
		to := plain.Listener.Addr().String()
		if strings.HasSuffix(address, ":443") {
			to = secure.Listener.Addr().String()
		}
		return (&net.Dialer{}).DialContext(ctx, network, to)
	}
	roots := secure.Client().Transport.(*nethttp.Transport).TLSClientConfig.RootCAs
	w.options = builtin.Options{
		Requests:  rest.Options{Dialer: dial.New(dial.Options{Connect: connect, TLS: &tls.Config{RootCAs: roots, ServerName: "example.com"}})},
		LookupEnv: func(string) (string, bool) { return "", false },
	}
	return w
}

func (w *web) fetch(t testing.TB, pairs ...any) executor.Envelope {
	return run(t.Context(), w.options, executor.Request{Tool: toolOf("fetch_url", "url:string", "max_chars:integer?"), Args: args(t, pairs...)})
}

func (w *web) search(t testing.TB, s tool.Search, pairs ...any) executor.Envelope {
	return run(t.Context(), w.options, executor.Request{
		Tool: toolOf("web_search", "query:string", "max_results:integer?"), Args: args(t, pairs...), Environment: executor.Environment{Search: s},
	})
}

// textOnly returns the plain text of a page that no parser accepts.
func textOnly(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "The %dth paragraph speaks of geese, of rivers, and of bread. ", i)
	}
	return b.String()
}

func article(text string) string {
	return `<!doctype html><html><head><title>On geese</title><style>body { color: red }</style><script>track()</script></head>
<body><nav><a href="/a">Home</a> <a href="/b">Shop</a></nav>
<article><h1>On geese</h1><p>` + text + `</p><p>See <a href="/more?x=1">more</a>, and <b>mind</b> them.</p><ul><li>one</li><li>two</li></ul></article>
<footer>© us</footer><script>more()</script></body></html>`
}

func page(contentType, body string) nethttp.HandlerFunc {
	return func(w nethttp.ResponseWriter, _ *nethttp.Request) {
		w.Header().Set("Content-Type", contentType)
		io.WriteString(w, body)
	}
}

func TestFetchArticle(t *testing.T) {
	w := newWeb(t, page("text/html; charset=utf-8", article(textOnly(20))))
	e := w.fetch(t, "url", "https://example.com/geese#part")
	if !e.OK {
		t.Fatalf("%+v", e.Error)
	}
	head, text, _ := strings.Cut(e.Text, "\n\n")
	if head != "https://example.com/geese (HTTP 200, text/html; charset=utf-8)" {
		t.Errorf("head %q", head)
	}
	for _, want := range []string{"# On geese\n", "The 19th paragraph speaks", "[more](https://example.com/more?x=1)", "**mind**", "- one\n- two"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in %s", want, text)
		}
	}
	for _, no := range []string{"track()", "more()", "color: red", "Shop", "<"} {
		if strings.Contains(text, no) {
			t.Errorf("%q is in %s", no, text)
		}
	}
	if e.Truncated != nil || len(e.Warnings) > 0 || e.ContentType != "text/plain" || e.Attempts[0].Status != 200 {
		t.Errorf("%+v %q %s %+v", e.Truncated, e.Warnings, e.ContentType, e.Attempts)
	}
	r := <-w.requests
	if ua := r.UserAgent(); !strings.Contains(ua, "Mozilla/5.0") || !strings.Contains(ua, " Chrome/") {
		t.Errorf("User-Agent: %q", ua)
	}
	if r.Header.Get("Accept") == "" || !strings.HasPrefix(r.Header.Get("Accept-Language"), "en") || r.Header.Get("Authorization") != "" {
		t.Errorf("%v", r.Header)
	}
}

// TestFetchShort checks that the whole of a page without an article is returned.
func TestFetchShort(t *testing.T) {
	for body, want := range map[string]string{
		"<title>Now</title><p>It is <i>noon</i>.": "# Now\n\nIt is *noon*.",
		"just words":    "just words",
		"":              "",
		"<html></html>": "",
		"<p>a<script>b</script><svg><text>c</text></svg><p>d":                            "a\n\nd",
		"<table><tr><th>Air<th>Flies<tr><td>AF</td><td>1|2</td></tr><tr><td>one</table>": "Air | Flies  \nAF | 1|2  \none",
		"\ufeff<p>after a mark":                                "after a mark",
		"<p>snake_case *is* 2 &lt; 3 &amp;&amp; List&lt;T&gt;": "snake_case *is* 2 < 3 && List<T>",
		"<p>1. [x](y) # a `b` \\ \ufdd0 &amp;lt;":              "1. [x](y) # a `b` \\ \ufffd &lt;",
	} {
		t.Run(fmt.Sprintf("%.60s", body), func(t *testing.T) {
			e := newWeb(t, page("text/html", body)).fetch(t, "url", "http://example.com/")
			_, text, _ := strings.Cut(e.Text, "\n\n")
			if !e.OK || text != want {
				t.Errorf("%s: %q %+v, want %q", body, text, e.Error, want)
			}
		})
	}
}

func TestFetchRedirects(t *testing.T) {
	w := newWeb(t, func(rw nethttp.ResponseWriter, r *nethttp.Request) {
		if to := r.URL.Query().Get("to"); to != "" {
			nethttp.Redirect(rw, r, to, nethttp.StatusFound)
			return
		}
		page("text/plain", "here")(rw, r)
	})
	e := w.fetch(t, "url", "http://start.example.com/?to=https://end.example.com/x")
	if !e.OK || !strings.HasPrefix(e.Text, "https://end.example.com/x (HTTP 200, text/plain)\n\nhere") {
		t.Errorf("%q %+v", e.Text, e.Error)
	}
	<-w.requests
	if r := <-w.requests; !strings.Contains(r.UserAgent(), "Chrome") || r.Header.Get("Accept-Language") == "" || r.Header.Get("Referer") != "" {
		t.Errorf("%v", r.Header)
	}
	wants(t, w.fetch(t, "url", "https://start.example.com/?to=http://end.example.com/"), executor.KindDenied, "from https to http")
	wants(t, w.fetch(t, "url", "https://start.example.com/?to=file:///etc/passwd"), executor.KindDenied, "start.example.com has got the request and redirects to file:///etc/passwd: refused: the scheme \"file\"")
	round := "http://example.com/?to=%2F%3Fto%3D"
	loop := newWeb(t, func(rw nethttp.ResponseWriter, r *nethttp.Request) {
		nethttp.Redirect(rw, r, "/again", nethttp.StatusFound)
	})
	wants(t, loop.fetch(t, "url", round), executor.KindLimit, "more than 10 times")

	for _, wall := range []string{"consent.google.com", "accounts.google.com", "auth.example.com", "login.yahoo.com", "idp.example.com", "SignIn.example.com"} {
		t.Run(wall, func(t *testing.T) {
			e := w.fetch(t, "url", "https://finance.example.com/?to=https://"+wall+"/q")
			wants(t, e, executor.KindRemote, "leads to "+strings.ToLower(wall))
			if e.Error.Code != "login-wall" || e.Text != "" {
				t.Errorf("%s %q", e.Error.Code, e.Text)
			}
		})
	}
	for _, open := range []string{"www.login.example.com", "authors.example.com", "example.com"} {
		t.Run(open, func(t *testing.T) {
			if e := w.fetch(t, "url", "https://"+open+"/"); !e.OK {
				t.Errorf("%s: %+v", open, e.Error)
			}
		})
	}
}

func TestFetchRefusals(t *testing.T) {
	w := newWeb(t, func(rw nethttp.ResponseWriter, _ *nethttp.Request) {
		rw.WriteHeader(nethttp.StatusForbidden)
		io.WriteString(rw, "Just a moment")
	})
	e := w.fetch(t, "url", "https://example.com/")
	wants(t, e, executor.KindRemote, "403 Forbidden")
	if e.Error.Details["body"] != "Just a moment" || !strings.Contains(e.Error.Hint, "another page") {
		t.Errorf("%+v", e.Error)
	}
	for name, tt := range map[string]struct {
		url  string
		kind executor.ErrorKind
	}{
		"no scheme":         {"example.com", executor.KindArguments},
		"only a path":       {"/x", executor.KindArguments},
		"another scheme":    {"ftp://example.com/", executor.KindDenied},
		"user and password": {"http://u:p@example.com/", executor.KindDenied},
	} {
		t.Run(name, func(t *testing.T) {
			wants(t, w.fetch(t, "url", tt.url), tt.kind, "")
		})
	}
	for _, url := range []string{"localhost:1/x", "example.com", "www.example.com/a?b", "example.com:8080", "127.0.0.1:80/#a"} {
		t.Run(url, func(t *testing.T) {
			e := w.fetch(t, "url", url)
			wants(t, e, executor.KindArguments, "does not say how it is reached")
			if !strings.Contains(e.Error.Hint, "https://"+url) {
				t.Errorf("%s: %q", url, e.Error.Hint)
			}
		})
	}
	for name, url := range map[string]string{
		"a script": "javascript:1",
		"mail":     "mailto:a@example.com",
		"data":     "data:text/html,x",
	} {
		t.Run(name, func(t *testing.T) {
			wants(t, w.fetch(t, "url", url), executor.KindDenied, "only http and https are used")
		})
	}
	for name, n := range map[string]any{
		"nothing":                  0,
		"less than nothing":        -1,
		"above the limit":          200_001,
		"more than a number holds": json.RawMessage("1e999"),
	} {
		t.Run(name, func(t *testing.T) {
			wants(t, w.fetch(t, "url", "https://example.com/", "max_chars", n), executor.KindArguments, "max_chars: ")
		})
	}
	wants(t, w.fetch(t, "url", "https://example.com/", "max_chars", json.RawMessage("1.0")), executor.KindRemote, "403")
	r := executor.Request{Tool: toolOf("fetch_url", "url:string"), Args: args(t, "url", "https://shop.example.com/")}
	r.Environment.Permissions.Deny = []tool.Permission{{Kind: "web", Op: "get", Resource: "*.example.com"}}
	before := w.dialled.Load()
	wants(t, run(t.Context(), w.options, r), executor.KindDenied, "deny web:get:shop.example.com")
	if w.dialled.Load() != before {
		t.Error("it was dialled")
	}
}

func TestFetchContent(t *testing.T) {
	latin := "na\xefve caf\xe9"
	for _, tt := range []struct {
		contentType, body, want string
	}{
		{"text/plain; charset=iso-8859-1", latin, "naïve café"},
		{"text/html", `<meta charset="windows-1252"><p>` + latin, "naïve café"},
		{"text/html; charset=iso-8859-1", "<p>" + latin, "naïve café"},
		{"text/plain; charset=shift_jis", "\x93\xfa\x96{", "日本"},
		{"text/plain; charset=utf-16le", "h\x00i\x00", "hi"},
		{"text/plain; charset=utf-8", "a\xffb", "a\ufffdb"},
		{"text/plain; charset=no-such", "plain", "plain"},
		{"application/json", `{"n": 12345678901234567890}`, `{"n": 12345678901234567890}`},
		{"application/ld+json", `{}`, `{}`},
		{"text/csv", "a;b\n1;2", "a;b\n1;2"},
		{"", "words without a type", "words without a type"},
		{"nonsense;;", "words", "words"},
		{"text/html", "\xff\xfe<\x00p\x00>\x00h\x00\xe9\x00", "hé"},
		{"application/xhtml+xml", "<html><p>strict</p></html>", "strict"},
	} {
		t.Run(tt.body, func(t *testing.T) {
			w := newWeb(t, func(rw nethttp.ResponseWriter, _ *nethttp.Request) {
				rw.Header()["Content-Type"] = []string{tt.contentType}
				if tt.contentType == "" {
					rw.Header()["Content-Type"] = nil
				}
				io.WriteString(rw, tt.body)
			})
			e := w.fetch(t, "url", "http://example.com/")
			head, text, _ := strings.Cut(e.Text, "\n\n")
			if !e.OK || text != tt.want {
				t.Errorf("%s: %q %+v, want %q", tt.contentType, text, e.Error, tt.want)
			}
			if tt.contentType == "" && !strings.HasSuffix(head, " (HTTP 200, of no type)") {
				t.Errorf("head %q", head)
			}
		})
	}
	for name, tt := range map[string]struct{ contentType, body string }{
		"a picture":              {"image/png", "\x89PNG\r\n\x1a\n"},
		"a PDF":                  {"application/pdf", "%PDF-1.7"},
		"bytes":                  {"application/octet-stream", "words"},
		"a PDF sent as HTML":     {"text/html", "%PDF-1.7 \x00\x01"},
		"a program sent as text": {"text/plain", "\x7fELF\x02\x01\x01\x00\x00\x00"},
		"a film":                 {"video/mp4", ""},
	} {
		t.Run(name, func(t *testing.T) {
			e := newWeb(t, page(tt.contentType, tt.body+strings.Repeat("\x00\x01", 100))).fetch(t, "url", "http://example.com/")
			wants(t, e, executor.KindRemote, "has no text to read")
		})
	}
}

// TestFetchLong checks that no more text is returned than was asked for, and that reading ends at
// three times that.
func TestFetchLong(t *testing.T) {
	text := textOnly(400) // some 24,000 characters
	w := newWeb(t, page("text/html", article(text)))
	e := w.fetch(t, "url", "http://example.com/", "max_chars", 1000)
	_, got, _ := strings.Cut(e.Text, "\n\n")
	if !e.OK || len([]rune(got)) != 1000 || e.Truncated == nil || e.Truncated.Kept != 1000 || e.Truncated.Total != nil {
		t.Errorf("%d characters, %+v, %+v", len([]rune(got)), e.Truncated, e.Error)
	}
	if want := []string{"the page was cut: 1000 characters of it are kept; max_chars allows more"}; !slices.Equal(e.Warnings, want) {
		t.Errorf("%q", e.Warnings)
	}
	e = w.fetch(t, "url", "http://example.com/", "max_chars", 10_000)
	if e.Truncated == nil || e.Truncated.Kept != 10_000 || e.Truncated.Total == nil || *e.Truncated.Total < 24_000 {
		t.Errorf("%+v", e.Truncated)
	}
	if e = w.fetch(t, "url", "http://example.com/", "max_chars", 100_000); e.Truncated != nil {
		t.Errorf("%+v", e.Truncated)
	}
	if e = w.fetch(t, "url", "http://example.com/"); e.Truncated == nil || e.Truncated.Kept != 8000 {
		t.Errorf("%+v", e.Truncated)
	}
	e = newWeb(t, page("text/plain", strings.Repeat("ü", 5000))).fetch(t, "url", "http://example.com/", "max_chars", 10)
	if !strings.HasSuffix(e.Text, "\n\n"+strings.Repeat("ü", 10)) || e.Truncated.Kept != 10 || e.Truncated.Total != nil {
		t.Errorf("%q %+v", e.Text, e.Truncated)
	}
}

// TestFetchEndless checks that only a bounded part of an endless page is read, whatever it
// contains.
func TestFetchEndless(t *testing.T) {
	for name, of := range map[string]struct{ start, again string }{
		"text":       {"<body><p>", "The same words again. "},
		"tags":       {"<body>", "<div class=deep>"},
		"siblings":   {"<body>", "<br><i></i>"},
		"spaces":     {"<body><p>x", " "},
		"comment":    {"<body><!--", "never ends "},
		"attribute":  {"<body><p title='", "never ends "},
		"script":     {"<body><script>", "var x = 1; "},
		"tables":     {"<body>", "<table><tr><td>"},
		"formatting": {"<body><p>", "<b><i><a href=x>"},
	} {
		t.Run(name, func(t *testing.T) {
			var sent atomic.Int64
			w := newWeb(t, func(rw nethttp.ResponseWriter, r *nethttp.Request) {
				rw.Header().Set("Content-Type", "text/html")
				io.WriteString(rw, of.start)
				chunk := []byte(strings.Repeat(of.again, 64<<10/len(of.again)))
				for r.Context().Err() == nil && sent.Load() < 1<<30 {
					n, err := rw.Write(chunk)
					if sent.Add(int64(n)); err != nil {
						return
					}
				}
			})
			e := w.fetch(t, "url", "http://example.com/")
			if sent.Load() >= 1<<28 {
				t.Errorf("%d MB were read", sent.Load()>>20)
			}
			if !e.OK && e.Error.Kind != executor.KindLimit || e.OK && e.Truncated == nil {
				t.Errorf("%+v %+v", e.Error, e.Truncated)
			}
		})
	}
}

// TestFetchBomb checks that a small page that decompresses to a huge one is read no further than
// others.
func TestFetchBomb(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, "<body><p>")
	chunk := []byte(strings.Repeat("a b ", 1<<18))
	for range 16 {
		z.Write(chunk)
	}
	z.Close()
	w := newWeb(t, func(rw nethttp.ResponseWriter, _ *nethttp.Request) {
		rw.Header().Set("Content-Type", "text/html")
		rw.Header().Set("Content-Encoding", "gzip")
		rw.Write(b.Bytes())
	})
	e := w.fetch(t, "url", "http://example.com/")
	if !e.OK || e.Truncated == nil || e.Truncated.Kept > 8000 {
		t.Errorf("%+v %+v", e.Truncated, e.Error)
	}
}

func TestFetchCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	w := newWeb(t, func(rw nethttp.ResponseWriter, r *nethttp.Request) {
		rw.Header().Set("Content-Type", "text/html")
		io.WriteString(rw, "<p>a")
		rw.(nethttp.Flusher).Flush()
		cancel() // before or after the head of the answer is read
		<-r.Context().Done()
	})
	e := run(ctx, w.options, executor.Request{Tool: toolOf("fetch_url", "url:string"), Args: args(t, "url", "http://example.com/")})
	if e.OK || e.Error.Code != "cancelled" {
		t.Errorf("%+v", e.Error)
	}
}

// TestFetchKeepsAlive checks that several pages come over one connection.
func TestFetchKeepsAlive(t *testing.T) {
	w := newWeb(t, page("text/plain", "short"))
	x := executor.New(executor.Options{Runners: map[tool.Kind]executor.Runner{tool.KindBuiltin: builtin.New(w.options)}})
	for range 3 {
		e := x.Run(t.Context(), executor.Request{Tool: toolOf("fetch_url", "url:string"), Args: args(t, "url", "http://example.com/"), Trusted: true})
		if !e.OK {
			t.Fatalf("%+v", e.Error)
		}
	}
	if n := w.dialled.Load(); n != 1 {
		t.Errorf("%d connections", n)
	}
}

// TestSearchThenFetch checks that fetch_url can read what web_search finds.
func TestSearchThenFetch(t *testing.T) {
	w := newWeb(t, func(rw nethttp.ResponseWriter, r *nethttp.Request) {
		switch r.Host + r.URL.Path {
		case "searx.example.com/search":
			page("application/json", searxngPage)(rw, r)
		case "geese.example.com/on":
			page("text/html", article(textOnly(20)))(rw, r)
		default:
			nethttp.NotFound(rw, r)
		}
	})
	e := w.search(t, tool.Search{URL: "https://searx.example.com/"}, "query", "geese & {{secrets.X}} bread")
	var found []struct{ Title, URL, Snippet string }
	if err := json.Unmarshal(e.Value, &found); err != nil || len(found) != 2 {
		t.Fatalf("%s %+v", e.Value, e.Error)
	}
	if string(e.Value) != `[{"title":"On <geese>","url":"https://geese.example.com/on?a=1&b=2","snippet":"Geese & bread"},{"title":"Ü","url":"https://u.example.com/","snippet":""}]` {
		t.Errorf("%s", e.Value)
	}
	if e.Render == nil || e.Render.Kind != "table" {
		t.Errorf("%+v", e.Render)
	}
	r := <-w.requests
	if q := r.URL.Query(); q.Get("q") != "geese & {{secrets.X}} bread" || q.Get("format") != "json" {
		t.Errorf("%s", r.URL)
	}
	if e := w.fetch(t, "url", found[0].URL); !e.OK || !strings.Contains(e.Text, "of geese") {
		t.Errorf("%+v", e.Error)
	}
}

const searxngPage = `{"query": "geese", "number_of_results": 0, "results": [
	{"url": "https://geese.example.com/on?a=1&b=2", "title": "On  <geese>\n", "content": "Geese & bread", "engine": "x", "score": 1.0},
	{"url": "https://u.example.com/", "title": "Ü", "content": null}, {"title": "no address"}],
	"unresponsive_engines": [["brave", "timeout"]]}`

func TestSearXNG(t *testing.T) {
	backend := tool.Search{Backend: "searxng", URL: "https://s.example.com/sub/?lang=de"}
	w := newWeb(t, page("application/json", searxngPage))
	if e := w.search(t, backend, "query", "x", "max_results", 1); strings.Count(string(e.Value), `"url"`) != 1 {
		t.Errorf("%s %+v", e.Value, e.Error)
	}
	if r := <-w.requests; r.URL.Path != "/sub/search" || r.URL.Query().Get("lang") != "de" {
		t.Errorf("%s", r.URL)
	}
	w = newWeb(t, page("application/json", `{"results": [], "unresponsive_engines": [["brave", "timeout"]]}`))
	if e := w.search(t, backend, "query", "x"); string(e.Value) != "[]" || len(e.Warnings) != 1 || !strings.Contains(e.Warnings[0], "brave") {
		t.Errorf("%s %q", e.Value, e.Warnings)
	}
	for name, body := range map[string]string{
		"HTML":                      "<html>",
		"no results":                "{}",
		"a list":                    "[]",
		"results that are a number": `{"results": 1}`,
		"nothing":                   "",
	} {
		t.Run(name, func(t *testing.T) {
			e := newWeb(t, page("application/json", body)).search(t, backend, "query", "x")
			wants(t, e, executor.KindRemote, "not what SearXNG gives")
		})
	}
	e := newWeb(t, nethttp.NotFound).search(t, backend, "query", "x")
	wants(t, e, executor.KindRemote, "404") // as another site answers, or a path beside it
	if !strings.Contains(e.Error.Hint, "search.url") {
		t.Errorf("hint %q", e.Error.Hint)
	}
	e = newWeb(t, func(rw nethttp.ResponseWriter, _ *nethttp.Request) { rw.WriteHeader(nethttp.StatusForbidden) }).search(t, backend, "query", "x")
	wants(t, e, executor.KindRemote, "403") // as it answers where JSON is switched off
	if !strings.Contains(e.Error.Hint, "search.formats") {
		t.Errorf("hint %q", e.Error.Hint)
	}
	wants(t, w.search(t, tool.Search{Backend: "searxng"}, "query", "x"), executor.KindDefinition, "nothing says where")
	wants(t, w.search(t, tool.Search{URL: "s.example.com"}, "query", "x"), executor.KindDefinition, "begin with http")
	wants(t, w.search(t, tool.Search{Backend: "bing"}, "query", "x"), executor.KindDefinition, `"bing", which abl.yaml or CORAIL_SEARCH_BACKEND names, is none of`)
	wants(t, w.search(t, backend, "query", ""), executor.KindArguments, "query: is missing")
	wants(t, w.search(t, backend, "query", "x", "max_results", 51), executor.KindArguments, "max_results: ")

	for name, env := range map[string]map[string]string{
		"variables":     {"CORAIL_SEARCH_BACKEND": "searxng", "CORAIL_SEARXNG_URL": "https://s.example.com"},
		"abl.yaml wins": {"CORAIL_SEARCH_BACKEND": "ddgs", "CORAIL_SEARXNG_URL": "https://other.example.com"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWeb(t, page("application/json", searxngPage))
			w.options.LookupEnv = func(name string) (string, bool) { v, ok := env[name]; return v, ok }
			s := tool.Search{}
			if env["CORAIL_SEARCH_BACKEND"] == "ddgs" {
				s = tool.Search{Backend: "searxng", URL: "https://s.example.com"}
			}
			if e := w.search(t, s, "query", "x"); !e.OK {
				t.Errorf("%s: %+v", name, e.Error)
			}
			if r := <-w.requests; r.Host != "s.example.com" {
				t.Errorf("%s: %s", name, r.Host)
			}
		})
	}

	keyed := executor.Request{
		Tool: toolOf("web_search", "query:string"), Args: args(t, "query", "x"), Secrets: map[string]string{"K": "s3cret-value"},
		Environment: executor.Environment{Search: tool.Search{URL: "https://s.example.com/?key={{secrets.K}}"}},
	}
	if e := run(t.Context(), newWeb(t, page("application/json", searxngPage)).options, keyed); !e.OK || strings.Contains(string(e.Request), "s3cret") {
		t.Errorf("%s %+v", e.Request, e.Error)
	}
	keyed.Environment.Search.URL = "https://{{query}}.example.com"
	wants(t, run(t.Context(), w.options, keyed), executor.KindDefinition, "the host cannot come from")
}

const duckDuckGoPage = `<html><body><div id="links" class="results">
<div class="result results_links result--ad"><a class="result__a" href="https://duckduckgo.com/y.js?ad=1">Buy</a></div>
<div class="result results_links_deep web-result"><h2 class="result__title"><a rel="nofollow" class="result__a"
 href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fgeese.example.com%2Fon%3Fa%3D1&amp;rut=abc">On <b>geese</b></a></h2>
 <a class="result__snippet" href="//duckduckgo.com/l/?uddg=x">Geese &amp; <b>bread</b></a></div>
<div class="result"><a class="result__a" href="https://u.example.com/">Ü</a></div>
<div class="result"><a class="result__a" href="javascript:1">No</a></div>
</div></body></html>`

func TestDuckDuckGo(t *testing.T) {
	w := newWeb(t, page("text/html; charset=UTF-8", duckDuckGoPage))
	e := w.search(t, tool.Search{}, "query", "geese & bread")
	want := `[{"title":"On geese","url":"https://geese.example.com/on?a=1","snippet":"Geese & bread"},{"title":"Ü","url":"https://u.example.com/","snippet":""}]`
	if string(e.Value) != want {
		t.Errorf("%s %+v", e.Value, e.Error)
	}
	r := <-w.requests
	if r.Host != "html.duckduckgo.com" || r.URL.Query().Get("q") != "geese & bread" || !strings.Contains(r.UserAgent(), "Chrome") {
		t.Errorf("%s%s %s", r.Host, r.URL, r.UserAgent())
	}
	for name, tt := range map[string]struct{ body, part string }{
		"a challenge":  {`<form id="challenge-form"></form>`, "a person"},
		"a window":     {`<div class="anomaly-modal__title">Bots, too</div>`, "a person"},
		"another page": {`<html><body>Something else altogether</body></html>`, "has changed"},
	} {
		t.Run(name, func(t *testing.T) {
			wants(t, newWeb(t, page("text/html", tt.body)).search(t, tool.Search{Backend: "ddgs"}, "query", "x"), executor.KindRemote, tt.part)
		})
	}
	e = newWeb(t, page("text/html", `<div class="no-results">Nothing</div>`)).search(t, tool.Search{Backend: "duckduckgo"}, "query", "x")
	if string(e.Value) != "[]" {
		t.Errorf("%s %+v", e.Value, e.Error)
	}
	wants(t, w.search(t, tool.Search{Backend: "ddgs", URL: "https://x.example.com"}, "query", "x"), executor.KindDefinition, "url is for the backend searxng")
}

// FuzzFetch checks that any bytes give a page, or an error about the page.
func FuzzFetch(f *testing.F) {
	for _, s := range []string{article(textOnly(3)), "<", "<p", "<!--", "<svg><p>", strings.Repeat("<table>", 600), "\xff\xfe<p>", "<title>"} {
		f.Add([]byte(s), "text/html")
	}
	f.Add([]byte("a\x00b"), "text/plain; charset=utf-16")
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		w := newWeb(t, func(rw nethttp.ResponseWriter, _ *nethttp.Request) {
			rw.Header().Set("Content-Type", contentType)
			rw.Write(body)
		})
		e := w.fetch(t, "url", "http://example.com/", "max_chars", 50)
		if !e.OK && e.Error.Kind != executor.KindRemote && e.Error.Kind != executor.KindNetwork {
			t.Fatalf("%+v", e.Error)
		}
		if _, text, _ := strings.Cut(e.Text, "\n\n"); e.OK && len([]rune(text)) > 50 {
			t.Fatalf("%q", e.Text)
		}
	})
}

func BenchmarkFetch(b *testing.B) {
	w := newWeb(b, page("text/html", article(textOnly(400))))
	x := executor.New(executor.Options{Runners: map[tool.Kind]executor.Runner{tool.KindBuiltin: builtin.New(w.options)}})
	r := executor.Request{Tool: toolOf("fetch_url", "url:string"), Args: args(b, "url", "http://example.com/"), Trusted: true}
	for b.Loop() {
		if e := x.Run(b.Context(), r); !e.OK {
			b.Fatal(e.Error)
		}
	}
}
