package lsp

import (
	"context"
	"fmt"
	"slices"

	"go.lsp.dev/protocol"
)

// showCommand shows a file: the last step of an action that made or changed
// one, since only then it is there.
const showCommand = "abl.show"

// showCommandFor returns the command that shows a file in this client, the zero value if the
// client cannot show one.
func showCommandFor(at *snapshot, path string) (protocol.Command, error) {
	name := showCommand
	switch {
	case path == "":
		return protocol.Command{}, nil
	case slices.Contains(at.settings.ClientCommands, openCommand):
		name = openCommand
	case !at.support.showsDocuments:
		return protocol.Command{}, nil
	}
	argument, err := protocol.Marshal(map[string]any{"uri": at.uriOf(path)})
	if err != nil {
		return protocol.Command{}, fmt.Errorf("showing %s: %w", path, err)
	}
	return protocol.Command{Title: "Show the file", Command: name, Arguments: []protocol.LSPAny{argument}}, nil
}

// showDocument asks the client to show a file.
func showDocument(ctx context.Context, x execution) (any, error) {
	var argument struct {
		URI string `json:"uri"`
	}
	if err := x.decode(&argument); err != nil {
		return nil, err
	}
	path, err := argumentPath(argument.URI)
	if err != nil || !x.at.support.showsDocuments {
		return nil, err
	}
	return nil, x.client.Call(ctx, protocol.MethodWindowShowDocument, &protocol.ShowDocumentParams{URI: x.at.uriOf(path), TakeFocus: new(true)}, nil)
}
