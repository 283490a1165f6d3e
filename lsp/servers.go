package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/invoke"
)

// updateServers applies what the servers and databases of a project have answered, after
// a run or a refresh.
func (s *server) updateServers(root string) {
	s.session.update(func(next *snapshot) {
		next.workspace = next.workspace.WithServers(root, s.session.servers.Listings(root)).WithVerdicts(root, s.session.servers.Verdicts(root))
	})
	s.diagnostics.diagnoseAll()
}

// refreshArgument is the argument of abl.refresh: the file, and the person's answers as
// for a run.
type refreshArgument struct {
	runArgument
	Server string `json:"server"` // "": all servers and databases that the file names
}

// refreshServers asks the servers that a file names for their tools, and the databases of
// its tools whether they accept their statements. If the argument names no environment,
// it uses the session's.
func refreshServers(ctx context.Context, x execution, argument *refreshArgument) (any, error) {
	path, err := argumentPath(argument.URI)
	if err != nil {
		return nil, err
	}
	if x.opts.Executor == nil {
		return nil, errNoExecutor
	}
	if !x.trust.isTrusted(ctx) {
		return nil, jsonrpc2.NewError(jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed),
			"this workspace is not trusted, so that none of its servers is asked for its tools")
	}
	snap := x.files.withFile(x.snap, path)
	choice := invoke.CallOptions{Environment: argument.Environment, Usual: snap.settings.environment(path)}
	requests, err := invoke.ListingRequests(snap.workspace, path, choice)
	if err != nil {
		return nil, err
	}
	requests = slices.DeleteFunc(requests, func(r executor.Request) bool { return argument.Server != "" && r.Tool.Name != argument.Server })
	var statements []executor.Request
	if argument.Server == "" {
		if statements, err = invoke.StatementRequests(snap.workspace, path, choice); err != nil {
			return nil, err
		}
	}
	asking, progress := x.client.beginProgress(ctx, x.token, "Asking servers and databases")
	all := len(requests) + len(statements)
	for _, requests := range [][]executor.Request{requests, statements} {
		for i := range requests {
			addAnswers(snap, &requests[i], argument.runAnswers)
		}
	}
	failed := x.askServers(asking, progress, requests, serverQuestion{"The server", x.opts.Executor.Discover})
	failed += x.askServers(asking, progress, statements, serverQuestion{"The database of", x.opts.Executor.Check})
	progress.end(fmt.Sprintf("%d of %d answered", all-failed, all))
	return nil, ctx.Err()
}

// serverQuestion is what askServers asks: ask sends one request, and who is how the
// message about a failure calls the other side.
type serverQuestion struct {
	who string
	ask func(context.Context, executor.Request) executor.Envelope
}

// maxServersAsked is how many servers are asked at once. Each may be a process.
const maxServersAsked = 4

// askServers asks servers or databases, and returns how many did not answer. A failure of
// one does not affect the others.
func (x execution) askServers(ctx context.Context, shown *progress, requests []executor.Request, q serverQuestion) (failed int) {
	var mu sync.Mutex
	var all sync.WaitGroup
	turns := make(chan struct{}, maxServersAsked)
	for _, req := range requests {
		req.Trusted = true
		req.Grants = x.trust.withGrants(ctx, req)
		req.Report, req.OpenURL = shown.showRun, x.openURL()
		all.Go(func() {
			defer x.client.Recover(refreshCommand)
			turns <- struct{}{}
			defer func() { <-turns }()
			shown.report(req.Tool.Name)
			if e := q.ask(ctx, req); !e.OK {
				mu.Lock()
				failed++
				mu.Unlock()
				x.warnUnanswered(ctx, q.who, e)
			}
		})
	}
	all.Wait()
	return failed
}

// warnUnanswered shows the person why a server did not answer, unless the request was
// cancelled.
func (s *server) warnUnanswered(ctx context.Context, who string, e executor.Envelope) {
	if ctx.Err() == nil {
		s.client.showWarning("%s %s: %s", who, e.Tool, strings.TrimSpace(e.Error.Message+"\n"+e.Error.Hint))
	}
}

// acceptArgument is the argument of abl.accept.
type acceptArgument struct {
	Root   string `json:"root"`
	Server string `json:"server"`
	Digest string `json:"digest"`
}

// acceptServer records that the person accepts the tools that a server lists. If the
// server lists other tools now, it records nothing and shows the person a warning.
func acceptServer(_ context.Context, x execution, argument *acceptArgument) (any, error) {
	if !x.session.servers.Accept(model.Acceptance(*argument)) {
		x.client.showWarning("The server %s has changed its word once more: read that before you accept it.", argument.Server)
	}
	return nil, nil
}

// addRefresh adds the action that asks a server for its tools, if the range begins on the
// server's name.
func (a *actionBuilder) addRefresh(params *codeActionParams) error {
	name, ok := model.ServerAt(a.snap.workspace, a.document.path, a.snap.converter(a.document).span(params.Range).Start)
	if !ok {
		return nil
	}
	title := "Ask `" + name + "` for its tools"
	command, err := newCommand(title, refreshCommand, map[string]any{"uri": a.document.uri, "server": name})
	if err != nil {
		return err
	}
	a.all = append(a.all, protocol.CodeAction{Title: title, Kind: new(protocol.CodeActionKindQuickFix), Command: command})
	return nil
}
