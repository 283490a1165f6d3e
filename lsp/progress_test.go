package lsp

import (
	"context"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
)

// addSlow adds a request that reports its progress until it is cancelled.
func addSlow(s *server) {
	type params struct {
		protocol.WorkDoneProgressParams
	}
	s.requests["test/slow"] = withServer(func(ctx context.Context, s *server, _ *snapshot, p *params) (string, error) {
		ctx, progress := s.client.beginProgress(ctx, p.WorkDoneToken, "Slow")
		defer progress.end("over")
		progress.report("half-way")
		<-ctx.Done()
		return "cancelled", nil
	})
}

// kinds returns the kinds of the progress reports under a token, in order.
func kinds(t *testing.T, c testClient, token string) string {
	t.Helper()
	var all []string
	for _, m := range c.Messages(protocol.MethodProgress) {
		var p struct {
			Token string `json:"token"`
			Value struct {
				Kind string `json:"kind"`
			} `json:"value"`
		}
		if err := protocol.Unmarshal(m.Params, &p); err != nil {
			t.Fatal(err)
		}
		if p.Token == token {
			all = append(all, p.Value.Kind)
		}
	}
	return strings.Join(all, " ")
}

func reported(kind string) func(jsonrpc2.RawMessage) bool {
	return func(raw jsonrpc2.RawMessage) bool { return strings.Contains(string(raw), kind) }
}

func TestProgress(t *testing.T) {
	tests := []struct {
		name, params, token string
		create              bool
	}{
		{"the client's token", `{"workDoneToken":"mine"}`, "mine", false},
		{"a token of our own", `{}`, "abl-lsp/1", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := startClient(t, addSlow)
			c.Initialize(lsptest.WithProgress())
			slow := c.Start("test/slow", protocol.LSPAny(tt.params))
			c.Await(protocol.MethodProgress, reported("half-way"))
			c.Notify(protocol.MethodWindowWorkDoneProgressCancel, &protocol.WorkDoneProgressCancelParams{Token: protocol.String(tt.token)})
			var result string
			if err := slow.Wait(&result); err != nil || result != "cancelled" {
				t.Errorf("answer = %q, %v", result, err)
			}
			if got := kinds(t, c, tt.token); got != "begin report end" {
				t.Errorf("reports = %q", got)
			}
			if got := len(c.Messages(protocol.MethodWindowWorkDoneProgressCreate)) == 1; got != tt.create {
				t.Errorf("created = %v, want %v", got, tt.create)
			}
		})
	}
}

func TestNoProgress(t *testing.T) {
	tests := map[string]func(c testClient){
		"the client shows none": func(c testClient) { c.Initialize() },
		"the client refuses": func(c testClient) {
			c.Answer(protocol.MethodWindowWorkDoneProgressCreate, func(jsonrpc2.RawMessage) (any, error) {
				return nil, jsonrpc2.NewError(jsonrpc2.InternalError, "no room")
			})
			c.Initialize(lsptest.WithProgress())
		},
	}
	for name, initialize := range tests {
		t.Run(name, func(t *testing.T) {
			c := startClient(t, addSlow)
			initialize(c)
			slow := c.Start("test/slow", nil)
			slow.Cancel()
			slow.Wait(nil)
			c.Notify(protocol.MethodWindowWorkDoneProgressCancel, &protocol.WorkDoneProgressCancelParams{Token: protocol.Integer(7)})
			c.echo(t)
			if n := len(c.Messages(protocol.MethodProgress)); n > 0 {
				t.Errorf("%d reports", n)
			}
		})
	}
}

// TestCallCancelled cancels a request that waits for the client's answer.
func TestCallCancelled(t *testing.T) {
	asked, release := make(chan struct{}), make(chan struct{})
	c := startClient(t, addSlow)
	c.Answer(protocol.MethodWindowWorkDoneProgressCreate, func(jsonrpc2.RawMessage) (any, error) {
		close(asked)
		<-release
		return nil, nil
	})
	c.Initialize(lsptest.WithProgress())
	slow := c.Start("test/slow", nil)
	<-asked
	slow.Cancel()
	c.Await(protocol.MethodCancelRequest, nil)
	close(release)
	slow.Wait(nil)
	c.echo(t)
}
