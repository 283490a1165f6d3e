package lambda_test

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/lambda"
	"github.com/abl-lsp/abl-lsp/executor/process"
	"github.com/abl-lsp/abl-lsp/internal/testdeps"
	"github.com/abl-lsp/abl-lsp/tool"
)

// offline starts the emulator of npm's serverless-offline, and returns its URL.
func offline(t *testing.T) string {
	t.Helper()
	node, modules := testdeps.FindNPMPackage(t, "serverless-offline")
	p, err := process.Start(t.Context(), process.Command{
		Words: []string{node, "testdata/offline/server.mjs", modules}, Pipe: true, Stderr: os.Stderr,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	line, err := bufio.NewReader(p.Out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return "http://127.0.0.1:" + strings.TrimSpace(line)
}

// TestServerlessOffline checks calls through another project's emulator of AWS.
func TestServerlessOffline(t *testing.T) {
	credentials(t)
	url := offline(t)
	r := newFixture(t, lambda.Options{})
	r.functions = map[string]tool.Function{
		"document-processor": {Provider: "aws", Name: "documents", Region: "eu-west-1", Endpoint: url},
		"gone":               {Provider: "aws", Name: "gone", Region: "eu-west-1", Endpoint: url},
	}
	run := func(function, args string) executor.Envelope {
		tl := call(function)
		tl.Params = []tool.Param{{Name: "document_url", Type: &tool.Type{Name: "string"}}, {Name: "format", Type: &tool.Type{Name: "string"}}}
		req := r.request(tl)
		req.Args = []byte(args)
		req.AllowHosts = []string{strings.TrimPrefix(url, "http://")}
		return r.Run(t.Context(), req)
	}
	e := run("document-processor", `{"document_url": "a.pdf", "format": "pdf"}`)
	if !e.OK || !strings.HasPrefix(string(e.Value), `{"text":"The text of a.pdf","pages":12,"id":"`) {
		t.Errorf("%s %+v", e.Value, e.Error)
	}
	e = run("document-processor", `{"document_url": "a.djvu", "format": "djvu"}`)
	wants(t, e, executor.KindRemote, "function-error", "document-processor failed: no format: djvu")
	if stack, ok := e.Error.Details["stackTrace"].([]any); !ok || !strings.Contains(stack[0].(string), "TypeError") {
		t.Errorf("%v", e.Error.Details)
	}
	wants(t, run("gone", `{"document_url": "a", "format": "b"}`), executor.KindRemote, "aws-ResourceNotFoundException", "Function not found: gone")
}
