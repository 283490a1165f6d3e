package lsp

import (
	"context"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// trusted reports whether the person lets the workspace's tools run. It asks
// once, and takes no answer for a no.
func (s *server) trusted(ctx context.Context) bool {
	select {
	case s.asking <- struct{}{}: // one question at a time
		defer func() { <-s.asking }()
	case <-ctx.Done():
		return false
	}
	at := s.session.load()
	if known := at.settings.Trusted; known != nil {
		return *known
	}
	const yes = "Trust"
	var answer *protocol.MessageActionItem
	err := s.client.Call(ctx, protocol.MethodWindowShowMessageRequest, &protocol.ShowMessageRequestParams{
		Type:    protocol.MessageTypeWarning,
		Message: "Running a tool sends requests that this workspace has written. Do you trust it?",
		Actions: []protocol.MessageActionItem{{Title: yes}, {Title: "Do not trust"}},
	}, &answer)
	if ctx.Err() != nil { // cancelled, not answered
		return false
	}
	if err != nil {
		s.log.Warn("the client does not ask about trust", zap.Error(err))
	}
	said := false
	s.trustWorkspace(func(next *snapshot) {
		if next.settings.Trusted == nil && slices.Equal(next.folders, at.folders) { // else it was said elsewhere meanwhile, or of others
			next.settings.Trusted, next.answered = new(answer != nil && answer.Title == yes), true
			said = answer != nil
		}
	})
	if said {
		s.keepTrust(at.folders, answer.Title == yes)
	}
	return orZero(s.session.load().settings.Trusted)
}

// trustWorkspace notes what the person says. A workspace that is trusted may
// import files from anywhere.
func (s *server) trustWorkspace(say func(*snapshot)) {
	s.session.update(func(next *snapshot) {
		say(next)
		s.session.files.reset(next)
	})
	s.diagnostics.diagnoseAll()
	s.awaitCallbacks()
}

// setTrust is the command that says it.
func setTrust(_ context.Context, x execution) (any, error) {
	var argument struct {
		Trusted *bool `json:"trusted"`
	}
	if err := x.decode(&argument); err != nil {
		return nil, err
	}
	if argument.Trusted == nil {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, "the command's argument: trusted is missing")
	}
	var folders []string
	x.trustWorkspace(func(next *snapshot) {
		next.settings.Trusted, next.answered, folders = argument.Trusted, true, next.folders
	})
	x.keepTrust(folders, *argument.Trusted)
	if !*argument.Trusted {
		x.forgetGrants()
	}
	return nil, nil
}
