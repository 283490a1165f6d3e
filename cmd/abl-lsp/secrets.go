package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/abl-lsp/abl-lsp/executor/secrets"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

func newSecrets() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "secrets",
		Short: "Store secrets in the system's keychain",
		Long: "Stores secrets of the project of the current folder in the system's keychain, where\n" +
			"{{secrets.NAME}} finds them.",
		Args: unknownCommand,
		RunE: func(*cobra.Command, []string) error { return errors.New("secrets needs one of set, list, remove") },
	}
	cmd.AddCommand(
		&cobra.Command{
			Use:   "set NAME",
			Short: "Store a value, which is asked for, or read from stdin",
			Args:  argumentCount(1, 1),
			RunE:  func(cmd *cobra.Command, args []string) error { return setSecret(cmd, args[0]) },
		},
		&cobra.Command{
			Use:   "list",
			Short: "List the names that have a value",
			Args:  argumentCount(0, 0),
			RunE:  func(cmd *cobra.Command, _ []string) error { return listSecrets(cmd) },
		},
		&cobra.Command{
			Use:   "remove NAME",
			Short: "Delete a value",
			Args:  argumentCount(1, 1),
			RunE:  func(cmd *cobra.Command, args []string) error { return removeSecret(cmd, args[0]) },
		},
	)
	return cmd
}

var secretName = lazyregexp.New(`^\w[\w.-]*$`)

func setSecret(cmd *cobra.Command, name string) error {
	keychain, err := keychainFor(name)
	if err != nil {
		return err
	}
	value, err := readSecret(cmd, name)
	if err != nil {
		return err
	}
	return keychainError(keychain.Set(cmd.Context(), name, value))
}

func listSecrets(cmd *cobra.Command) error {
	keychain, err := openProjectKeychain()
	if err != nil {
		return err
	}
	names, err := keychain.Names(cmd.Context())
	for _, name := range names {
		fmt.Fprintln(cmd.OutOrStdout(), name)
	}
	return keychainError(err)
}

func removeSecret(cmd *cobra.Command, name string) error {
	keychain, err := keychainFor(name)
	if err != nil {
		return err
	}
	err = keychain.Remove(cmd.Context(), name)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the keychain has no %s for %s", name, strings.TrimSuffix(string(keychain), ":"))
	}
	return keychainError(err)
}

func keychainFor(name string) (secrets.Keychain, error) {
	if !secretName.MatchString(name) {
		return "", fmt.Errorf("%q is no name of a secret: letters, digits, _, - and . are", name)
	}
	return openProjectKeychain()
}

// openProjectKeychain opens the keychain entries of the project that the current folder
// belongs to.
func openProjectKeychain() (secrets.Keychain, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	return secrets.Keychain(keychainFolder(folder)), nil
}

// maxSecretBytes is the size in bytes of the longest secret that is read.
const maxSecretBytes = 1 << 20

// readSecret asks for a value without showing it, if a person can type one. Otherwise it
// returns what stdin has, without the line end.
func readSecret(cmd *cobra.Command, name string) (string, error) {
	var text string
	var err error
	if t := terminalOf(cmd, nil); t != nil {
		text, err = t.readHidden(name + ": ")
	} else {
		var value []byte
		value, err = readAll(cmd.Context(), cmd.InOrStdin(), maxSecretBytes)
		text = strings.TrimSuffix(strings.TrimSuffix(string(value), "\n"), "\r")
	}
	switch {
	case err != nil:
		return "", fmt.Errorf("reading the value: %w", err)
	case text == "":
		return "", errors.New("the value is empty: nothing was kept")
	}
	return text, nil
}

func keychainError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, secrets.ErrNoKeychain):
		return fmt.Errorf("%w: set an environment variable, or write the secret into .env", err)
	case errors.Is(err, context.DeadlineExceeded):
		return errors.New("the keychain does not answer")
	}
	return fmt.Errorf("the keychain: %w", err)
}
