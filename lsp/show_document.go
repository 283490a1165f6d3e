package lsp

import (
	"context"
	"slices"

	"go.lsp.dev/protocol"
)

// showCommand shows a file. It is the last step of an action that creates or changes one,
// since the file exists only then.
const showCommand = "abl.show"

// showCommandFor returns the command that shows the file at path in this client. It
// returns the zero value if path is "" or the client cannot show a file.
func showCommandFor(snap *snapshot, path string) (protocol.Command, error) {
	name := showCommand
	switch {
	case path == "":
		return protocol.Command{}, nil
	case slices.Contains(snap.settings.ClientCommands, openCommand):
		name = openCommand
	case !snap.capabilities.Window.ShowDocument.Support:
		return protocol.Command{}, nil
	}
	return newCommand("Show the file", name, map[string]any{"uri": snap.uriOf(path)})
}

// showDocument asks the client to show a file.
func showDocument(ctx context.Context, x execution, argument *fileArgument) (any, error) {
	path, err := argumentPath(argument.URI)
	if err != nil || !x.snap.capabilities.Window.ShowDocument.Support {
		return nil, err
	}
	return nil, x.client.Call(ctx, protocol.MethodWindowShowDocument, &protocol.ShowDocumentParams{URI: x.snap.uriOf(path), TakeFocus: new(true)}, nil)
}
