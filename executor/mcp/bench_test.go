package mcp_test

import (
	"testing"

	"github.com/abl-lsp/abl-lsp/executor/mcp"
	"github.com/abl-lsp/abl-lsp/tool"
)

// BenchmarkRun measures a run of a small tool in an open session, including the work of the server.
func BenchmarkRun(b *testing.B) {
	called := func(string) {}
	for name, s := range map[string]tool.Server{
		"stdio":      ourProcess(b, newWatch()),
		"streamable": {Transport: "http", URL: newRemote(b, called).URL + "/mcp"},
		"websocket":  {Transport: "websocket", URL: newRemote(b, called).URL + "/ws"},
	} {
		b.Run(name, func(b *testing.B) {
			r := newFixture(b, mcp.Options{}, one(s))
			tl := reading("grown") // it does not report its calls
			tl.Params = []tool.Param{{Name: "n", Type: &tool.Type{Name: "number"}}}
			r.value(reading("grow"), "")
			b.ReportAllocs()
			for b.Loop() {
				r.value(tl, `{"n": 10.50}`)
			}
		})
	}
}
