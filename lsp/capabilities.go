package lsp

import (
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// clientCapabilities is the part of the client's capabilities that the server uses.
type clientCapabilities struct {
	General struct {
		PositionEncodings []string `json:"positionEncodings"`
	} `json:"general"`
	TextDocument struct {
		PublishDiagnostics diagnosticDetails `json:"publishDiagnostics"`
		Diagnostic         *struct {
			diagnosticDetails
			RelatedDocumentSupport bool `json:"relatedDocumentSupport"`
		} `json:"diagnostic"`
		Definition     linkSupport `json:"definition"`
		Declaration    linkSupport `json:"declaration"`
		TypeDefinition linkSupport `json:"typeDefinition"`
		Rename         struct {
			PrepareSupport bool `json:"prepareSupport"`
		} `json:"rename"`
		DocumentSymbol struct {
			HierarchicalDocumentSymbolSupport bool `json:"hierarchicalDocumentSymbolSupport"`
		} `json:"documentSymbol"`
		FoldingRange struct {
			LineFoldingOnly bool `json:"lineFoldingOnly"`
		} `json:"foldingRange"`
		SignatureHelp struct {
			SignatureInformation struct {
				DocumentationFormat  markupFormats `json:"documentationFormat"`
				ParameterInformation struct {
					LabelOffsetSupport bool `json:"labelOffsetSupport"`
				} `json:"parameterInformation"`
				NoActiveParameterSupport bool `json:"noActiveParameterSupport"`
			} `json:"signatureInformation"`
		} `json:"signatureHelp"`
		CodeAction struct {
			CodeActionLiteralSupport *struct{} `json:"codeActionLiteralSupport"`
			DataSupport              bool      `json:"dataSupport"`
			DisabledSupport          bool      `json:"disabledSupport"`
			ResolveSupport           struct {
				Properties []string `json:"properties"`
			} `json:"resolveSupport"`
		} `json:"codeAction"`
		Hover struct {
			ContentFormat markupFormats `json:"contentFormat"`
		} `json:"hover"`
		Completion struct {
			CompletionItem struct {
				SnippetSupport        bool          `json:"snippetSupport"`
				DocumentationFormat   markupFormats `json:"documentationFormat"`
				InsertTextModeSupport *struct{}     `json:"insertTextModeSupport"`
			} `json:"completionItem"`
		} `json:"completion"`
	} `json:"textDocument"`
	Workspace struct {
		ApplyEdit     bool `json:"applyEdit"`
		WorkspaceEdit struct {
			DocumentChanges         bool      `json:"documentChanges"`
			ResourceOperations      []string  `json:"resourceOperations"`
			ChangeAnnotationSupport *struct{} `json:"changeAnnotationSupport"`
		} `json:"workspaceEdit"`
		Diagnostics struct {
			RefreshSupport bool `json:"refreshSupport"`
		} `json:"diagnostics"`
		CodeLens struct {
			RefreshSupport bool `json:"refreshSupport"`
		} `json:"codeLens"`
		InlayHint struct {
			RefreshSupport bool `json:"refreshSupport"`
		} `json:"inlayHint"`
		Configuration          bool `json:"configuration"`
		DidChangeConfiguration struct {
			DynamicRegistration bool `json:"dynamicRegistration"`
		} `json:"didChangeConfiguration"`
		DidChangeWatchedFiles struct {
			DynamicRegistration    bool `json:"dynamicRegistration"`
			RelativePatternSupport bool `json:"relativePatternSupport"`
		} `json:"didChangeWatchedFiles"`
		FileOperations fileOperationSupport `json:"fileOperations"`
	} `json:"workspace"`
	Window struct {
		WorkDoneProgress bool `json:"workDoneProgress"`
		ShowDocument     struct {
			Support bool `json:"support"`
		} `json:"showDocument"`
	} `json:"window"`
}

// diagnosticDetails are the details of a diagnostic that a client shows. A client that
// pulls may announce them in either of two places.
type diagnosticDetails struct {
	VersionSupport         bool `json:"versionSupport"`
	RelatedInformation     bool `json:"relatedInformation"`
	CodeDescriptionSupport bool `json:"codeDescriptionSupport"`
	TagSupport             struct {
		ValueSet []protocol.DiagnosticTag `json:"valueSet"`
	} `json:"tagSupport"`
}

// linkSupport says whether a client takes links instead of locations.
type linkSupport struct {
	LinkSupport bool `json:"linkSupport"`
}

// fileOperationSupport says which operations on files a client reports.
type fileOperationSupport struct {
	DidCreate  bool `json:"didCreate"`
	DidDelete  bool `json:"didDelete"`
	DidRename  bool `json:"didRename"`
	WillRename bool `json:"willRename"`
}

// markupFormats are the formats of a text that a client can show, the preferred one
// first.
type markupFormats []string

// pullsDiagnostics reports whether the client asks for diagnostics. Such a client is not
// sent any.
func (c *clientCapabilities) pullsDiagnostics() bool { return c.TextDocument.Diagnostic != nil }

// supportsRelatedDocuments reports whether an answer with the diagnostics of one document
// may have those of others.
func (c *clientCapabilities) supportsRelatedDocuments() bool {
	return c.pullsDiagnostics() && c.TextDocument.Diagnostic.RelatedDocumentSupport
}

// diagnosticDetails returns which details of a diagnostic the client shows.
func (c *clientCapabilities) diagnosticDetails() diagnosticDetails {
	details := c.TextDocument.PublishDiagnostics
	if pulled := c.TextDocument.Diagnostic; pulled != nil {
		details.RelatedInformation = details.RelatedInformation || pulled.RelatedInformation
		details.CodeDescriptionSupport = details.CodeDescriptionSupport || pulled.CodeDescriptionSupport
		details.TagSupport.ValueSet = slices.Concat(details.TagSupport.ValueSet, pulled.TagSupport.ValueSet)
	}
	return details
}

// supportsResolvedEdits reports whether the client asks for the edit of an action when
// the person has chosen it.
func (c *clientCapabilities) supportsResolvedEdits() bool {
	action := &c.TextDocument.CodeAction
	return action.DataSupport && slices.Contains(action.ResolveSupport.Properties, "edit")
}

// supportsResourceOperation reports whether edits of the workspace may create or rename
// files, whichever the operation is.
func (c *clientCapabilities) supportsResourceOperation(operation protocol.ResourceOperationKind) bool {
	edit := &c.Workspace.WorkspaceEdit
	return edit.DocumentChanges && slices.Contains(edit.ResourceOperations, string(operation))
}

// encoding returns the best position encoding that the client offers. UTF-8 is the best,
// since texts are stored in it. A client that offers none uses UTF-16.
func (c *clientCapabilities) encoding() text.Encoding {
	for _, enc := range []text.Encoding{text.UTF8, text.UTF16, text.UTF32} {
		if slices.Contains(c.General.PositionEncodings, enc.String()) {
			return enc
		}
	}
	return text.UTF16
}

// completionTriggers are the characters after which a client asks for completions by
// itself: after a key, in a text, in a path, in a placeholder, in a type. A comma and a
// bracket are none, since a line may end after them; the space or letter that follows
// triggers.
const completionTriggers = " :\"/{.<"

// serverCapabilities returns what the server can do for this client.
func serverCapabilities(snap *snapshot) protocol.ServerCapabilities {
	c := protocol.ServerCapabilities{PositionEncoding: protocol.PositionEncodingKind(snap.encoding.String())}
	for _, m := range methods() {
		if m.capability != nil {
			m.capability(&c, snap)
		}
	}
	return c
}

// syncOptions announces incremental changes, opening, closing and saving.
func syncOptions() *protocol.TextDocumentSyncOptions {
	return &protocol.TextDocumentSyncOptions{
		OpenClose: new(true),
		Change:    new(protocol.TextDocumentSyncKindIncremental),
		Save:      protocol.Boolean(true),
	}
}

func completionOptions() *protocol.CompletionOptions {
	return &protocol.CompletionOptions{TriggerCharacters: strings.Split(completionTriggers, ""), ResolveProvider: new(true)}
}

// workspaceOptions returns c.Workspace, the server's capabilities for the workspace. If
// that is nil, it first sets it to an empty value.
func workspaceOptions(c *protocol.ServerCapabilities) *protocol.WorkspaceOptions {
	if c.Workspace == nil {
		c.Workspace = &protocol.WorkspaceOptions{}
	}
	return c.Workspace
}

func folderOptions() *protocol.WorkspaceFoldersServerCapabilities {
	return &protocol.WorkspaceFoldersServerCapabilities{Supported: new(true), ChangeNotifications: protocol.Boolean(true)}
}

// announceRename announces renames. A client that supports it may ask first what a rename
// would change.
func announceRename(c *protocol.ServerCapabilities, snap *snapshot) {
	c.RenameProvider = protocol.Boolean(true)
	if snap.capabilities.TextDocument.Rename.PrepareSupport {
		c.RenameProvider = &protocol.RenameOptions{PrepareProvider: new(true)}
	}
}

// announceCodeActions announces code actions, except to a client that takes only
// commands.
func announceCodeActions(c *protocol.ServerCapabilities, snap *snapshot) {
	if snap.capabilities.TextDocument.CodeAction.CodeActionLiteralSupport != nil {
		c.CodeActionProvider = &protocol.CodeActionOptions{CodeActionKinds: actionKinds(), ResolveProvider: new(snap.capabilities.supportsResolvedEdits())}
	}
}

// announceDiagnostics announces diagnostics to a client that pulls them.
func announceDiagnostics(c *protocol.ServerCapabilities, snap *snapshot) {
	if snap.capabilities.pullsDiagnostics() {
		c.DiagnosticProvider = &protocol.DiagnosticOptions{InterFileDependencies: true, WorkspaceDiagnostics: true}
	}
}

// orZero returns the value that p points to, or the zero value if p is nil.
func orZero[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}
