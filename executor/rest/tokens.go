package rest

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/oauth"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// planGrant returns how the tool's token is obtained. It is nil if the tool uses no token, or if
// the author's headers contain it.
func (b *builder) planGrant() (*oauth.Grant, error) {
	name, err := b.authName()
	if err != nil || !oauth.ObtainsToken(name) || b.hasHeader("Authorization") {
		return nil, err
	}
	u, err := b.base()
	if err != nil {
		return nil, err
	}
	credential, err := b.credential()
	if err != nil {
		return nil, err
	}
	var profile string
	_ = json.Unmarshal(b.call.Tool.Extra["auth_profile"], &profile) // it may be absent
	g, err := oauth.NewGrant(oauth.AuthSettings{
		Auth: name, Config: b.config(), Profile: profile,
		Services: b.call.Environment.AuthServices, HostCredential: credential, Prefix: executor.SecretName(u.Hostname()),
	})
	if err != nil {
		return nil, err
	}
	return &g, nil
}

// addToken obtains the token and adds the header that sends it.
func (b *builder) addToken() error {
	g, err := b.planGrant()
	if err != nil || g == nil {
		return err
	}
	filled, err := g.Fill(b.call.Scope, b.noteUse)
	if err != nil {
		return err
	}
	token, err := b.obtain(b.call, filled)
	if err != nil {
		return err
	}
	b.req.grant = &filled
	b.req.header.Set("Authorization", "Bearer "+token)
	return nil
}

// reachTokens adds to reach the hosts that issue the tool's token and receive secrets for it. The
// request's own host is among the receivers of such a secret only if the request itself contains
// the secret.
func (b *builder) reachTokens(reach *executor.Reach) error {
	g, err := b.planGrant()
	if err != nil || g == nil {
		return err
	}
	accesses, receivers, err := g.Reach(b.call.Scope)
	if err != nil {
		return err
	}
	reach.Accesses = append(reach.Accesses, accesses...)
	reach.Project = g.Service()
	if len(receivers) == 0 {
		return nil
	}
	for _, name := range b.sentToHost() {
		if hosts, ok := receivers[name]; ok && !slices.Contains(hosts, reach.Receiver) {
			receivers[name] = append(hosts, reach.Receiver)
		}
	}
	reach.Receivers = receivers
	return nil
}

// sentToHost returns the names of the secrets that the request itself contains.
func (b *builder) sentToHost() []string {
	spec := *b.spec
	spec.AuthConfig = nil
	raw, err := json.Marshal(spec)
	if err != nil {
		return nil
	}
	texts := []string{string(raw), b.call.Environment.BaseURL}
	if credential, err := b.credential(); err == nil {
		texts = slices.AppendSeq(texts, maps.Values(credential.Headers))
	}
	var names []string
	for _, text := range texts {
		names = append(names, placeholder.Secrets(text)...)
	}
	return names
}
