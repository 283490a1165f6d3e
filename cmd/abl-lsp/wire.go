package main

import (
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/http"
	"github.com/abl-lsp/abl-lsp/executor/mcp"
	"github.com/abl-lsp/abl-lsp/executor/rest"
	"github.com/abl-lsp/abl-lsp/executor/sandbox"
	"github.com/abl-lsp/abl-lsp/executor/webhook"
	"github.com/abl-lsp/abl-lsp/internal/place"
	"github.com/abl-lsp/abl-lsp/tool"
)

// newExecutor makes the executor with every kind that this program runs. It must be
// closed.
func newExecutor() *executor.Executor {
	dialer := dial.New(dial.Options{})
	requests := rest.Options{Dialer: dialer, UserAgent: "abl-lsp/" + version}
	return executor.New(executor.Options{
		StateDir: place.State(),
		Runners: map[tool.Kind]executor.Runner{
			tool.KindMCP:          mcp.New(mcp.Options{Dialer: dialer, Version: version}),
			tool.KindSandbox:      sandbox.New(sandbox.Options{CacheDir: place.Cache()}),
			tool.KindHTTP:         http.New(requests),
			tool.KindAsyncWebhook: webhook.New(requests),
		},
	})
}
