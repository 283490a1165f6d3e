package mcp

import (
	"net/http"
	"slices"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/process"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// Reach returns the server's tool, and the host or the process through which it is called.
func (r *Runner) Reach(call executor.Call) (executor.Reach, error) {
	_, entry, err := r.entry(call)
	if err != nil {
		return executor.Reach{}, err
	}
	t, err := r.server(withoutSecrets(call, entry))
	if err != nil {
		return executor.Reach{}, err
	}
	permission := tool.Permission{Kind: "mcp", Op: "call", Resource: t.name + "/" + t.tool}
	receiver, accesses := t.path()
	host := ""
	if t.url != nil {
		host = t.url.Host
	}
	receivers := issuerReceivers(entry, t)
	for _, name := range sentSecrets(call, entry) { // they go to the server, too
		if hosts, ok := receivers[name]; ok && !slices.Contains(hosts, receiver) {
			receivers[name] = append(hosts, receiver)
		}
	}
	return executor.Reach{
		Accesses:  append(accesses, permission),
		Receiver:  receiver,
		Host:      host,
		Receivers: receivers,
		Project:   entry,
		Programs:  process.Programs(t.dir, t.words),
		Uncovered: process.Uncovered(t.words),
	}, nil
}

// path returns the accesses that reaching the server needs, and who receives what is sent.
func (t *target) path() (receiver string, accesses []tool.Permission) {
	switch t.transport {
	case viaStdio:
		return t.words[0], []tool.Permission{{Kind: "process", Op: "start", Resource: t.words[0]}}
	case viaWebSocket:
		return t.url.Hostname(), executor.WebAccesses(http.MethodGet, t.url)
	}
	return t.url.Hostname(), executor.WebAccesses(http.MethodPost, t.url)
}

// withoutSecrets returns a call with a stand-in, "x", for each secret.
func withoutSecrets(call executor.Call, entry tool.Server) executor.Call {
	scope := *call.Scope
	scope.Secrets = map[string]string{}
	for _, name := range placeholder.Secrets(string(exactjson.EncodeOrNil([]any{entry, call.Environment.Credentials}))) {
		scope.Secrets[name] = "x"
	}
	call.Scope = &scope
	return call
}
