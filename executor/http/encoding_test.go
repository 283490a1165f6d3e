package http_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/json"
	"io"
	nethttp "net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// compressions are what servers call an encoding, and how they write it.
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
		for _, status := range []int{200, 422} {
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
				continue
			}
			if err := wants(t, e, executor.KindRemote); err.Details["body"] != `{"a": "ü"}` {
				t.Errorf("%s: %+v", c.name, err)
			}
		}
	}
}

// A small answer that becomes a large one is cut off like any other.
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

// TestImage: an image comes whole, as text that JSON can hold; one that is text stays it.
func TestImage(t *testing.T) {
	for body, want := range map[string]string{"\x89PNG\r\n\x1a\n\xff": "iVBORw0KGgr/", "<svg>🛫</svg>": "<svg>🛫</svg>"} {
		s := newServer(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) {
			w.Header().Set("Content-Type", "image/x; a=b")
			_, _ = io.WriteString(w, body)
		})
		e := s.run(t, a(&tool.HTTP{Method: "GET", Endpoint: "/"}), `{}`)
		succeeds(t, e)
		var value string
		if err := json.Unmarshal(e.Value, &value); err != nil || value != want || e.Text != want || e.ContentType != "image/x" || len(e.Warnings) > 0 {
			t.Errorf("%q: %v, %+v", body, err, e)
		}
	}
}

func TestBadEncodings(t *testing.T) {
	for _, name := range []string{"gzip", "deflate", "br", "zstd", "gzip, br", strings.Repeat("x", 100)} {
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
	}
	for _, name := range []string{"gzip", "deflate", "br"} {
		s := newServer(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) {
			w.Header().Set("Content-Encoding", name)
			w.WriteHeader(nethttp.StatusNoContent)
		})
		succeeds(t, s.run(t, a(&tool.HTTP{Method: "GET", Endpoint: "/"}), `{}`))
	}
}
