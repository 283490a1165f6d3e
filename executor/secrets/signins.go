package secrets

import (
	"context"

	"github.com/zalando/go-keyring"
)

// SignIns are the refresh tokens of a project in the keychain of the system, by the
// folder of the project. No name of a secret leads to one. Where there is no keychain
// they hold nothing.
type SignIns string

// Load gives the token of a sign-in.
func (s SignIns) Load(ctx context.Context, name string) (token string, ok bool) {
	token, err := s.ask(ctx, func() (string, error) { return keyring.Get(service, s.account(name)) })
	return token, err == nil && token != ""
}

// Save keeps the token of a sign-in, and reports whether that could be.
func (s SignIns) Save(ctx context.Context, name, token string) bool {
	_, err := s.ask(ctx, func() (string, error) { return "", keyring.Set(service, s.account(name), token) })
	return err == nil
}

// Remove forgets the token of a sign-in.
func (s SignIns) Remove(ctx context.Context, name string) {
	_, _ = s.ask(ctx, func() (string, error) { return "", keyring.Delete(service, s.account(name)) })
}

// account has what stands in no clean path, so that it is no secret's, whatever the
// folder and the name of that.
func (s SignIns) account(name string) string { return string(s) + "//sign-in:" + name }

func (s SignIns) ask(ctx context.Context, question func() (string, error)) (string, error) {
	if s == "" || !hasKeychain() {
		return "", nil
	}
	return withContext(ctx, question)
}
