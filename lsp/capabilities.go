package lsp

import (
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// clientCapabilities is the part of the client's capabilities that the server
// asks for.
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

// diagnosticDetails say what a client shows of a diagnostic. One that pulls may
// say so in either place.
type diagnosticDetails struct {
	VersionSupport         bool `json:"versionSupport"`
	RelatedInformation     bool `json:"relatedInformation"`
	CodeDescriptionSupport bool `json:"codeDescriptionSupport"`
	TagSupport             struct {
		ValueSet []protocol.DiagnosticTag `json:"valueSet"`
	} `json:"tagSupport"`
}

// linkSupport says whether a client takes links in place of locations.
type linkSupport struct {
	LinkSupport bool `json:"linkSupport"`
}

// fileOperationSupport says of which operations on files a client tells.
type fileOperationSupport struct {
	DidCreate  bool `json:"didCreate"`
	DidDelete  bool `json:"didDelete"`
	DidRename  bool `json:"didRename"`
	WillRename bool `json:"willRename"`
}

// markupFormats are the formats of a text that a client can show, the preferred first.
type markupFormats []string

// pullsDiagnostics reports whether the client asks for diagnostics, and is not sent any.
func (c *clientCapabilities) pullsDiagnostics() bool { return c.TextDocument.Diagnostic != nil }

// supportsRelatedDocuments reports whether the client takes the diagnostics of other documents
// with those of the one that it asks for.
func (c *clientCapabilities) supportsRelatedDocuments() bool {
	return c.pullsDiagnostics() && c.TextDocument.Diagnostic.RelatedDocumentSupport
}

// diagnosticDetails returns what the client shows of any diagnostic.
func (c *clientCapabilities) diagnosticDetails() diagnosticDetails {
	details := c.TextDocument.PublishDiagnostics
	if pulled := c.TextDocument.Diagnostic; pulled != nil {
		details.RelatedInformation = details.RelatedInformation || pulled.RelatedInformation
		details.CodeDescriptionSupport = details.CodeDescriptionSupport || pulled.CodeDescriptionSupport
		details.TagSupport.ValueSet = slices.Concat(details.TagSupport.ValueSet, pulled.TagSupport.ValueSet)
	}
	return details
}

// supportsResolvedEdits reports whether the client asks for the edit of the action that was chosen.
func (c *clientCapabilities) supportsResolvedEdits() bool {
	action := &c.TextDocument.CodeAction
	return action.DataSupport && slices.Contains(action.ResolveSupport.Properties, "edit")
}

// supportsResourceOperation reports whether edits of the workspace may have an operation on files.
func (c *clientCapabilities) supportsResourceOperation(operation protocol.ResourceOperationKind) bool {
	edit := &c.Workspace.WorkspaceEdit
	return edit.DocumentChanges && slices.Contains(edit.ResourceOperations, string(operation))
}

// encoding picks the best position encoding that the client offers: UTF-8
// first, since the text is held in it. One that offers none speaks UTF-16.
func (c *clientCapabilities) encoding() text.Encoding {
	for _, enc := range []text.Encoding{text.UTF8, text.UTF16, text.UTF32} {
		if slices.Contains(c.General.PositionEncodings, enc.String()) {
			return enc
		}
	}
	return text.UTF16
}

// completionTriggers are the characters after which a client asks for completions by
// itself: behind a key, in a text, in a path, in a placeholder, in a type. Behind a comma or
// a bracket the line may end; a space or a letter there asks.
const completionTriggers = " :\"/{.<"

// serverCapabilities says what the server can do for this client.
func serverCapabilities(snap *snapshot) protocol.ServerCapabilities {
	c := protocol.ServerCapabilities{PositionEncoding: protocol.PositionEncodingKind(snap.encoding.String())}
	for _, m := range methods() {
		if m.capability != nil {
			m.capability(&c, snap)
		}
	}
	return c
}

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

// workspaceOptions returns the part of the answer that is about the workspace. It adds one
// where there is none.
func workspaceOptions(c *protocol.ServerCapabilities) *protocol.WorkspaceOptions {
	if c.Workspace == nil {
		c.Workspace = &protocol.WorkspaceOptions{}
	}
	return c.Workspace
}

func folderOptions() *protocol.WorkspaceFoldersServerCapabilities {
	return &protocol.WorkspaceFoldersServerCapabilities{Supported: new(true), ChangeNotifications: protocol.Boolean(true)}
}

// announceRename says whether the client may ask first what a rename would change.
func announceRename(c *protocol.ServerCapabilities, snap *snapshot) {
	c.RenameProvider = protocol.Boolean(true)
	if snap.capabilities.TextDocument.Rename.PrepareSupport {
		c.RenameProvider = &protocol.RenameOptions{PrepareProvider: new(true)}
	}
}

// announceCodeActions says nothing to a client that takes commands alone.
func announceCodeActions(c *protocol.ServerCapabilities, snap *snapshot) {
	if snap.capabilities.TextDocument.CodeAction.CodeActionLiteralSupport != nil {
		c.CodeActionProvider = &protocol.CodeActionOptions{CodeActionKinds: actionKinds(), ResolveProvider: new(snap.capabilities.supportsResolvedEdits())}
	}
}

// announceDiagnostics says nothing to a client that does not ask for diagnostics.
func announceDiagnostics(c *protocol.ServerCapabilities, snap *snapshot) {
	if snap.capabilities.pullsDiagnostics() {
		c.DiagnosticProvider = &protocol.DiagnosticOptions{InterFileDependencies: true, WorkspaceDiagnostics: true}
	}
}

// orZero reads an optional value.
func orZero[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}
