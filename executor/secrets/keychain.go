package secrets

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/zalando/go-keyring"
)

// Keychain is a Provider for the keychain of the system. A project has the entries that begin with
// the path of its folder. On a system without a keychain it has no entries.
type Keychain string

// service is the name under which the system stores our entries.
const service = "abl-lsp"

// ErrNoKeychain is the error on a system without a keychain.
var ErrNoKeychain = errors.New("this system has no keychain")

// Lookup asks the system, which may ask the person. It returns an error only if the answer takes
// too long or ctx ends. Any other failure means that there is no value.
func (k Keychain) Lookup(ctx context.Context, name string) (string, bool, error) {
	if !hasKeychain() {
		return "", false, nil
	}
	value, err := withContext(ctx, func() (string, error) { return keyring.Get(service, k.account(name)) })
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return "", false, err
	}
	return value, err == nil && value != "", nil // any other error means that there is no keychain or no entry
}

// Set stores a value under a name.
func (k Keychain) Set(ctx context.Context, name, value string) error {
	return k.change(ctx, name, true, func() error { return keyring.Set(service, k.account(name), value) })
}

// Remove deletes the value of a name. The error is [fs.ErrNotExist] if there is none.
func (k Keychain) Remove(ctx context.Context, name string) error {
	return k.change(ctx, name, false, func() error {
		err := keyring.Delete(service, k.account(name))
		if errors.Is(err, keyring.ErrNotFound) {
			return fs.ErrNotExist
		}
		return err
	})
}

// Names returns the names that [Keychain.Set] stored, sorted. No system lists them, so they are
// stored in a separate entry without a name. The error is [ErrNoKeychain] on a system without a
// keychain.
func (k Keychain) Names(ctx context.Context) ([]string, error) {
	if !hasKeychain() {
		return nil, ErrNoKeychain
	}
	return withContext(ctx, k.names)
}

func (k Keychain) names() ([]string, error) {
	stored, err := keyring.Get(service, k.account(""))
	if err != nil && !errors.Is(err, keyring.ErrNotFound) {
		return nil, err
	}
	return strings.Fields(stored), nil
}

// change changes an entry, and then the list of names.
func (k Keychain) change(ctx context.Context, name string, there bool, change func() error) error {
	if !hasKeychain() {
		return ErrNoKeychain
	}
	_, err := withContext(ctx, func() (struct{}, error) {
		if err := change(); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, k.recordName(name, there)
	})
	return err
}

// recordName adds a name to the list of names, or removes it if there is false.
func (k Keychain) recordName(name string, there bool) error {
	names, err := k.names()
	if err != nil || slices.Contains(names, name) == there {
		return err
	}
	names = slices.DeleteFunc(append(names, name), func(n string) bool { return n == name && !there })
	slices.Sort(names)
	return keyring.Set(service, k.account(""), strings.Join(names, "\n"))
}

// answer is the answer of the system.
type answer[T any] struct {
	value T
	err   error
}

// withContext calls ask and waits for its answer, for at most patience. When ctx ends, ask goes on
// in the background, since the system cannot be told to stop.
func withContext[T any](ctx context.Context, ask func() (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	answered := make(chan answer[T], 1)
	go func() {
		value, err := ask()
		answered <- answer[T]{value, err}
	}()
	select {
	case a := <-answered:
		return a.value, a.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

func (k Keychain) account(name string) string { return string(k) + ":" + name }

// hasKeychain reports whether it makes sense to ask for a keychain. On a system with a session bus,
// asking would start a bus if none is running.
func hasKeychain() bool {
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		return true
	}
	if bus := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); bus != "" {
		return bus != "autolaunch:"
	}
	_, err := os.Stat(filepath.Join("/run/user", strconv.Itoa(os.Getuid()), "bus"))
	return err == nil
}
