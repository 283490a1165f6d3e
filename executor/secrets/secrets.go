// Package secrets finds the values of secrets by their names, and removes them from
// what a run shows.
//
// It promises that a value given to a [Redactor] is in no text that went through it, in
// none of the encodings that a request or an answer may use.
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

// Provider is a place where secrets are kept.
type Provider interface {
	// Lookup gives the value of a name. ok is false where this place has
	// none; an error is a place that could not be read.
	Lookup(ctx context.Context, name string) (value string, ok bool, err error)
}

// Find asks providers in order. An empty value counts as none. A provider that could
// not be read is skipped; err names such providers if no other one has the value.
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

// Given are secrets that came with the call.
type Given map[string]string

// Lookup finds name in the map.
func (g Given) Lookup(_ context.Context, name string) (string, bool, error) {
	v, ok := g[name]
	return v, ok, nil
}

// Env is the process environment, or what stands for it.
type Env func(name string) (string, bool)

// Lookup finds name in the environment.
func (e Env) Lookup(_ context.Context, name string) (string, bool, error) {
	v, ok := e(name)
	return v, ok, nil
}

// Dotenv is the path of a .env file, "" for none. A file that is not there
// holds nothing.
type Dotenv string

// maxDotenv is the most bytes that a .env file may have.
const maxDotenv = 1 << 20

// Lookup reads the file anew, so that a value just written is found.
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
		// The parser quotes what it stumbled over, which may be a secret.
		return "", false, fmt.Errorf("%s is not written as NAME=value lines", string(d))
	}
	v, ok := values[name]
	return v, ok, nil
}
