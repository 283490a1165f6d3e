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

// reloadOnChange reads the file, and the files that it names, again when they change. log gets what a
// person has to know; after a mistake, the rules stay as they were.
func (o *operatorRules) reloadOnChange(ctx context.Context, log func(string)) {
	if o.flags.config == "" {
		return
	}
	said := "" // a file that has just changed is read more than once
	say := func(text string) {
		if text != said {
			log(text)
		}
		said = text
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pollInterval):
		}
		now := o.stampsOf(o.config)
		if !hasChanged(o.stamps, now) {
			continue
		}
		o.stamps = now
		c, err := readOperatorFile(ctx, o.flags.config)
		if err == nil {
			err = o.apply(ctx, c)
		}
		if err != nil {
			say("what the operator's file said stays in force: " + err.Error())
			continue
		}
		for path, stamp := range o.stampsOf(c) { // it may name others
			if _, known := now[path]; !known {
				o.stamps[path] = stamp
			}
		}
		if keys := o.needRestart(c); keys != nil {
			say(fmt.Sprintf("%s: a change of %s needs a restart", c.Path, strings.Join(keys, ", ")))
		} else {
			said = ""
		}
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
