package lsp

import (
	"context"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// trust holds whether the person lets the tools of the workspace run, and which secrets
// they may send. Both are stored between sessions.
type trust struct {
	opts         *Options
	client       *client
	session      *session
	questionLock chan struct{} // a lock: holds a value while the person is asked
	grants       grants
	onChange     func()
}

// isTrusted reports whether the person lets the workspace's tools run. It asks the person
// if that is not known yet. No answer counts as no.
func (t *trust) isTrusted(ctx context.Context) bool {
	select {
	case t.questionLock <- struct{}{}: // one question at a time
		defer func() { <-t.questionLock }()
	case <-ctx.Done():
		return false
	}
	snap := t.session.load()
	if known := snap.settings.Trusted; known != nil {
		return *known
	}
	const yes = "Trust"
	var answer *protocol.MessageActionItem
	err := t.client.Call(ctx, protocol.MethodWindowShowMessageRequest, &protocol.ShowMessageRequestParams{
		Type:    protocol.MessageTypeWarning,
		Message: "Running a tool sends requests that this workspace has written. Do you trust it?",
		Actions: []protocol.MessageActionItem{{Title: yes}, {Title: "Do not trust"}},
	}, &answer)
	if ctx.Err() != nil { // the request was cancelled, and the person has not answered
		return false
	}
	if err != nil {
		t.client.log.Warn("the client does not ask about trust", zap.Error(err))
	}
	answered := false
	t.change(func(next *snapshot) {
		if next.settings.Trusted == nil && slices.Equal(next.folders, snap.folders) { // otherwise it was decided elsewhere meanwhile, or the folders have changed
			next.settings.Trusted, next.trustAnswered = new(answer != nil && answer.Title == yes), true
			answered = answer != nil
		}
	})
	if answered {
		t.storeTrust(ctx, snap.folders, answer.Title == yes)
	}
	return orZero(t.session.load().settings.Trusted)
}

// change changes the trust in the workspace. The imports are read again, since a trusted
// workspace may import files from anywhere.
func (t *trust) change(set func(*snapshot)) {
	t.session.update(func(next *snapshot) {
		set(next)
		t.session.imported.forgetAll(next)
	})
	t.onChange()
}

// trustArgument is the argument of abl.trust.
type trustArgument struct {
	Trusted *bool `json:"trusted"`
}

// setTrust is the command abl.trust, which changes the trust in the workspace.
func setTrust(ctx context.Context, x execution, argument *trustArgument) (any, error) {
	if argument.Trusted == nil {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, "the command's argument: trusted is missing")
	}
	var folders []string
	x.trust.change(func(next *snapshot) {
		next.settings.Trusted, next.trustAnswered, folders = argument.Trusted, true, next.folders
	})
	x.trust.storeTrust(ctx, folders, *argument.Trusted)
	if !*argument.Trusted {
		x.trust.forgetGrants(ctx)
	}
	return nil, nil
}
