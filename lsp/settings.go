package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/zap"

	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// settings are what the person has set for a session. The client sends them with
// initializationOptions, and later as its settings.abl.
type settings struct {
	Trusted        *bool    `json:"trusted"` // nil: not decided yet
	Environment    string   `json:"environment"`
	AllowHosts     []string `json:"allowHosts"`
	ClientCommands []string `json:"clientCommands"`
	Proxy          string   `json:"proxy"`
	ExactNumbers   bool     `json:"exactNumbers"` // see jsonMark
	KeyOrder       bool     `json:"keyOrder"`     // see orderKey

	Environments map[string]string `json:"environments"` // of single folders, by their URI

	CodeLens   lensSettings `json:"codeLens"`
	InlayHints hintSettings `json:"inlayHints"`
}

// lensSettings decide which lenses are shown.
type lensSettings struct {
	Run        bool `json:"run"`
	Cases      bool `json:"cases"`
	Preview    bool `json:"preview"`
	Imports    bool `json:"imports"`
	References bool `json:"references"`
}

// hintSettings decide which inlay hints are shown.
type hintSettings struct {
	Defaults       bool `json:"defaults"`
	URLs           bool `json:"urls"`
	ParameterNames bool `json:"parameterNames"`
	Types          bool `json:"types"`
}

// defaultSettings returns the settings of a person who has set nothing.
func defaultSettings() settings {
	return settings{
		CodeLens:   lensSettings{Run: true, Cases: true, Preview: true, Imports: true},
		InlayHints: hintSettings{Defaults: true, URLs: true, ParameterNames: true, Types: true},
	}
}

// mergeJSON returns the settings with the fields of a JSON object set. It returns the old
// settings and an error if a field has a wrong type.
func (s settings) mergeJSON(raw []byte) (settings, error) {
	// Decoding reuses what a pointer or a slice points to, which the old
	// settings still use.
	next := s
	next.AllowHosts = slices.Clone(s.AllowHosts)
	next.ClientCommands = slices.Clone(s.ClientCommands)
	if s.Trusted != nil {
		next.Trusted = new(*s.Trusted)
	}
	next.Environments = nil // a folder that is no longer named has no environment
	if err := unmarshal(raw, &next); err != nil {
		return s, fmt.Errorf("settings are an object of trusted, environment, environments, allowHosts, clientCommands, proxy, exactNumbers, keyOrder, codeLens and inlayHints: %w", err)
	}
	if next.Environments == nil {
		next.Environments = s.Environments
	}
	return next, nil
}

// environment returns the name of the environment for the file at path. It is the one that
// is set for the innermost folder around the file, otherwise the one of the session, and
// "" for the project's default.
func (s settings) environment(path string) string {
	folders := make(map[string]string, len(s.Environments))
	for folder, name := range s.Environments {
		if u, err := uri.Parse(folder); err == nil {
			folders[pathOf(u)] = name
		}
	}
	if folder := innermostFolder(slices.Collect(maps.Keys(folders)), path); folder != "" {
		return folders[folder]
	}
	return s.Environment
}

// environmentOfURI is environment for the file with a URI.
func (s settings) environmentOfURI(given string) string {
	path, err := argumentPath(given)
	if err != nil {
		return s.Environment
	}
	return s.environment(path)
}

// configuration reads the settings of the session.
type configuration struct {
	client   *client
	session  *session
	pulling  sync.Mutex // is held while the client is asked
	onChange func()     // is called after a change during the session
}

// apply sets the fields of the session's settings that raw has. Invalid settings change
// nothing, except that "trusted": false is always applied.
func (c *configuration) apply(raw []byte) error {
	if len(raw) == 0 {
		return nil
	}
	var err error
	var given struct{ Trusted *bool }
	_ = json.Unmarshal(raw, &given) // mergeJSON reports errors
	c.session.update(func(next *snapshot) {
		next.settings, err = next.settings.mergeJSON(raw)
		if given.Trusted != nil && (err == nil || !*given.Trusted) {
			next.settings.Trusted, next.trustAnswered = given.Trusted, false
		}
		next.workspace = model.WithEnvironments(next.workspace, next.settings.environment)
		c.session.imported.forgetAll(next)
	})
	return err
}

// settingsSection is the key of the server's settings in the client's settings.
const settingsSection = "abl"

// didChangeConfiguration applies the settings in the notification. If it has none, they
// are pulled.
func didChangeConfiguration(s *server, params *protocol.DidChangeConfigurationParams) error {
	var sections struct {
		ABL json.RawMessage `json:"abl"`
	}
	if len(params.Settings) > 0 {
		if err := json.Unmarshal(params.Settings, &sections); err != nil {
			return fmt.Errorf("settings: %w", err)
		}
	}
	if len(sections.ABL) == 0 || string(sections.ABL) == "null" {
		s.client.Go("settings", s.configuration.pull)
		return nil
	}
	s.configuration.applyChange(sections.ABL)
	return nil
}

// applyChange is apply during the session. It shows the person a warning if the settings
// are invalid.
func (c *configuration) applyChange(raw []byte) {
	if err := c.apply(raw); err != nil {
		c.client.showWarning("None of the settings (settings.abl) are taken: %v", err)
		return
	}
	c.onChange()
}

// pull asks the client for its settings and applies them. One call runs at a time, so
// that the last answer is the latest.
func (c *configuration) pull(ctx context.Context) {
	if !c.session.load().capabilities.Workspace.Configuration {
		return
	}
	c.pulling.Lock()
	defer c.pulling.Unlock()
	params := &protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: new(settingsSection)}}}
	var answer protocol.LSPAny
	if err := c.client.Call(ctx, protocol.MethodWorkspaceConfiguration, params, &answer); err != nil {
		c.client.log.Debug("no settings", zap.Error(err))
		return
	}
	var items []json.RawMessage
	if json.Unmarshal(answer, &items) == nil && len(items) == 1 && string(items[0]) != "null" {
		c.applyChange(items[0])
	}
}
