package http_test

import (
	"bytes"
	"encoding/json"
	"io"
	nethttp "net/http"
	"net/http/httptest"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/tool"
)

// BenchmarkRun compares a run over loopback with Go's own client making the
// same request and decoding the same answer: alone, and 64 at a time.
func BenchmarkRun(b *testing.B) {
	srv := answering(b)
	guard, err := dial.NewGuard([]string{srv.addr()})
	if err != nil {
		b.Fatal(err)
	}
	client := &nethttp.Client{Transport: shared.Transport(guard)}
	tl := a(&tool.HTTP{Method: "POST", Endpoint: "/hotels/{id}/rooms", Headers: map[string]string{"X-Key": "{{secrets.KEY}}"}}, "id", "from", "to")
	tl.Hints.SideEffects = "false"
	req := srv.request(tl, `{"id": "h 1", "from": "2026-06-01", "to": "2026-06-05"}`)
	req.Secrets = map[string]string{"KEY": "some-secret-value"}
	x := newExecutor()
	for _, bm := range []struct {
		name string
		once func() error
	}{
		{"client", func() error { return plain(client, srv.URL) }},
		{"run", func() error { return run(b, x, req) }},
	} {
		b.Run(bm.name+"/alone", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := bm.once(); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(bm.name+"/64", func(b *testing.B) {
			b.ReportAllocs()
			b.SetParallelism(64)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if err := bm.once(); err != nil {
						b.Error(err)
						return
					}
				}
			})
		})
	}
}

// answering gives every request the same small answer, and keeps nothing.
func answering(b *testing.B) *server {
	b.Helper()
	s := &server{Server: httptest.NewServer(nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"rooms": [{"id": "r1", "price": 120.50}, {"id": "r2", "price": 99}], "total": 2}`)
	}))}
	b.Cleanup(s.Close)
	return s
}

func run(b *testing.B, x *executor.Executor, req executor.Request) error {
	if e := x.Run(b.Context(), req); !e.OK {
		return e.Error
	}
	return nil
}

func plain(c *nethttp.Client, url string) error {
	req, err := nethttp.NewRequest(nethttp.MethodPost, url+"/hotels/h%201/rooms", bytes.NewReader([]byte(`{"from":"2026-06-01","to":"2026-06-05"}`)))
	if err != nil {
		return err
	}
	req.Header.Set("X-Key", "some-secret-value")
	req.Header.Set("Content-Type", "application/json")
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	var v any
	return json.Unmarshal(body, &v)
}
