package lsp

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"go.lsp.dev/jsonrpc2"

	"github.com/abl-lsp/abl-lsp/internal/invoke"
	"github.com/abl-lsp/abl-lsp/internal/shell"
	"github.com/abl-lsp/abl-lsp/tool"
)

// copyArgument is the argument of abl.copy.
type copyArgument struct {
	runArgument
	As string `json:"as"` // curl or command
}

// copyRun answers with a call as a line for a shell.
func copyRun(ctx context.Context, x execution, argument *copyArgument) (any, error) {
	var line string
	var err error
	switch argument.As {
	case "command":
		line, err = x.commandLine(ctx, &argument.runArgument)
	case "curl":
		line, err = x.curlLine(ctx, &argument.runArgument)
	default:
		err = jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the command's argument: as is curl or command, not %q", argument.As)
	}
	return map[string]string{"text": line}, err
}

// curlLine returns the request of a run as a curl command.
func (x execution) curlLine(ctx context.Context, a *runArgument) (string, error) {
	req, preview, err := x.prepareRun(ctx, a)
	if err != nil {
		return "", err
	}
	if preview == nil {
		preview = new(x.opts.Executor.Preview(ctx, req))
	}
	if preview.Error != nil {
		return "", errors.New(preview.Error.Message)
	}
	line, err := shell.Curl(preview.Value)
	if err != nil {
		return "", fmt.Errorf("%s: %w", req.Tool.Name, err)
	}
	return line, nil
}

// commandLine returns the run as a command of abl-lsp, with the session's settings.
func (x execution) commandLine(ctx context.Context, a *runArgument) (string, error) {
	path, err := argumentPath(a.URI)
	if err != nil {
		return "", err
	}
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("%s is not saved yet, and the command line runs files", path)
	}
	t, snap, err := x.findTool(ctx, a)
	if err != nil {
		return "", err
	}
	environment := a.Environment
	if environment == "" {
		if environment, err = defaultEnvironment(t, a, snap.settings); err != nil {
			return "", err
		}
	}
	name := tool.JoinVersion(a.Tool, a.Version)
	words := []string{"abl-lsp", "run", toolFile(snap, path, name), name}
	add := func(flag, value string) {
		if value != "" {
			words = append(words, flag, value)
		}
	}
	add("--case", a.Case)
	add("--args", string(nilIfNull(a.Args)))
	add("--environment", environment)
	add("--session", string(nilIfNull(a.Session)))
	for _, p := range a.Grant {
		add("--grant", fmt.Sprintf("%s:%s:%s", p.Kind, p.Op, p.Resource))
	}
	hosts := snap.settings.AllowHosts
	for _, host := range a.AllowHosts {
		if !slices.Contains(hosts, host) { // a host that was just allowed for good is in both lists
			hosts = append(slices.Clip(hosts), host)
		}
	}
	for _, host := range hosts {
		add("--allow-host", host)
	}
	add("--proxy", snap.settings.Proxy)
	return shell.Line(words...), nil
}

// defaultEnvironment returns the name of the environment that the settings have for the
// file in a. It returns "" if a names a case that has an environment of its own, and an
// error if the tool has no such case.
func defaultEnvironment(t invoke.Tool, a *runArgument, s settings) (string, error) {
	if a.Case == "" {
		return s.environmentOfURI(a.URI), nil
	}
	saved, err := t.FindCase(a.Case)
	switch {
	case err != nil:
		return "", jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", err)
	case saved.Environment != "":
		return "", nil
	}
	return s.environmentOfURI(a.URI), nil
}
