package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/builtin"
	"github.com/abl-lsp/abl-lsp/executor/cli"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/http"
	"github.com/abl-lsp/abl-lsp/executor/lambda"
	"github.com/abl-lsp/abl-lsp/executor/mcp"
	"github.com/abl-lsp/abl-lsp/executor/module"
	"github.com/abl-lsp/abl-lsp/executor/oauth"
	"github.com/abl-lsp/abl-lsp/executor/redis"
	"github.com/abl-lsp/abl-lsp/executor/rest"
	"github.com/abl-lsp/abl-lsp/executor/sandbox"
	"github.com/abl-lsp/abl-lsp/executor/sql"
	"github.com/abl-lsp/abl-lsp/executor/state"
	"github.com/abl-lsp/abl-lsp/executor/webhook"
	"github.com/abl-lsp/abl-lsp/internal/servercache"
	"github.com/abl-lsp/abl-lsp/internal/userdirs"
	"github.com/abl-lsp/abl-lsp/tool"
)

// newServerCache returns the store of the tools that servers list.
func newServerCache() *servercache.Store { return servercache.New(userdirs.StateDir(), time.Now) }

// closeExecutor closes an executor after its answers have been printed. Only then is it
// known whether runs are missing from the journal.
func closeExecutor(cmd *cobra.Command, ex *executor.Executor) {
	if fault, ok := errors.AsType[*executor.JournalError](ex.Close()); ok && !fault.Warned {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %v\n", fault)
	}
}

// newTokenClient returns a client that asks issuers about the tokens of a server's callers.
func newTokenClient() *oauth.Client { return oauth.New(oauth.Options{}) }

// newLocalState returns the store of this machine; nil if there is no folder for it.
func newLocalState() state.Store { return state.New(userdirs.StateDir()) }

// newExecutor returns an executor with every kind that this program runs. It stores what
// servers and databases answer, and keeps in s what outlives it. The caller must close it.
func newExecutor(k *servercache.Store, s state.Store) *executor.Executor {
	return newServingExecutor(k, s, nil)
}

// newServingExecutor is like newExecutor. Callbacks come to an endpoint; nil: to listeners on loopback.
func newServingExecutor(k *servercache.Store, s state.Store, callbacks *webhook.Endpoint) *executor.Executor {
	dialer := dial.New(dial.Options{})
	tracer, flush := newTracer()
	tokens := oauth.New(oauth.Options{Dialer: dialer, State: s})
	requests := rest.Options{Dialer: dialer, Tokens: tokens, UserAgent: "abl-lsp/" + version}
	return executor.New(executor.Options{
		StateDir:         userdirs.StateDir(),
		State:            s,
		IdentityVerifier: tokens,
		OnDiscovery:      k.AddDiscovery,
		OnVerdict:        k.AddVerdict,
		Tracer:           tracer,
		OnClose:          flush,
		Runners: map[tool.Kind]executor.Runner{
			tool.KindBuiltin:      builtin.New(builtin.Options{Requests: requests}),
			tool.KindCLI:          cli.New(),
			tool.KindMCP:          mcp.New(mcp.Options{Dialer: dialer, Tokens: tokens, Version: version}),
			tool.KindModule:       module.New(module.Options{Dialer: dialer}),
			tool.KindSandbox:      sandbox.New(sandbox.Options{CacheDir: userdirs.CacheDir()}),
			tool.KindHTTP:         http.New(requests),
			tool.KindLambda:       lambda.New(lambda.Options{Dialer: dialer, UserAgent: requests.UserAgent}),
			tool.KindSQL:          sql.New(sql.Options{Dialer: dialer}),
			tool.KindRedis:        redis.New(redis.Options{Dialer: dialer}),
			tool.KindAsyncWebhook: webhook.New(webhook.Options{Options: requests, State: s, Endpoint: callbacks}),
		},
	})
}
