// Package secrets finds the values of secrets by their names, and removes them from what a run
// shows.
//
// Text that went through a [Redactor] contains none of the values that the Redactor knows, in none
// of the encodings that a request or an answer may use.
package secrets

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/joho/godotenv"
)

// Provider is a place where secrets are stored.
type Provider interface {
	// Lookup returns the value of a name. ok is false if this place has none. An error means
	// that the place could not be read.
	Lookup(ctx context.Context, name string) (value string, ok bool, err error)
}

// Find asks providers in order for the secret called name. It ignores an empty value. ok is false
// if no provider has a value; err then names the providers that could not be read.
func Find(ctx context.Context, providers []Provider, name string) (value string, ok bool, err error) {
	var unread []error
	for _, p := range providers {
		v, ok, err := p.Lookup(ctx, name)
		switch {
		case err != nil:
			unread = append(unread, fmt.Errorf("secret %s: %w", name, err))
		case ok && v != "":
			return v, true, nil
		}
	}
	return "", false, errors.Join(unread...)
}

// Given is a Provider for secrets that came with the call.
type Given map[string]string

// Lookup returns the value of name in the map. Its error is always nil.
func (g Given) Lookup(_ context.Context, name string) (string, bool, error) {
	v, ok := g[name]
	return v, ok, nil
}

// Env is a Provider for the process environment, or for a replacement of it.
type Env func(name string) (string, bool)

// Lookup returns the value of name in the environment. Its error is always nil.
func (e Env) Lookup(_ context.Context, name string) (string, bool, error) {
	v, ok := e(name)
	return v, ok, nil
}

// Dotenv is a Provider for a .env file, by its path; "" means none. A file that does not exist has
// no values.
type Dotenv string

// maxDotenv is the most bytes that a .env file may have.
const maxDotenv = 1 << 20

// Lookup returns the value of name in the file. It reads the file each time, so that it finds a
// value that was just written. A file that cannot be read, or has other lines than NAME=value, is
// an error.
func (d Dotenv) Lookup(_ context.Context, name string) (string, bool, error) {
	if d == "" {
		return "", false, nil
	}
	info, err := os.Stat(string(d))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", false, nil
	case err != nil:
		return "", false, err
	case !info.Mode().IsRegular() || info.Size() > maxDotenv:
		return "", false, fmt.Errorf("%s is no .env file", string(d))
	}
	text, err := os.ReadFile(string(d))
	if err != nil {
		return "", false, err
	}
	values, err := godotenv.UnmarshalBytes(bytes.TrimPrefix(text, []byte("\ufeff")))
	if err != nil {
		// The error of the parser quotes the text, which may be a secret.
		return "", false, fmt.Errorf("%s is not written as NAME=value lines", string(d))
	}
	v, ok := values[name]
	return v, ok, nil
}
