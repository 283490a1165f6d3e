package http_test

import (
	nethttp "net/http"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestPieces checks that streaming text is shown while it arrives, in whole characters and without
// secrets.
func TestPieces(t *testing.T) {
	tests := []struct {
		name      string
		streaming tool.Flag
		media     string
		body      []string
		want      string
	}{
		{"events", "true", "text/event-stream", []string{"data: one\n\n", "data: two\n\n"}, "data: one\n\ndata: two\n\n"},
		{"lines of JSON", "true", "application/x-ndjson", []string{"{\"a\": 1}\n", "{\"a\": 2}\n"}, "{\"a\": 1}\n{\"a\": 2}\n"},
		{"a character in two", "true", "text/plain; charset=UTF-8", []string{"caf\xc3", "\xa9, ol\xe2\x82", "\xac"}, "café, ol€"},
		{"behind a byte-order mark", "true", "text/event-stream", []string{"\ufeffdata: one\n\n", "data: two\n\n"}, "data: one\n\ndata: two\n\n"},
		{"a character that ends nowhere", "true", "text/plain", []string{"ab", "caf\xc3"}, "abcaf\ufffd"},
		{"a secret in two", "true", "text/plain", []string{"ab", "is hunter", "2hunter2!"}, "abis ••••(PASSWORD)!"},
		{"a document of JSON", "true", "application/json", []string{`{"a":`, `1}`}, ""},
		{"other characters", "true", "text/plain; charset=iso-8859-1", []string{"caf\xe9"}, ""},
		{"a picture", "true", "image/png", []string{"\x89PNG"}, ""},
		{"one that does not stream", "", "text/plain", []string{"Hello"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			seen := make(chan struct{}, len(tt.body))
			s := newServer(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) {
				w.Header().Set("Content-Type", tt.media)
				for i, part := range tt.body {
					if i > 0 && tt.want != "" {
						<-seen
					}
					_, _ = w.Write([]byte(part))
					w.(nethttp.Flusher).Flush()
				}
			})
			tl := a(&tool.HTTP{Endpoint: "/", Method: "GET", Headers: map[string]string{"X-Key": "{{secrets.PASSWORD}}"}})
			tl.Streaming = tt.streaming
			r := s.request(tl, `{}`)
			r.Secrets = map[string]string{"PASSWORD": "hunter2hunter2"}
			var got []string
			r.Report = func(p executor.Progress) {
				if p.Chunk != "" {
					got = append(got, p.Chunk)
					seen <- struct{}{}
				}
			}
			e := newExecutor().Run(t.Context(), r)
			succeeds(t, e)
			if strings.Join(got, "") != tt.want || tt.want != "" && e.Text != tt.want {
				t.Errorf("%q of %q, want %q", got, e.Text, tt.want)
			}
		})
	}
}

// TestPiecesBeyondTheCap checks that streaming text above the limit is an error.
func TestPiecesBeyondTheCap(t *testing.T) {
	s := newServer(t, func(w nethttp.ResponseWriter, _ *nethttp.Request) {
		w.Header().Set("Content-Type", "text/plain")
		_, _ = w.Write([]byte(strings.Repeat("x", 2000)))
	})
	tl := a(&tool.HTTP{Endpoint: "/", Method: "GET"})
	tl.Streaming = "true"
	r := s.request(tl, `{}`)
	r.Environment.Limits.ResponseBytes = 1000
	shown := 0
	r.Report = func(p executor.Progress) { shown += len(p.Chunk) }
	if wants(t, newExecutor().Run(t.Context(), r), executor.KindLimit); shown > 1001 {
		t.Errorf("%d bytes are shown", shown)
	}
}
