package main

import (
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/http"
	"github.com/abl-lsp/abl-lsp/tool"
)

// newExecutor makes the executor with every kind that this program runs.
func newExecutor() *executor.Executor {
	return executor.New(executor.Options{
		Runners: map[tool.Kind]executor.Runner{
			tool.KindHTTP: http.New(http.Options{UserAgent: "abl-lsp/" + version}),
		},
	})
}
