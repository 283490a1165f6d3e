package lsp

import (
	"strings"

	"go.lsp.dev/protocol"
)

// method is a message from the client that has a handler. docs/features.md is generated
// from these rows.
type method struct {
	name         string
	request      requestHandler      // nil for a notification
	notification notificationHandler // nil for a request

	// capability announces the method in the answer to initialize. It is nil if the
	// method is not announced, or if another row announces it.
	capability func(c *protocol.ServerCapabilities, snap *snapshot)

	about string // the text in docs/features.md, in Markdown; may be empty
}

// methods returns a row for each message that has a handler. Other requests are refused,
// other notifications are ignored.
func methods() []method {
	return []method{
		{
			name: protocol.MethodInitialize, request: inOrder(initialize),
			about: "capabilities depend on the client's; `initializationOptions` have trust and settings",
		},
		{
			name: protocol.MethodInitialized, notification: onNotification(initialized),
			about: "asks for settings, and registers file watchers",
		},
		{
			name: protocol.MethodShutdown, request: inOrder(shutdown),
		},
		{
			name: protocol.MethodTextDocumentDidOpen, notification: onNotification(didOpen),
			capability: func(c *protocol.ServerCapabilities, _ *snapshot) { c.TextDocumentSync = syncOptions() },
		},
		{
			name: protocol.MethodTextDocumentDidChange, notification: onNotification(didChange),
			about: "incremental",
		},
		{
			name: protocol.MethodTextDocumentDidSave, notification: onNotification(didSave),
			about: "looks at the disk again",
		},
		{
			name: protocol.MethodTextDocumentDidClose, notification: onNotification(didClose),
		},
		{
			name: protocol.MethodTextDocumentDeclaration, request: withServer(declaration),
			capability: func(c *protocol.ServerCapabilities, _ *snapshot) { c.DeclarationProvider = protocol.Boolean(true) },
		},
		{
			name: protocol.MethodTextDocumentDefinition, request: withServer(definition),
			capability: func(c *protocol.ServerCapabilities, _ *snapshot) { c.DefinitionProvider = protocol.Boolean(true) },
			about:      "tools (from a signature without a binding, the library that binds it), parameters, fields of results, steps, variables, agents, profiles, imported files and modules, declarations in sections and in `abl.yaml`",
		},
		{
			name: protocol.MethodTextDocumentTypeDefinition, request: onSnapshot(typeDefinition),
			capability: func(c *protocol.ServerCapabilities, _ *snapshot) { c.TypeDefinitionProvider = protocol.Boolean(true) },
		},
		{
			name: protocol.MethodTextDocumentReferences, request: onWorkspace(references),
			capability: func(c *protocol.ServerCapabilities, _ *snapshot) { c.ReferencesProvider = protocol.Boolean(true) },
		},
		{
			name: protocol.MethodTextDocumentPrepareCallHierarchy, request: onWorkspace(prepareCallHierarchy),
			capability: func(c *protocol.ServerCapabilities, _ *snapshot) { c.CallHierarchyProvider = protocol.Boolean(true) },
		},
		{
			name: protocol.MethodCallHierarchyIncomingCalls, request: onWorkspace(incomingCalls),
		},
		{
			name: protocol.MethodCallHierarchyOutgoingCalls, request: onWorkspace(outgoingCalls),
		},
		{
			name: protocol.MethodTextDocumentDocumentHighlight, request: onSnapshot(documentHighlight),
			capability: func(c *protocol.ServerCapabilities, _ *snapshot) {
				c.DocumentHighlightProvider = protocol.Boolean(true)
			},
		},
		{
			name: protocol.MethodTextDocumentDocumentLink, request: onSnapshot(documentLink),
			capability: func(c *protocol.ServerCapabilities, _ *snapshot) {
				c.DocumentLinkProvider = &protocol.DocumentLinkOptions{}
			},
			about: "`file:` and `REF:` paths",
		},
		{
			name: protocol.MethodTextDocumentHover, request: onWorkspaceSoon(hover),
			capability: func(c *protocol.ServerCapabilities, _ *snapshot) { c.HoverProvider = protocol.Boolean(true) },
			about:      "for a tool without a binding, the library that binds it; for a tool of the platform, its parameters; servers, variables and texts of an exported project; also in `abl.yaml`, saved cases and [files of other systems](foreign.md)",
		},
		{
			name: protocol.MethodTextDocumentCodeLens, request: withServer(codeLens),
			capability: func(c *protocol.ServerCapabilities, _ *snapshot) {
				c.CodeLensProvider = &protocol.CodeLensOptions{ResolveProvider: new(true)}
			},
			about: "run (also where a call or an import names a tool), preview, saved cases (in their file and at their tools), imported tools; each can be switched off",
		},
		{
			name: protocol.MethodCodeLensResolve, request: onWorkspace(resolveCodeLens),
			about: "the number of references to a tool",
		},
		{
			name: protocol.MethodTextDocumentFoldingRange, request: onSnapshot(foldingRange),
			capability: func(c *protocol.ServerCapabilities, _ *snapshot) { c.FoldingRangeProvider = protocol.Boolean(true) },
			about:      "sections, blocks, brackets, consecutive comments and imports",
		},
		{
			name: protocol.MethodTextDocumentSelectionRange, request: onSnapshot(selectionRange),
			capability: func(c *protocol.ServerCapabilities, _ *snapshot) { c.SelectionRangeProvider = protocol.Boolean(true) },
			about:      "from the word to the file",
		},
		{
			name: protocol.MethodTextDocumentDocumentSymbol, request: onSnapshot(documentSymbol),
			capability: func(c *protocol.ServerCapabilities, _ *snapshot) { c.DocumentSymbolProvider = protocol.Boolean(true) },
		},
		{
			name: protocol.MethodTextDocumentSemanticTokensFull, request: withServer(semanticTokensFull),
			capability: func(c *protocol.ServerCapabilities, _ *snapshot) { c.SemanticTokensProvider = semanticTokensOptions() },
		},
		{
			name: protocol.MethodTextDocumentSemanticTokensFullDelta, request: withServer(semanticTokensDelta),
			about: "one edit",
		},
		{
			name: protocol.MethodTextDocumentSemanticTokensRange, request: onSnapshot(semanticTokensRange),
		},
		{
			name: protocol.MethodTextDocumentInlayHint, request: withServer(inlayHint),
			capability: func(c *protocol.ServerCapabilities, _ *snapshot) { c.InlayHintProvider = protocol.Boolean(true) },
			about:      "shared defaults, base URLs, parameters, types; each can be switched off",
		},
		{
			name: protocol.MethodTextDocumentCompletion, request: withServer(complete),
			capability: func(c *protocol.ServerCapabilities, _ *snapshot) { c.CompletionProvider = completionOptions() },
			about:      "also in `abl.yaml`, saved cases and files of other systems",
		},
		{
			name: protocol.MethodCompletionItemResolve, request: onWorkspaceSoon(resolveCompletion),
			about: "the documentation of an item",
		},
		{
			name: protocol.MethodTextDocumentDiagnostic, request: withServer(documentDiagnostic),
			capability: announceDiagnostics,
			about:      "for clients that pull; also those of importing files, if the client supports it; diagnostics of [unfinished lines](#while-typing) are held back for a moment",
		},
		{
			name: protocol.MethodWorkspaceDiagnostic, request: withServer(workspaceDiagnostic),
			about: "of opened and unopened files, in parts if the client supports it; waits while nothing changes",
		},
		{
			name: protocol.MethodTextDocumentSignatureHelp, request: onSnapshot(signatureHelp),
			capability: func(c *protocol.ServerCapabilities, _ *snapshot) {
				c.SignatureHelpProvider = &protocol.SignatureHelpOptions{TriggerCharacters: strings.Split(signatureTriggers, "")}
			},
			about: "in the brackets of `CALL`, below `WITH`, and in functions of expressions",
		},
		{
			name: protocol.MethodTextDocumentCodeAction, request: onVersioned(codeAction),
			capability: announceCodeActions,
			about:      "quick fixes, suppressions, fix all, organize imports, [refactorings](refactorings.md)",
		},
		{
			name: protocol.MethodCodeActionResolve, request: onVersioned(withWorkspace(resolveCodeAction)),
			about: "the edit of a refactoring",
		},
		{
			name: protocol.MethodTextDocumentFormatting, request: onUnmodified(formatting),
			capability: func(c *protocol.ServerCapabilities, _ *snapshot) {
				c.DocumentFormattingProvider = protocol.Boolean(true)
			},
		},
		{
			name: protocol.MethodTextDocumentRangeFormatting, request: onUnmodified(rangeFormatting),
			capability: func(c *protocol.ServerCapabilities, _ *snapshot) {
				c.DocumentRangeFormattingProvider = &protocol.DocumentRangeFormattingOptions{RangesSupport: new(true)}
			},
		},
		{
			name: protocol.MethodTextDocumentRangesFormatting, request: onUnmodified(rangesFormatting),
		},
		{
			name: protocol.MethodTextDocumentOnTypeFormatting, request: onUnmodified(noServer(onTypeFormatting)),
			capability: func(c *protocol.ServerCapabilities, _ *snapshot) {
				c.DocumentOnTypeFormattingProvider = protocol.DocumentOnTypeFormattingOptions{FirstTriggerCharacter: onTypeTrigger}
			},
			about: "after Enter",
		},
		{
			name: protocol.MethodTextDocumentRename, request: onVersioned(withWorkspace(rename)),
			capability: announceRename,
		},
		{
			name: protocol.MethodTextDocumentPrepareRename, request: onWorkspace(prepareRename),
		},
		{
			name: protocol.MethodTextDocumentLinkedEditingRange, request: onSnapshot(linkedEditingRange),
			capability: func(c *protocol.ServerCapabilities, _ *snapshot) {
				c.LinkedEditingRangeProvider = protocol.Boolean(true)
			},
			about: "a parameter and its uses in the tool",
		},
		{
			name: protocol.MethodWorkspaceSymbol, request: onWorkspace(workspaceSymbol),
			capability: func(c *protocol.ServerCapabilities, _ *snapshot) { c.WorkspaceSymbolProvider = protocol.Boolean(true) },
		},
		{
			name: protocol.MethodWorkspaceDidChangeConfiguration, notification: onNotification(didChangeConfiguration),
			about: "`settings.abl`",
		},
		{
			name: protocol.MethodWorkspaceDidChangeWorkspaceFolders, notification: onNotification(didChangeWorkspaceFolders),
			capability: func(c *protocol.ServerCapabilities, _ *snapshot) {
				workspaceOptions(c).WorkspaceFolders = folderOptions()
			},
			about: "several, also one within another",
		},
		{
			name: protocol.MethodWorkspaceWillRenameFiles, request: onVersioned(withWorkspace(willRenameFiles)),
			capability: func(c *protocol.ServerCapabilities, snap *snapshot) {
				workspaceOptions(c).FileOperations = fileOperations(snap)
			},
			about: "changes every path to the renamed files and their own paths; files and folders, several at once; saved cases move along",
		},
		{
			name: protocol.MethodWorkspaceDidCreateFiles, notification: onNotification(didCreateOrDeleteFiles),
			about: "looks at the disk again",
		},
		{
			name: protocol.MethodWorkspaceDidRenameFiles, notification: onNotification(didRenameFiles),
			about: "looks at the disk again",
		},
		{
			name: protocol.MethodWorkspaceDidDeleteFiles, notification: onNotification(didCreateOrDeleteFiles),
			about: "looks at the disk again",
		},
		{
			name: protocol.MethodWorkspaceDidChangeWatchedFiles, notification: onNotification(didChangeWatchedFiles),
			about: "for an editor without it, the server looks at the disk itself, and stops when nothing happens",
		},
		{
			name: protocol.MethodWorkspaceExecuteCommand, request: withServer(executeCommand),
			capability: func(c *protocol.ServerCapabilities, _ *snapshot) {
				c.ExecuteCommandProvider = protocol.ExecuteCommandOptions{Commands: commandNames()}
			},
			about: "`abl.run` and [others](editors.md#commands); `abl.show` opens a file that an action made",
		},
		{
			name: protocol.MethodWindowWorkDoneProgressCancel, notification: onNotification(cancelProgress),
		},
	}
}

// methodNote is a method of the protocol without a row among the methods.
type methodNote struct {
	name  string
	about string // the text in docs/features.md, in Markdown
}

// connectionMethods returns the messages from the client that the connection handles
// itself.
func connectionMethods() []methodNote {
	return []methodNote{
		{protocol.MethodSetTrace, ""},
		{protocol.MethodExit, ""},
		{protocol.MethodCancelRequest, "also ends the connection of a run"},
	}
}

// sentMethods returns the messages that the server sends.
func sentMethods() []methodNote {
	return []methodNote{
		{protocol.MethodClientRegisterCapability, "watched files, settings"},
		{protocol.MethodClientUnregisterCapability, "watched files, when the folders change"},
		{protocol.MethodLogTrace, "each request with its time"},
		{protocol.MethodWorkspaceCodeLensRefresh, "when another file changes them"},
		{protocol.MethodWorkspaceInlayHintRefresh, "when another file changes them"},
		{protocol.MethodWorkspaceDiagnosticRefresh, "when another file changes them, and when held-back diagnostics are released"},
		{protocol.MethodTextDocumentPublishDiagnostics, "for clients that do not pull; with versions; once for each version, and again if something was [held back](#while-typing)"},
		{protocol.MethodWorkspaceConfiguration, "`abl`: at the start, and when a change notification has no settings"},
		{protocol.MethodWorkspaceApplyEdit, "`abl.saveCase`, `abl.noSideEffects`; other changes of text are edits of actions, renames or formatting"},
		{protocol.MethodWindowShowMessage, ""},
		{protocol.MethodWindowShowMessageRequest, "whether to trust a workspace"},
		{protocol.MethodWindowLogMessage, ""},
		{protocol.MethodWindowShowDocument, "a file that an action has changed"},
		{protocol.MethodWindowWorkDoneProgressCreate, ""},
		{protocol.MethodProgress, "runs; the first reading of the folders"},
	}
}

// unusedMethods returns the methods that make no sense for the language, each with the
// reason.
func unusedMethods() []methodNote {
	return []methodNote{
		{protocol.MethodTextDocumentWillSave, "nothing depends on it"},
		{protocol.MethodTextDocumentWillSaveWaitUntil, "editors format and fix on save by formatting and `source.fixAll`"},
		{protocol.MethodNotebookDocumentDidOpen, "files of the language are not notebooks"},
		{protocol.MethodNotebookDocumentDidChange, "the same"},
		{protocol.MethodNotebookDocumentDidSave, "the same"},
		{protocol.MethodNotebookDocumentDidClose, "the same"},
		{protocol.MethodTextDocumentImplementation, "a tool is declared once, together with what it does"},
		{protocol.MethodTextDocumentPrepareTypeHierarchy, "no type is derived from another"},
		{protocol.MethodTypeHierarchySupertypes, "the same"},
		{protocol.MethodTypeHierarchySubtypes, "the same"},
		{protocol.MethodDocumentLinkResolve, "links are sent complete"},
		{protocol.MethodWorkspaceFoldingRangeRefresh, "folds depend only on the text"},
		{protocol.MethodWorkspaceSemanticTokensRefresh, "tokens depend only on the text"},
		{protocol.MethodTextDocumentInlineValue, "it shows the values of a stopped debugger, and flows have no debugger; results of runs are shown where they were started"},
		{protocol.MethodWorkspaceInlineValueRefresh, "the same"},
		{protocol.MethodInlayHintResolve, "hints are sent complete"},
		{protocol.MethodTextDocumentMoniker, "tools have no name outside of their project"},
		{protocol.MethodTextDocumentDocumentColor, "the language has no colors"},
		{protocol.MethodTextDocumentColorPresentation, "the same"},
		{protocol.MethodTextDocumentInlineCompletion, "it is for guessed lines; completion offers known names"},
		{protocol.MethodWorkspaceSymbolResolve, "symbols are sent complete"},
		{protocol.MethodWorkspaceWorkspaceFolders, "the client sends folders with `initialize`, and changes by a notification"},
		{protocol.MethodWorkspaceWillCreateFiles, "nothing refers to a file before it exists"},
		{protocol.MethodWorkspaceWillDeleteFiles, "removing an import takes tools from an agent, which a person must decide; a broken path is reported"},
		{protocol.MethodWorkspaceTextDocumentContent, "the server has no documents of its own"},
		{protocol.MethodWorkspaceTextDocumentContentRefresh, "the same"},
		{protocol.MethodTelemetryEvent, "the server collects no data"},
	}
}
