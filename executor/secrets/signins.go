package secrets

import (
	"context"

	"github.com/zalando/go-keyring"
)

// SignIns stores the refresh tokens of a project in the keychain of the system. Its value is the
// project's folder. A name of a secret never leads to a refresh token. Without a keychain it stores
// nothing.
type SignIns string

// Load returns the token of the sign-in called name. ok is false if there is none, or if the
// keychain cannot be read.
func (s SignIns) Load(ctx context.Context, name string) (token string, ok bool) {
	token, err := s.ask(ctx, func() (string, error) { return keyring.Get(service, s.account(name)) })
	return token, err == nil && token != ""
}

// Save stores token for the sign-in called name. It returns false if the keychain fails. Without a
// keychain it stores nothing and returns true.
func (s SignIns) Save(ctx context.Context, name, token string) bool {
	_, err := s.ask(ctx, func() (string, error) { return "", keyring.Set(service, s.account(name), token) })
	return err == nil
}

// Remove deletes the token of a sign-in.
func (s SignIns) Remove(ctx context.Context, name string) {
	_, _ = s.ask(ctx, func() (string, error) { return "", keyring.Delete(service, s.account(name)) })
}

// account returns the name of the entry. It contains //, which no clean path does, so that it
// differs from the entry of every secret in every folder.
func (s SignIns) account(name string) string { return string(s) + "//sign-in:" + name }

func (s SignIns) ask(ctx context.Context, question func() (string, error)) (string, error) {
	if s == "" || !hasKeychain() {
		return "", nil
	}
	return withContext(ctx, question)
}
