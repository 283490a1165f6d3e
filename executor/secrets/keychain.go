package secrets

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/zalando/go-keyring"
)

// Keychain is that of the system, of which a project has the entries that begin
// with the path of its folder. Where there is none it holds nothing.
type Keychain string

// service is the name under which the system keeps our entries.
const service = "abl-lsp"

// Lookup asks the system, which may ask the person.
func (k Keychain) Lookup(ctx context.Context, name string) (string, bool, error) {
	if !hasKeychain() {
		return "", false, nil
	}
	found := make(chan string, 1)
	go func() { // it cannot be told to stop
		value, err := keyring.Get(service, k.account(name))
		if err != nil { // none, or no such entry
			value = ""
		}
		found <- value
	}()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case value := <-found:
		return value, value != "", nil
	case <-ctx.Done():
		return "", false, context.Cause(ctx)
	}
}

func (k Keychain) account(name string) string { return string(k) + ":" + name }

// hasKeychain reports whether asking makes sense. Where a session bus is wanted
// and there is none, to ask would start one.
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
