package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/lsp/connection"
)

// The commands of the server.
const (
	runCommand           = "abl.run"
	previewCommand       = "abl.preview"
	revertCommand        = "abl.revert"
	toolsCommand         = "abl.tools"
	trustCommand         = "abl.trust"
	refreshCommand       = "abl.refresh"
	acceptCommand        = "abl.accept"
	casesCommand         = "abl.cases"
	testCommand          = "abl.test"
	caseFieldsCommand    = "abl.caseFields"
	saveCaseCommand      = "abl.saveCase"
	historyCommand       = "abl.history"
	environmentsCommand  = "abl.environments"
	copyCommand          = "abl.copy"
	exportCommand        = "abl.export"
	convertCommand       = "abl.convert"
	noSideEffectsCommand = "abl.noSideEffects"
	readResourceCommand  = "abl.readResource"
)

// commandTable returns the handlers of commands, by name.
func commandTable() map[string]commandHandler {
	return map[string]commandHandler{
		runCommand:     onArgument(runTool),
		previewCommand: onArgument(previewTool),
		revertCommand:  onArgument(revertRun),

		readResourceCommand: onArgument(readResource),

		toolsCommand:   onFile(listTools),
		trustCommand:   onArgument(setTrust),
		showCommand:    onArgument(showDocument),
		refreshCommand: onArgument(refreshServers),
		acceptCommand:  onArgument(acceptServer),

		casesCommand:         onFile(listCases),
		testCommand:          onArgument(testCase),
		caseFieldsCommand:    onArgument(listCaseFields),
		saveCaseCommand:      onFile(saveCase),
		historyCommand:       onArgument(answerHistory),
		environmentsCommand:  onFile(listEnvironments),
		copyCommand:          onArgument(copyRun),
		exportCommand:        onFile(exportTools),
		convertCommand:       onFile(convertAgent),
		noSideEffectsCommand: onFile(declareNoSideEffects),
	}
}

// commandHandler answers one call of a command.
type commandHandler func(context.Context, execution) (any, error)

// onArgument is a command whose argument is decoded first.
func onArgument[A any](h func(context.Context, execution, *A) (any, error)) commandHandler {
	return func(ctx context.Context, x execution) (any, error) {
		argument := new(A)
		if err := unmarshal(x.argument, argument); err != nil {
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the command's argument: %v", err)
		}
		return h(ctx, x, argument)
	}
}

// fileReference is the argument of a command about a file.
type fileReference[A any] interface {
	*A
	file() string
}

// onFile is a command about a file. Its handler gets the path of the file, and a snapshot
// that has the file as resolveFile returns it.
func onFile[A any, F fileReference[A]](h func(context.Context, execution, string, *A) (any, error)) commandHandler {
	return onArgument(func(ctx context.Context, x execution, argument *A) (any, error) {
		path, snap, err := x.resolveFile(F(argument).file())
		if err != nil {
			return nil, err
		}
		x.snap = snap
		return h(ctx, x, path, argument)
	})
}

func commandNames() []string { return slices.Sorted(maps.Keys(commandTable())) }

// newCommand returns a command with one argument for the client.
func newCommand(title, name string, argument any) (protocol.Command, error) {
	raw, err := protocol.Marshal(argument)
	if err != nil {
		return protocol.Command{}, fmt.Errorf("command %q: %w", title, err)
	}
	return protocol.Command{Title: title, Command: name, Arguments: []protocol.LSPAny{raw}}, nil
}

// execution is one call of a command. Every command takes one object as its argument.
type execution struct {
	*server
	snap     *snapshot
	argument []byte // JSON
	token    protocol.ProgressToken
}

func executeCommand(ctx context.Context, s *server, snap *snapshot, params *protocol.ExecuteCommandParams) (any, error) {
	run, ok := commandTable()[params.Command]
	if !ok {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "this server has no command %q", params.Command)
	}
	x := execution{server: s, snap: snap, argument: []byte("{}"), token: params.WorkDoneToken}
	if len(params.Arguments) > 0 {
		x.argument = params.Arguments[0]
	}
	form := answerForm{exactNumbers: snap.settings.ExactNumbers, keyOrder: snap.settings.KeyOrder}
	if form == (answerForm{}) {
		return run(ctx, x)
	}
	var err error
	if x.argument, err = form.decode(x.argument); err != nil {
		return nil, err
	}
	answer, err := run(ctx, x)
	if err != nil {
		return nil, err
	}
	raw, err := connection.Encode(answer)
	return jsonrpc2.RawMessage(form.encode(raw)), err
}

// answerForm says what the JSON of commands has besides the values.
type answerForm struct{ exactNumbers, keyOrder bool }

// encode returns an answer in the form.
func (f answerForm) encode(raw []byte) []byte {
	if f.exactNumbers {
		raw = markValues(raw)
	}
	if f.keyOrder {
		raw = addKeyOrder(raw)
	}
	return raw
}

// decode returns an argument that the client has given in the form.
func (f answerForm) decode(raw []byte) ([]byte, error) {
	if f.keyOrder {
		raw = dropKeyOrder(raw)
	}
	if f.exactNumbers {
		return restoreValues(raw)
	}
	return raw, nil
}

// unmarshal decodes JSON from the client. An error names the field that has a wrong type.
func unmarshal(raw []byte, into any) error {
	err := json.Unmarshal(raw, into)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		name := cmp.Or(wrong.Field[strings.LastIndexByte(wrong.Field, '.')+1:], "it")
		return fmt.Errorf("%s cannot be of the type %s", name, wrong.Value)
	}
	return err
}

// resolveFile returns the path of the file that a command names, and the snapshot with
// that file and the libraries that bind its tools.
func (x execution) resolveFile(given string) (path string, snap *snapshot, err error) {
	if path, err = argumentPath(given); err != nil {
		return "", nil, err
	}
	return path, x.files.withFile(x.snap, path).withLibraries(path), nil
}

// fileArgument is embedded in arguments that name a file.
type fileArgument struct {
	URI string `json:"uri"`
}

func (a *fileArgument) file() string { return a.URI }

// argumentPath returns the path of the file that a command names.
func argumentPath(given string) (string, error) {
	if given == "" {
		return "", jsonrpc2.NewError(jsonrpc2.InvalidParams, "the command's argument: uri is missing")
	}
	u, err := uri.Parse(given)
	if err != nil {
		return "", jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the command's uri: %v", err)
	}
	return pathOf(u), nil
}
