package lsp

import (
	"context"
	"errors"
	"fmt"

	"go.lsp.dev/jsonrpc2"

	"github.com/abl-lsp/abl-lsp/internal/shell"
	"github.com/abl-lsp/abl-lsp/tool"
)

// copyArgument is the argument of abl.copy.
type copyArgument struct {
	runArgument
	As string `json:"as"` // curl or command
}

// copyRun answers with a call as a line for a shell.
func copyRun(ctx context.Context, x execution) (any, error) {
	var argument copyArgument
	if err := x.decode(&argument); err != nil {
		return nil, err
	}
	var line string
	var err error
	switch argument.As {
	case "command":
		line, err = x.command(argument.runArgument)
	case "curl":
		line, err = x.curl(ctx)
	default:
		err = jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the command's argument: as is curl or command, not %q", argument.As)
	}
	return map[string]string{"text": line}, err
}

// curl is the request that a run would send.
func (x execution) curl(ctx context.Context) (string, error) {
	req, preview, err := x.prepareRun(ctx)
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

// command is the run on the command line.
func (x execution) command(a runArgument) (string, error) {
	path, at, err := x.about(a.URI)
	if err != nil {
		return "", err
	}
	name := tool.JoinVersion(a.Tool, a.Version)
	words := []string{"abl-lsp", "run", at.owner(path, name), name}
	add := func(flag, value string) {
		if value != "" && value != "null" {
			words = append(words, flag, value)
		}
	}
	add("--case", a.Case)
	add("--args", string(a.Args))
	add("--environment", a.Environment)
	add("--session", string(a.Session))
	for _, p := range a.Grant {
		add("--grant", fmt.Sprintf("%s:%s:%s", p.Kind, p.Op, p.Resource))
	}
	for _, host := range a.AllowHosts {
		add("--allow-host", host)
	}
	return shell.Line(words...), nil
}
