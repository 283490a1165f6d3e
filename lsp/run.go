package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/invoke"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// runArgument is the argument of abl.run and abl.preview.
type runArgument struct {
	fileArgument
	Tool        string          `json:"tool"`
	Version     string          `json:"version"`
	Args        json.RawMessage `json:"args"`
	Case        string          `json:"case"`
	Environment string          `json:"environment"`
	Session     json.RawMessage `json:"session"`
	Fresh       bool            `json:"fresh"` // call the tool even if there is a cached result
	runAnswers
}

// runAnswers are the person's answers to what a run has asked for.
type runAnswers struct {
	Confirm    string            `json:"confirm"`
	Grant      []tool.Permission `json:"grant"`
	AllowHosts []string          `json:"allowHosts"`
	Secrets    map[string]string `json:"secrets"`
	Input      *executor.Input   `json:"input"`
	Kept       []string          `json:"kept"` // the names of the secrets that the client has stored
}

// runTool answers with the envelope of a run. The run ends when the request or its
// progress is cancelled.
func runTool(ctx context.Context, x execution, argument *runArgument) (any, error) {
	req, refused, err := x.prepareRun(ctx, argument)
	return answerCall(refused, err, func() executor.Envelope {
		return x.runCall(ctx, req, "Running ", x.opts.Executor.Run)
	})
}

// answerCall answers with the envelope of a call, or with the reason why it cannot be
// made.
func answerCall(refused *executor.Envelope, err error, call func() executor.Envelope) (any, error) {
	switch {
	case err != nil:
		return nil, err
	case refused != nil:
		return encodeEnvelope(*refused)
	}
	return encodeEnvelope(call())
}

// runCall makes a call with the person's grants, and shows its progress under a title
// that begins with doing.
func (x execution) runCall(ctx context.Context, req executor.Request, doing string, call func(context.Context, executor.Request) executor.Envelope) executor.Envelope {
	req.Trusted = x.trust.isTrusted(ctx)
	req.Grants = x.trust.withGrants(ctx, req)
	ctx, progress := x.client.beginProgress(ctx, x.token, doing+req.Tool.Name)
	req.Report = progress.showRun
	req.OpenURL = x.openURL()
	envelope := call(ctx, req)
	progress.end(outcomeMessage(envelope))
	return envelope
}

// errNoExecutor is the error of a server without an executor.
var errNoExecutor = jsonrpc2.NewError(jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed), "this server runs no tools")

var errNoTool = jsonrpc2.NewError(jsonrpc2.InvalidParams, "the command's argument: tool is missing")

// outputMethod is the notification with a piece of the output of a run that has not
// ended.
const outputMethod = "abl/runOutput"

// runOutput is a piece of the output of the run whose progress has the token.
type runOutput struct {
	Token protocol.ProgressToken `json:"token"`
	Chunk string                 `json:"chunk"`
}

// showRun shows the progress of a run.
func (p *progress) showRun(now executor.Progress) {
	if p == nil {
		return
	}
	if now.Message != "" {
		p.report(now.Message)
	}
	if now.Chunk != "" {
		p.client.Notify(outputMethod, runOutput{p.token, now.Chunk})
	}
}

// showPageParams are the parameters of a request to show a page. The library's own type
// would escape the query of the page twice.
type showPageParams struct {
	URI      string `json:"uri"`
	External bool   `json:"external"`
}

// openURL returns a function that asks the client to show a page in the person's browser,
// nil if the client cannot.
func (x execution) openURL() func(context.Context, string) error {
	if !x.snap.capabilities.Window.ShowDocument.Support {
		return nil
	}
	return func(ctx context.Context, page string) error {
		var shown protocol.ShowDocumentResult
		params := showPageParams{URI: page, External: true}
		if err := x.client.Call(ctx, protocol.MethodWindowShowDocument, params, &shown); err != nil {
			return fmt.Errorf("the editor shows no page: %w", err)
		}
		if !shown.Success {
			return errors.New("the editor shows no page")
		}
		return nil
	}
}

// outcomeMessage returns the last message of a run's progress.
func outcomeMessage(e executor.Envelope) string {
	if e.Error != nil {
		return e.Error.Message
	}
	return "done"
}

// previewTool answers with the request that a run would send.
func previewTool(ctx context.Context, x execution, argument *runArgument) (any, error) {
	req, refused, err := x.prepareRun(ctx, argument)
	return answerCall(refused, err, func() executor.Envelope { return x.opts.Executor.Preview(ctx, req) })
}

// prepareRun builds the request for a run from the tool in the current text. refused is
// the answer if the tool has errors or cannot be called this way, otherwise nil.
func (x execution) prepareRun(ctx context.Context, argument *runArgument) (req executor.Request, refused *executor.Envelope, err error) {
	t, snap, err := x.findTool(ctx, argument)
	if err != nil {
		return req, nil, err
	}
	req, refused, err = newCallRequest(snap, t, argument.callOptions(snap.settings), argument.runAnswers)
	req.Fresh = argument.Fresh
	return req, refused, err
}

// findTool returns the tool that a run names, and a snapshot that has the tool's file. The
// tool is looked up in the file that the argument names or, if that is a file of cases, in
// the file that these cases test. If the tool does not exist, the error is a noToolError.
func (x execution) findTool(ctx context.Context, argument *runArgument) (t invoke.Tool, snap *snapshot, err error) {
	if x.opts.Executor == nil {
		return t, nil, errNoExecutor
	}
	path, snap, err := x.resolveFile(argument.URI)
	if err != nil {
		return t, nil, err
	}
	if argument.Tool == "" {
		return t, nil, errNoTool
	}
	name := tool.JoinVersion(argument.Tool, argument.Version)
	path = toolFile(snap, path, name)
	t, ok := invoke.Find(snap.workspace, path, name, x.checkAllIn(ctx, snap))
	if !ok {
		return t, nil, x.explainMissingTool(ctx, snap, path, name)
	}
	return t, snap, nil
}

// maxNamesakes is how many other files with a tool of the same name an error lists.
const maxNamesakes = 3

// explainMissingTool returns an error that says why a file has no tool with a name, and
// which other files have one, since the tool may have moved.
func (x execution) explainMissingTool(ctx context.Context, snap *snapshot, path, name string) error {
	file := filepath.Base(path)
	if called := snap.workspace.Scope(path).Ambiguous(name); called != nil {
		return noToolError(fmt.Sprintf("%s: several services have a tool %q; name %s", file, name, strings.Join(called, " or ")))
	}
	why := fmt.Sprintf("%s has no tool %q", file, name)
	if model.IsCases(path) {
		why = fmt.Sprintf("no file beside %s has a tool %q", file, name)
	}
	if _, absent := snap.readFile(path); snap.documents[path] == nil && absent == model.NotFound {
		why = file + " is not there any more: it was renamed or deleted"
	}
	whole, err := x.files.withIndex(ctx, snap)
	if err != nil {
		return err
	}
	var in []string
	for _, s := range analysis.WorkspaceSymbols(ctx, whole.workspace, name) {
		shown := snap.displayPath(s.Path)
		if s.Kind == analysis.ToolSymbol && s.Name == name && len(in) < maxNamesakes && !slices.Contains(in, shown) {
			in = append(in, shown)
		}
	}
	if len(in) > 0 {
		why = fmt.Sprintf("%s; a tool %s is in %s", why, name, strings.Join(in, " and in "))
	}
	return noToolError(why)
}

// displayPath returns a path as it is shown to a person: relative to its workspace
// folder.
func (snap *snapshot) displayPath(path string) string {
	for _, folder := range snap.folders {
		if rel, err := filepath.Rel(folder, path); err == nil && isWithin(folder, path) {
			if len(snap.folders) > 1 {
				rel = filepath.Join(filepath.Base(folder), rel)
			}
			return filepath.ToSlash(rel)
		}
	}
	return path
}

// noToolError is the error that a file has no tool with the requested name. It is the
// reason, as text for the person.
type noToolError string

func (e noToolError) Error() string { return string(e) }

// toolFile returns the path of the file that declares the tool called name, if path is a
// file of cases. It returns path itself if no such file is known, or if path is another
// file.
func toolFile(snap *snapshot, path, name string) string {
	if !model.IsCases(path) {
		return path
	}
	owner, _ := model.TestedFileOfTool(snap.workspace, path, name)
	return cmp.Or(owner, path)
}

// newCallRequest returns the request for a call of a tool, with the person's answers.
// refused is the answer if the tool has errors or cannot be called this way, otherwise
// nil. An error is a mistake in the options.
func newCallRequest(snap *snapshot, t invoke.Tool, c invoke.CallOptions, a runAnswers) (req executor.Request, refused *executor.Envelope, err error) {
	if len(t.Broken) > 0 {
		return req, new(t.RefusedEnvelope(snap.displayPath(t.BrokenIn.Path))), nil
	}
	req, err = t.Request(c)
	if fault, ok := errors.AsType[*executor.Error](err); ok {
		return req, new(executor.RefusedEnvelope(&t.Tool, fault)), nil
	}
	if err != nil {
		return req, nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", err)
	}
	addAnswers(snap, &req, a)
	if whole, err := snap.withSchemas(*req.Tool); err == nil { // otherwise the run reports the error
		req.Tool = &whole
	}
	return req, nil, nil
}

// addAnswers adds the person's answers and the session's settings to a request.
func addAnswers(snap *snapshot, req *executor.Request, a runAnswers) {
	req.Confirm, req.Input = a.Confirm, a.Input
	req.Folders = snap.folders
	req.AllowHosts = slices.Concat(snap.settings.AllowHosts, a.AllowHosts)
	req.Proxy = snap.settings.Proxy
	req.Secrets = a.Secrets
	req.RememberedSecrets = a.Kept
	req.AskSecrets = true
	req.KeepRaw = true
	req.Grants = a.Grant
	req.Trusted = orZero(snap.settings.Trusted) // a preview does not ask the person; a call does
}

// callOptions returns the options of the call that the argument asks for.
func (a *runArgument) callOptions(s settings) invoke.CallOptions {
	return invoke.CallOptions{
		Case: a.Case, Environment: a.Environment, Usual: s.environmentOfURI(a.URI), Args: nilIfNull(a.Args), Session: nilIfNull(a.Session),
	}
}

// nilIfNull returns nil for a JSON null, and any other value unchanged.
func nilIfNull(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}

// encodeEnvelope encodes an envelope. The tool's own text and numbers stay exactly as
// they are.
func encodeEnvelope(e executor.Envelope) (jsonrpc2.RawMessage, error) {
	raw, err := exactjson.Encode(e)
	if err != nil {
		return nil, fmt.Errorf("the result of %s: %w", e.Tool, err)
	}
	return jsonrpc2.RawMessage(raw), nil
}
