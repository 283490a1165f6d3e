package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/secrets"
	"github.com/abl-lsp/abl-lsp/internal/callers"
	"github.com/abl-lsp/abl-lsp/internal/disk"
	"github.com/abl-lsp/abl-lsp/internal/mcpserver"
	"github.com/abl-lsp/abl-lsp/internal/operator"
)

// operatorRules are what the operator's file and the flags of a server say, as they were last read.
type operatorRules struct {
	flags   mcpFlags
	first   *operator.Config // as the server was started
	config  *operator.Config
	callers *callers.Policy
	cert    *callers.Certificate // nil: no TLS
	hosts   atomic.Pointer[[]string]
	stamps  map[string]disk.Stamp

	retryAt    time.Time // when the file is read again, whose last version is not in force; zero: it is
	keychainAt time.Time // when the tokens in the keychain are looked up again
}

// readOperatorRules reads the operator's file. The flags override it, and become complete by it.
func readOperatorRules(ctx context.Context, flags *mcpFlags) (*operatorRules, error) {
	o := &operatorRules{callers: callers.New(callers.Options{Client: newTokenClient(), Proxy: flags.proxy})}
	config, err := readOperatorFile(ctx, flags.config)
	if err != nil {
		return nil, err
	}
	flags.http = cmp.Or(flags.http, config.HTTP)
	o.flags, o.first = *flags, config
	if config.TLS != nil {
		o.cert = &callers.Certificate{}
	}
	o.stamps = o.stampsOf(config)
	return o, o.apply(ctx, config)
}

// apply makes the rules those of a version of the file. If it returns an error, it has changed nothing.
func (o *operatorRules) apply(ctx context.Context, c *operator.Config) error {
	if !o.flags.insecure {
		if err := checkAddress(ctx, o.flags.http, c); err != nil {
			return err
		}
	}
	if o.cert != nil && c.TLS != nil {
		if err := o.cert.Update(c); err != nil {
			return err
		}
	}
	if err := o.callers.Update(ctx, c, secrets.Keychain(keychainFolder(folderOf(c.Path)))); err != nil {
		return err
	}
	hosts := slices.Concat(o.flags.allowHosts, c.AllowHosts)
	o.hosts.Store(&hosts)
	o.config = c
	return nil
}

// withHosts returns answers that also have the hosts of the file as it was last read.
func (o *operatorRules) withHosts(answer func(*executor.Request)) func(*executor.Request) {
	return func(req *executor.Request) {
		answer(req)
		req.AllowHosts = *o.hosts.Load()
	}
}

// listener returns a listener that speaks TLS if the file says so.
func (o *operatorRules) listener(l net.Listener) net.Listener {
	if o.cert == nil {
		return l
	}
	return tls.NewListener(l, o.cert.Config())
}

// exposesTokens reports whether callers send tokens over a network in which others may read them.
func (o *operatorRules) exposesTokens(at net.Addr) bool {
	tcp, ok := at.(*net.TCPAddr)
	return o.cert == nil && o.callers.TakesTokens() && ok && !tcp.IP.IsLoopback()
}

// scheme returns the scheme of the server's URL.
func (o *operatorRules) scheme() string {
	if o.cert == nil {
		return "http"
	}
	return "https"
}

// stampsOf returns the stamps of the file and of the files that it names.
func (o *operatorRules) stampsOf(c *operator.Config) map[string]disk.Stamp {
	stamps := map[string]disk.Stamp{}
	paths := []string{c.Path}
	if c.TLS != nil {
		paths = append(paths, c.TLS.Cert, c.TLS.Key, c.TLS.ClientCA)
	}
	if c.Auth.Tokens != nil {
		paths = append(paths, c.Auth.Tokens.File)
	}
	for _, path := range paths {
		if path != "" {
			stamps[path] = disk.StampOf(path)
		}
	}
	return stamps
}

// How often something is read again although no file has changed.
const (
	retryInterval    = time.Second     // the file, after a mistake: what it names may have appeared
	keychainInterval = 3 * time.Second // the tokens in the keychain
	keychainPause    = time.Minute     // after the keychain has not answered
)

// keychainTimeout bounds how long the keychain may take while the server runs.
const keychainTimeout = 5 * time.Second

// reloadOnChange reads the file, and the files that it names, again when they change. log gets what a
// person has to know; after a mistake, the rules stay as they were.
func (o *operatorRules) reloadOnChange(ctx context.Context, log func(string)) {
	if o.flags.config == "" {
		return
	}
	say, sayOfKeychain := onChange(log), onChange(log)
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pollInterval):
		}
		o.refreshKeychain(ctx, sayOfKeychain)
		now := o.stampsOf(o.config)
		if !hasChanged(o.stamps, now) && (o.retryAt.IsZero() || time.Now().Before(o.retryAt)) {
			continue
		}
		o.stamps = now
		say(o.reload(ctx))
	}
}

// onChange returns a function that logs a text that is not that of the last time, nor empty. A file that
// has just changed is read more than once, and so is one with a mistake.
func onChange(log func(string)) func(string) {
	last := ""
	return func(text string) {
		if text != last && text != "" {
			log(text)
		}
		last = text
	}
}

// reload reads the file again. It returns what a person has to know, or "".
func (o *operatorRules) reload(ctx context.Context) string {
	c, err := readOperatorFile(ctx, o.flags.config)
	if err == nil {
		err = o.apply(ctx, c)
	}
	o.retryAt = time.Time{}
	if err != nil {
		o.retryAt = time.Now().Add(retryInterval)
		return "what the operator's file said stays in force: " + err.Error()
	}
	for path, stamp := range o.stampsOf(c) { // it may name others
		if _, known := o.stamps[path]; !known {
			o.stamps[path] = stamp
		}
	}
	if keys := o.needRestart(c); keys != nil {
		return fmt.Sprintf("%s: a change of %s needs a restart", c.Path, strings.Join(keys, ", "))
	}
	return ""
}

// refreshKeychain looks the tokens in the keychain up again, if it is time.
func (o *operatorRules) refreshKeychain(ctx context.Context, say func(string)) {
	tokens := o.config.Auth.Tokens
	if tokens == nil || tokens.Keychain == nil || time.Now().Before(o.keychainAt) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, keychainTimeout)
	defer cancel()
	keychain := secrets.Keychain(keychainFolder(folderOf(o.config.Path)))
	var missing []string
	_, err := keychain.Names(ctx) // a keychain that does not answer is no keychain without tokens
	if err == nil {
		missing, err = o.callers.RefreshKeychain(ctx, keychain)
	}
	o.keychainAt = time.Now().Add(keychainInterval)
	switch {
	case err != nil:
		o.keychainAt = time.Now().Add(keychainPause)
		say("the tokens of the keychain stay as they were: " + err.Error())
	case missing != nil:
		say("the keychain has no " + strings.Join(missing, ", ") + " any more: such callers are refused")
	default:
		say("")
	}
}

// hasChanged reports whether a file may have another content than at the time of the earlier stamps.
func hasChanged(before, now map[string]disk.Stamp) bool {
	for path, stamp := range now {
		if !before[path].IsUnchanged(stamp) {
			return true
		}
	}
	return false
}

// needRestart returns the keys whose values are other ones than the server was started with.
func (o *operatorRules) needRestart(c *operator.Config) (keys []string) {
	for _, k := range []struct {
		key           string
		before, after any
	}{
		{"http", o.first.HTTP, c.HTTP},
		{"tls", o.first.TLS != nil, c.TLS != nil},
		{"shared", o.first.Shared, c.Shared},
		{"state_key", o.first.StateKey, c.StateKey},
		{"metrics", o.first.Metrics, c.Metrics},
		{"drain", o.first.Drain, c.Drain},
	} {
		if !reflect.DeepEqual(k.before, k.after) {
			keys = append(keys, k.key)
		}
	}
	return keys
}

// readOperatorFile reads the operator's file at path. It returns an empty one if path is "".
func readOperatorFile(ctx context.Context, path string) (*operator.Config, error) {
	if path == "" {
		return &operator.Config{}, nil
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("--config: %w", err)
	}
	places, err := operatorSecrets(path)
	if err != nil {
		return nil, fmt.Errorf("--config: %w", err)
	}
	return operator.Parse(path, string(raw), func(name string) (string, bool, error) {
		return secrets.Find(ctx, places, name)
	})
}

// operatorSecrets returns the providers of the secrets of an operator's file: those of a project in
// its folder that lists none.
func operatorSecrets(path string) ([]secrets.Provider, error) {
	folder := folderOf(path)
	places := secrets.Places{Dotenv: filepath.Join(folder, ".env"), Root: keychainFolder(folder)}
	return places.ProvidersIn(os.LookupEnv)
}

// folderOf returns the folder of a file, as an absolute path where that is known.
func folderOf(path string) string {
	folder, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return filepath.Dir(path)
	}
	return folder
}

// keychainFolder returns the folder whose keychain entries `abl-lsp secrets` stores in a folder.
func keychainFolder(folder string) string {
	here := filepath.Join(folder, "secrets.tools.abl") // a file that would be in this folder
	return filepath.Dir(disk.ReadImports(emptyWorkspace(), here, disk.Read).Dotenv(here))
}

// checkAddress returns an error if an address of a server is beyond this machine, and nothing says
// who may call. addr may be "" for a server without one.
func checkAddress(ctx context.Context, addr string, c *operator.Config) error {
	if addr == "" || c.KnowsCallers() {
		return nil
	}
	host, _, err := net.SplitHostPort(mcpserver.CompleteAddress(addr))
	if err != nil {
		return fmt.Errorf("--http: %w", err)
	}
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return fmt.Errorf("--http: %w", err)
	}
	for _, ip := range ips {
		if !ip.IsLoopback() {
			return errors.New("--http: " + addr + " can be reached from other machines, and anyone there could call these tools: " +
				"say who may under auth in the file of --config, or give --insecure")
		}
	}
	return nil
}
