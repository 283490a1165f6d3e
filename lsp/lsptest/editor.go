package lsptest

import (
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// Initialize opens the session. Each option may change the parameters. Without options
// the client supports nothing optional.
func (c *Client) Initialize(options ...func(*protocol.InitializeParams)) *protocol.InitializeResult {
	c.t.Helper()
	params := &protocol.InitializeParams{}
	for _, option := range options {
		option(params)
	}
	var result protocol.InitializeResult
	if err := c.Call(protocol.MethodInitialize, params, &result); err != nil {
		c.t.Fatalf("initialize: %v", err)
	}
	c.Notify(protocol.MethodInitialized, &protocol.InitializedParams{})
	return &result
}

// WithEncodings offers position encodings, such as "utf-8".
func WithEncodings(names ...protocol.PositionEncodingKind) func(*protocol.InitializeParams) {
	return func(p *protocol.InitializeParams) {
		p.Capabilities.General = &protocol.GeneralClientCapabilities{PositionEncodings: names}
	}
}

// WithOptions sets initializationOptions, given as JSON.
func WithOptions(json string) func(*protocol.InitializeParams) {
	return func(p *protocol.InitializeParams) { p.InitializationOptions = protocol.LSPAny(json) }
}

// WithFolders opens workspace folders.
func WithFolders(paths ...string) func(*protocol.InitializeParams) {
	return func(p *protocol.InitializeParams) {
		var folders []protocol.WorkspaceFolder
		for _, path := range paths {
			folders = append(folders, protocol.WorkspaceFolder{URI: uri.File(path), Name: path})
		}
		p.WorkspaceFolders = protocol.NewNullable(folders)
	}
}

// WithVersions announces that published diagnostics may have the version of their
// document.
func WithVersions(p *protocol.InitializeParams) {
	p.Capabilities.TextDocument = &protocol.TextDocumentClientCapabilities{
		PublishDiagnostics: &protocol.PublishDiagnosticsClientCapabilities{VersionSupport: new(true)},
	}
}

// WithPull announces pull diagnostics with refresh.
func WithPull() func(*protocol.InitializeParams) {
	return func(p *protocol.InitializeParams) {
		p.Capabilities.TextDocument = &protocol.TextDocumentClientCapabilities{Diagnostic: &protocol.DiagnosticClientCapabilities{}}
		p.Capabilities.Workspace = &protocol.WorkspaceClientCapabilities{
			Diagnostics: &protocol.DiagnosticWorkspaceClientCapabilities{RefreshSupport: new(true)},
		}
	}
}

// WithActions announces that the client takes code actions as literals.
func WithActions(p *protocol.InitializeParams) {
	if p.Capabilities.TextDocument == nil {
		p.Capabilities.TextDocument = &protocol.TextDocumentClientCapabilities{}
	}
	p.Capabilities.TextDocument.CodeAction = &protocol.CodeActionClientCapabilities{
		CodeActionLiteralSupport: protocol.ClientCodeActionLiteralOptions{
			CodeActionKind: protocol.ClientCodeActionKindOptions{ValueSet: []protocol.CodeActionKind{protocol.CodeActionKindQuickFix}},
		},
	}
}

// WithResolvedActions announces that the client asks for the edit of a chosen action, and
// shows disabled actions.
func WithResolvedActions(p *protocol.InitializeParams) {
	WithActions(p)
	actions := p.Capabilities.TextDocument.CodeAction
	actions.DataSupport, actions.DisabledSupport = new(true), new(true)
	actions.ResolveSupport.Properties = []string{"edit"}
}

// WithDocumentChanges announces that the client takes edits of versioned documents, and
// operations on files.
func WithDocumentChanges(operations ...protocol.ResourceOperationKind) func(*protocol.InitializeParams) {
	return func(p *protocol.InitializeParams) {
		if p.Capabilities.Workspace == nil {
			p.Capabilities.Workspace = &protocol.WorkspaceClientCapabilities{}
		}
		p.Capabilities.Workspace.WorkspaceEdit = &protocol.WorkspaceEditClientCapabilities{
			DocumentChanges: new(true), ResourceOperations: operations,
		}
	}
}

// WithProgress announces that the client shows progress.
func WithProgress() func(*protocol.InitializeParams) {
	return func(p *protocol.InitializeParams) {
		p.Capabilities.Window = &protocol.WindowClientCapabilities{WorkDoneProgress: new(true)}
	}
}

// Open opens a document as version 1.
func (c *Client) Open(u uri.URI, text string) {
	c.t.Helper()
	c.Notify(protocol.MethodTextDocumentDidOpen, &protocol.DidOpenTextDocumentParams{
		TextDocument: protocol.TextDocumentItem{URI: u, LanguageID: "abl", Version: 1, Text: text},
	})
}

// Change sends changes. Each applies to the text after the one before it.
func (c *Client) Change(u uri.URI, version int32, changes ...protocol.TextDocumentContentChangeEvent) {
	c.t.Helper()
	params := &protocol.DidChangeTextDocumentParams{ContentChanges: changes}
	params.TextDocument.URI = u
	params.TextDocument.Version = version
	c.Notify(protocol.MethodTextDocumentDidChange, params)
}

// Replace returns a change of a range, given by lines and columns.
func Replace(startLine, startColumn, endLine, endColumn uint32, text string) protocol.TextDocumentContentChangeEvent {
	return &protocol.TextDocumentContentChangePartial{
		Range: protocol.Range{
			Start: protocol.Position{Line: startLine, Character: startColumn},
			End:   protocol.Position{Line: endLine, Character: endColumn},
		},
		Text: text,
	}
}

// ReplaceAll returns a change of the whole text.
func ReplaceAll(text string) protocol.TextDocumentContentChangeEvent {
	return &protocol.TextDocumentContentChangeWholeDocument{Text: text}
}

// Close closes a document.
func (c *Client) Close(u uri.URI) {
	c.t.Helper()
	params := &protocol.DidCloseTextDocumentParams{}
	params.TextDocument.URI = u
	c.Notify(protocol.MethodTextDocumentDidClose, params)
}

// Diagnostics waits for the diagnostics of one version of a document.
func (c *Client) Diagnostics(u uri.URI, version int32) []protocol.Diagnostic {
	c.t.Helper()
	var found protocol.PublishDiagnosticsParams
	c.Await(protocol.MethodTextDocumentPublishDiagnostics, func(raw jsonrpc2.RawMessage) bool {
		var p protocol.PublishDiagnosticsParams
		if protocol.Unmarshal(raw, &p) != nil {
			return false
		}
		v, _ := p.Version.Get()
		found = p
		return p.URI == u && v == version
	})
	return found.Diagnostics
}

// Published returns all diagnostics of a document so far, oldest first.
func (c *Client) Published(u uri.URI) []protocol.PublishDiagnosticsParams {
	c.t.Helper()
	var all []protocol.PublishDiagnosticsParams
	for _, m := range c.Messages(protocol.MethodTextDocumentPublishDiagnostics) {
		var p protocol.PublishDiagnosticsParams
		if err := protocol.Unmarshal(m.Params, &p); err != nil {
			c.t.Fatal(err)
		}
		all = append(all, p)
	}
	return slices.DeleteFunc(all, func(p protocol.PublishDiagnosticsParams) bool { return p.URI != u })
}

// Exit asks the server to shut down and to exit, and returns the server's error.
func (c *Client) Exit() error {
	c.t.Helper()
	if err := c.Call(protocol.MethodShutdown, nil, nil); err != nil {
		c.t.Errorf("shutdown: %v", err)
	}
	c.Notify(protocol.MethodExit, nil)
	return c.Wait()
}
