package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"github.com/abl-lsp/abl-lsp/executor/secrets"
	"github.com/abl-lsp/abl-lsp/internal/disk"
	"github.com/abl-lsp/abl-lsp/internal/mcpserver"
	"github.com/abl-lsp/abl-lsp/internal/operator"
)

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
	folder, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	places := secrets.Places{Dotenv: filepath.Join(folder, ".env"), Root: keychainFolder(folder)}
	return places.ProvidersIn(os.LookupEnv)
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
