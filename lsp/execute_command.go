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
	runCommand          = "abl.run"
	previewCommand      = "abl.preview"
	revertCommand       = "abl.revert"
	toolsCommand        = "abl.tools"
	trustCommand        = "abl.trust"
	refreshCommand      = "abl.refresh"
	acceptCommand       = "abl.accept"
	casesCommand        = "abl.cases"
	testCommand         = "abl.test"
	saveCaseCommand     = "abl.saveCase"
	historyCommand      = "abl.history"
	environmentsCommand = "abl.environments"
	copyCommand         = "abl.copy"
	exportCommand       = "abl.export"
	noEffectsCommand    = "abl.noSideEffects"
)

// commandTable names the handler of each command.
func commandTable() map[string]func(context.Context, execution) (any, error) {
	return map[string]func(context.Context, execution) (any, error){
		runCommand:     runTool,
		previewCommand: previewTool,
		revertCommand:  revertRun,
		toolsCommand:   listTools,
		trustCommand:   setTrust,
		showCommand:    showDocument,
		refreshCommand: refreshServers,
		acceptCommand:  acceptServer,

		casesCommand:        listCases,
		testCommand:         testCase,
		saveCaseCommand:     saveCase,
		historyCommand:      listHistory,
		environmentsCommand: listEnvironments,
		copyCommand:         copyRun,
		exportCommand:       exportTools,
		noEffectsCommand:    declareNoSideEffects,
	}
}

func commandNames() []string { return slices.Sorted(maps.Keys(commandTable())) }

// execution is one call of a command. All commands take one object as argument.
type execution struct {
	*server
	at       *snapshot
	argument []byte // JSON
	token    protocol.ProgressToken
}

func executeCommand(ctx context.Context, s *server, at *snapshot, params *protocol.ExecuteCommandParams) (any, error) {
	run, ok := commandTable()[params.Command]
	if !ok {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "this server has no command %q", params.Command)
	}
	x := execution{server: s, at: at, argument: []byte("{}"), token: params.WorkDoneToken}
	if len(params.Arguments) > 0 {
		x.argument = params.Arguments[0]
	}
	if !at.settings.ExactNumbers {
		return run(ctx, x)
	}
	var err error
	if x.argument, err = restoreValues(x.argument); err != nil {
		return nil, err
	}
	answer, err := run(ctx, x)
	if err != nil {
		return nil, err
	}
	raw, err := connection.Encode(answer)
	return jsonrpc2.RawMessage(markValues(raw)), err
}

// decode reads the argument of a command.
func (x execution) decode(argument any) error {
	if err := unmarshal(x.argument, argument); err != nil {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the command's argument: %v", err)
	}
	return nil
}

// unmarshal reads JSON of the client. An error names the field that has a wrong type.
func unmarshal(raw []byte, into any) error {
	err := json.Unmarshal(raw, into)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		name := cmp.Or(wrong.Field[strings.LastIndexByte(wrong.Field, '.')+1:], "it")
		return fmt.Errorf("%s cannot be of the type %s", name, wrong.Value)
	}
	return err
}

// fileAt returns the path of the file that a command names, and the snapshot with that file.
func (x execution) fileAt(given string) (path string, at *snapshot, err error) {
	if path, err = argumentPath(given); err != nil {
		return "", nil, err
	}
	return path, x.workspace.withFile(x.at, path).withLibraries(path), nil
}

// decodeFile decodes the argument of a command about a file, and returns the file as fileAt
// does.
func (x execution) decodeFile(argument fileReference) (path string, at *snapshot, err error) {
	if err := x.decode(argument); err != nil {
		return "", nil, err
	}
	return x.fileAt(argument.file())
}

// fileReference is the argument of a command about a file.
type fileReference interface{ file() string }

// fileArgument is embedded in arguments that name a file.
type fileArgument struct {
	URI string `json:"uri"`
}

func (a *fileArgument) file() string { return a.URI }

// argumentPath is the path of the file that a command is about.
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
