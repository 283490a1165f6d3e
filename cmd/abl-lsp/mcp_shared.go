package main

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor/state"
	"github.com/abl-lsp/abl-lsp/executor/state/redis"
	"github.com/abl-lsp/abl-lsp/internal/operator"
)

// sharing says where several servers keep what they agree on.
type sharing struct {
	operator.Shared
	from string // what says so, for messages
}

// sharingOf returns what --shared or the operator's file says; nil if neither does. It returns an
// error if there is no key for what is shared.
func sharingOf(flags mcpFlags, o *operator.Config) (*sharing, error) {
	var s sharing
	switch {
	case flags.shared != "":
		s.URL, s.from = flags.shared, "--shared"
	case o.Shared != nil:
		s.Shared, s.from = *o.Shared, "--config: shared"
	default:
		return nil, nil
	}
	if o.Shared != nil {
		s.Prefix = o.Shared.Prefix
	}
	if flags.stateKey == "" && o.StateKey == "" {
		return nil, errors.New(s.from + ": what is shared must be sealed: name a secret that all servers have with --state-key, or state_key in the file of --config")
	}
	return &s, nil
}

// open returns the store, sealed with key. The caller must close it.
func (s *sharing) open(key string, logger *slog.Logger) (state.Store, error) {
	store, err := redis.Open(redis.Options{URL: s.URL, Prefix: s.Prefix, Key: key, Logger: logger})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.from, err)
	}
	return store, nil
}

// shortestStateKey is the length below which a state key can be guessed, in bytes.
const shortestStateKey = 16

// isWeakKey reports whether a state key can be guessed: it is short, or that of the example in
// deploy/kubernetes. An empty key is none.
func isWeakKey(key string) bool {
	return key != "" && (len(key) < shortestStateKey || strings.Contains(key, "replace-me"))
}

// warnOfWeakSecrets logs which secrets of a server can be guessed.
func warnOfWeakSecrets(log *slog.Logger, key string, rules *operatorRules) {
	if isWeakKey(key) {
		log.Warn("the state key can be guessed, and who has it forges confirmations and reads what is shared: take 32 random characters")
	}
	if names := rules.callers.ShortTokens(); names != nil {
		log.Warn("tokens of callers can be guessed: take 32 random characters", "callers", names)
	}
}
