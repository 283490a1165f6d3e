package http_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/json"
	"fmt"
	"io"
	nethttp "net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// compressions are the content encodings of servers, with the functions that write them.
var compressions = []struct {
	name  string
	write func(io.Writer) io.WriteCloser
}{
	{"gzip", func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }},
	{"deflate", func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }},
	{"Deflate", func(w io.Writer) io.WriteCloser { z, _ := flate.NewWriter(w, 5); return z }},
	{"br", func(w io.Writer) io.WriteCloser { return brotli.NewWriterLevel(w, 1) }},
	{"identity", func(w io.Writer) io.WriteCloser { return nopCloser{w} }},
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

func TestEncodings(t *testing.T) {
	for _, c := range compressions {
		t.Run(c.name, func(t *testing.T) {
			for _, status := range []int{200, 422} {
				t.Run(fmt.Sprint(status), func(t *testing.T) {
					s := newServer(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) {
						w.Header().Set("Content-Encoding", c.name)
						w.WriteHeader(status)
						z := c.write(w)
						_, _ = io.WriteString(z, `{"a": "ü"}`)
						_ = z.Close()
					})
					e := s.run(t, a(&tool.HTTP{Method: "GET", Endpoint: "/"}), `{}`)
					if status == 200 {
						succeeds(t, e)
						if string(e.Value) != `{"a": "ü"}` {
							t.Errorf("%s: %s", c.name, e.Value)
						}
						return
					}
					if err := wants(t, e, executor.KindRemote); err.Details["body"] != `{"a": "ü"}` {
						t.Errorf("%s: %+v", c.name, err)
					}
				})
			}
		})
	}
}

// TestDecompressionBombs checks that a small answer that decompresses to a large one is limited
// like any other.
func TestDecompressionBombs(t *testing.T) {
	for _, c := range compressions[:4] {
		var bomb bytes.Buffer
		z := c.write(&bomb)
		chunk := make([]byte, 1<<20)
		for range 8 {
			_, _ = z.Write(chunk)
		}
		_ = z.Close()
		s := newServer(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) {
			w.Header().Set("Content-Encoding", c.name)
			_, _ = w.Write(bomb.Bytes())
		})
		r := s.request(a(&tool.HTTP{Method: "GET", Endpoint: "/"}), `{}`)
		r.Environment.Limits.ResponseBytes = 256 << 10
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		wants(t, newExecutor().Run(t.Context(), r), executor.KindLimit)
		runtime.ReadMemStats(&after)
		if got := (after.TotalAlloc - before.TotalAlloc) >> 20; got > 12 {
			t.Errorf("%s: %d MB allocated", c.name, got)
		}
	}
}

// TestBytes checks that an answer of bytes arrives completely as base64 if its media type is not
// text, and that text stays text.
func TestBytes(t *testing.T) {
	const replaced = 1 // warning
	for _, c := range []struct {
		media, body, want, encoding string
		warnings                    int
	}{
		{"image/x; a=b", "\x89PNG\r\n\x1a\n\xff", "iVBORw0KGgr/", "base64", 0},
		{"image/x", "<svg>🛫</svg>", "<svg>🛫</svg>", "", 0},
		{"application/pdf", "%PDF\x00\xff", "JVBERgD/", "base64", 0},
		{"audio/mpeg", "\xff\xfb", "//s=", "base64", 0},
		{"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "PK\x03\xff", "UEsD/w==", "base64", 0},
		{"application/vnd.oasis.opendocument.text", "PK\x03\xff", "UEsD/w==", "base64", 0},
		{"application/vnd.sqlite3", "SQLite\xff", "U1FMaXRl/w==", "base64", 0},
		{"binary/octet-stream", "\x00\xff", "AP8=", "base64", 0},
		{"application/pdf", "as text 🛫", "as text 🛫", "", 0},
		{"application/octet-stream; charset=iso-8859-1", "caf\xe9", "café", "", 0},
		{"application/x-yaml", "a: caf\xe9", "a: caf\ufffd", "", replaced},
		{"application/x-ndjson", "caf\xe9", "caf\ufffd", "", replaced},
		{"application/xml-dtd", "caf\xe9", "caf\ufffd", "", replaced},
		{"application/atom+xml", "caf\xe9", "caf\ufffd", "", replaced},
		{"application/x-www-form-urlencoded", "a=caf\xe9", "a=caf\ufffd", "", replaced},
		{"application/javascript", "caf\xe9", "caf\ufffd", "", replaced},
		{"text/plain", "caf\xe9", "caf\ufffd", "", replaced},
	} {
		t.Run(fmt.Sprintf("%.60s", c.media), func(t *testing.T) {
			s := newServer(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) {
				w.Header().Set("Content-Type", c.media)
				_, _ = io.WriteString(w, c.body)
			})
			e := s.run(t, a(&tool.HTTP{Method: "GET", Endpoint: "/"}), `{}`)
			succeeds(t, e)
			var value string
			media, _, _ := strings.Cut(c.media, ";")
			if err := json.Unmarshal(e.Value, &value); err != nil || value != c.want || e.Text != c.want || e.ContentType != media || e.Encoding != c.encoding || len(e.Warnings) != c.warnings {
				t.Errorf("%s, %q: %v, %+v", c.media, c.body, err, e)
			}
		})
	}
}

func TestBadEncodings(t *testing.T) {
	for _, name := range []string{"gzip", "deflate", "br", "zstd", "gzip, br", strings.Repeat("x", 100)} {
		t.Run(fmt.Sprintf("%.60s", name), func(t *testing.T) {
			s := newServer(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) {
				w.Header().Set("Content-Encoding", name)
				_, _ = io.WriteString(w, strings.Repeat("\xff\xff not what it says", 1000))
			})
			if err := wants(t, s.run(t, a(&tool.HTTP{Method: "GET", Endpoint: "/", Retry: "1"}), `{}`), executor.KindRemote); err.Code != "content-encoding" {
				t.Errorf("%s: %+v", name, err)
			}
			if got := s.requests(); len(got) != 1 {
				t.Errorf("%s: %d requests", name, len(got))
			}
		})
	}
	for _, c := range compressions[:4] {
		t.Run(c.name+", cut", func(t *testing.T) {
			var whole bytes.Buffer
			z := c.write(&whole)
			_, _ = io.WriteString(z, strings.Repeat("text 🛫", 1000))
			_ = z.Close()
			for what, cut := range map[string]int{
				"after one byte":       1,
				"in the middle":        whole.Len() / 2,
				"before the last byte": whole.Len() - 1,
			} {
				t.Run(what, func(t *testing.T) {
					s := newServer(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) {
						w.Header().Set("Content-Encoding", c.name)
						_, _ = w.Write(whole.Bytes()[:cut])
					})
					if err := wants(t, s.run(t, a(&tool.HTTP{Method: "GET", Endpoint: "/", Retry: "1"}), `{}`), executor.KindRemote); err.Code != "content-encoding" {
						t.Errorf("%s, cut after %d of %d: %+v", c.name, cut, whole.Len(), err)
					}
					if got := s.requests(); len(got) != 1 {
						t.Errorf("%s, cut after %d: %d requests", c.name, cut, len(got))
					}
				})
			}
		})
	}
	for _, name := range []string{"gzip", "deflate", "br"} {
		t.Run(name+" without content", func(t *testing.T) {
			s := newServer(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) {
				w.Header().Set("Content-Encoding", name)
				w.WriteHeader(nethttp.StatusNoContent)
			})
			succeeds(t, s.run(t, a(&tool.HTTP{Method: "GET", Endpoint: "/"}), `{}`))
		})
	}
}
