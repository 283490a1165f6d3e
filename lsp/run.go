package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/executor"
)

// runArgument is the argument of abl.run and abl.preview.
type runArgument struct {
	URI         string            `json:"uri"`
	Tool        string            `json:"tool"`
	Args        json.RawMessage   `json:"args"`
	Environment string            `json:"environment"`
	Session     json.RawMessage   `json:"session"`
	Confirm     string            `json:"confirm"`
	AllowHosts  []string          `json:"allowHosts"`
	Secrets     map[string]string `json:"secrets"`
}

// runTool answers with the envelope of a run, which ends when the request or
// its progress is cancelled.
func runTool(ctx context.Context, x execution) (any, error) {
	req, refused, err := x.prepareRun(ctx)
	if err != nil || refused != nil {
		return refused, err
	}
	req.Trusted = x.trusted(ctx)
	ctx, progress := x.beginProgress(ctx, x.token, "Running "+req.Tool.Name)
	envelope := x.opts.Executor.Run(ctx, req)
	progress.end(outcome(envelope))
	return wire(envelope)
}

func outcome(e executor.Envelope) string {
	if e.Error != nil {
		return e.Error.Message
	}
	return "done"
}

// previewTool answers with what a run would send.
func previewTool(ctx context.Context, x execution) (any, error) {
	req, refused, err := x.prepareRun(ctx)
	if err != nil || refused != nil {
		return refused, err
	}
	return wire(x.opts.Executor.Preview(ctx, req))
}

// prepareRun reads the tool as it stands in the text now. refused is the answer
// where the tool has errors.
func (x execution) prepareRun(ctx context.Context) (req executor.Request, refused any, err error) {
	if x.opts.Executor == nil {
		return req, nil, jsonrpc2.NewError(jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed), "this server runs no tools")
	}
	var argument runArgument
	if err := x.decode(&argument); err != nil {
		return req, nil, err
	}
	u, err := uri.Parse(argument.URI)
	if err != nil {
		return req, nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the command's uri: %v", err)
	}
	at := x.at.completed(pathOf(u))
	lowered, ok := at.workspace.Lower(pathOf(u), argument.Tool)
	if !ok {
		return req, nil, fmt.Errorf("%s has no tool %q", pathOf(u), argument.Tool)
	}
	file := lowered.Declared.File
	if broken := analysis.Broken(x.check(ctx, at, file.Path), lowered.Declared.PlacedTool); len(broken) > 0 {
		refused, err := wire(executor.Refused(&lowered.Tool, definitionError(file, broken[0])))
		return req, refused, err
	}
	return argument.request(lowered, at.settings), nil, nil
}

func (a runArgument) request(l analysis.Lowered, s settings) executor.Request {
	environment := a.Environment
	if environment == "" {
		environment = s.Environment
	}
	return executor.Request{
		Tool:        &l.Tool,
		Args:        orNone(a.Args),
		Session:     orNone(a.Session),
		Environment: executor.Environment{Name: environment},
		ToolTimeout: l.ToolTimeout,
		Confirm:     a.Confirm,
		AllowHosts:  slices.Concat(s.AllowHosts, a.AllowHosts),
		Secrets:     a.Secrets,
		Dotenv:      filepath.Join(filepath.Dir(l.Tool.Origin.File), ".env"),
	}
}

// orNone takes a null for nothing.
func orNone(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}

func definitionError(f *analysis.File, d analysis.Diagnostic) *executor.Error {
	line := f.Doc.Lines().Line(d.Span.Start) + 1
	return executor.Errorf(executor.KindDefinition, d.Code, "%s:%d: %s", f.Path, line, d.Message)
}

// wire encodes an envelope with the tool's own text and numbers as they are.
func wire(e executor.Envelope) (jsonrpc2.RawMessage, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(e); err != nil {
		return nil, fmt.Errorf("the result of %s: %w", e.Tool, err)
	}
	return b.Bytes(), nil
}
