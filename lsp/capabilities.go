package lsp

import (
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// support is what the client can do, as far as the server asks.
type support struct {
	diagnosticSupport
	refreshSupport
	workspaceSupport
	locationSupport
	completionSupport
	actionSupport
	editSupport
	signatureSupport

	progress       bool
	prepareRename  bool
	symbolTree     bool
	showsDocuments bool
	plainHover     bool // it shows no Markdown
	foldsLines     bool // it folds whole lines only
}

// diagnosticSupport is what the client can do with diagnostics.
type diagnosticSupport struct {
	pullDiagnostics    bool
	relatedDocuments   bool // it takes the diagnostics of others with those of one
	relatedInformation bool
	diagnosticTags     []protocol.DiagnosticTag
	codeDescriptions   bool // it leads to the page of a code
}

// refreshSupport is what the client can be told to ask for again.
type refreshSupport struct {
	refreshDiagnostics bool
	refreshLenses      bool
	refreshHints       bool
}

// workspaceSupport is what the client tells of files and settings.
type workspaceSupport struct {
	watchFiles       bool
	relativePatterns bool // it can be told below which folder to watch
	configuration    bool // it can be asked for settings
	registerSettings bool // it can be asked to tell of their changes
	fileOperations   fileOperationSupport
}

// locationSupport says for which requests the client takes links in place of locations.
type locationSupport struct {
	definitionLinks     bool
	declarationLinks    bool
	typeDefinitionLinks bool
}

// completionSupport is what the client can do with completion items.
type completionSupport struct {
	snippets           bool
	textModes          bool // it can be told whether to indent what it inserts
	plainDocumentation bool // it shows no Markdown
}

// actionSupport is what the client can do with code actions.
type actionSupport struct {
	codeActions     bool // it takes them as literals
	resolvesEdits   bool // it asks for the edit of the action that was chosen
	disabledActions bool // it shows actions that cannot be taken, and why
}

// editSupport is what the client can do with edits of the workspace.
type editSupport struct {
	documentChanges  bool // it takes edits of a version of a document
	annotatesChanges bool // it asks before it makes edits that are marked so
	appliesEdits     bool // it makes those that the server asks for
	createFiles      bool
	renameFiles      bool
}

// signatureSupport is what the client can show of signatures.
type signatureSupport struct {
	plainSignature    bool // it shows no Markdown beside signatures
	labelOffsets      bool // it takes a parameter's place in the signature
	noActiveParameter bool // it can be told that no parameter is the active one
}

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

// prefersPlainText reports whether the client wants no Markdown.
func (f markupFormats) prefersPlainText() bool {
	return len(f) > 0 && f[0] == string(protocol.MarkupKindPlainText)
}

func (c *clientCapabilities) support() support {
	item := c.TextDocument.Completion.CompletionItem
	signature := c.TextDocument.SignatureHelp.SignatureInformation
	edit := c.Workspace.WorkspaceEdit
	actions := c.TextDocument.CodeAction
	out := support{
		diagnosticSupport: diagnosticSupport{
			pullDiagnostics: c.TextDocument.Diagnostic != nil,
		},
		refreshSupport: refreshSupport{
			refreshDiagnostics: c.Workspace.Diagnostics.RefreshSupport,
			refreshLenses:      c.Workspace.CodeLens.RefreshSupport,
			refreshHints:       c.Workspace.InlayHint.RefreshSupport,
		},
		workspaceSupport: workspaceSupport{
			watchFiles:       c.Workspace.DidChangeWatchedFiles.DynamicRegistration,
			relativePatterns: c.Workspace.DidChangeWatchedFiles.RelativePatternSupport,
			configuration:    c.Workspace.Configuration,
			registerSettings: c.Workspace.DidChangeConfiguration.DynamicRegistration,
			fileOperations:   c.Workspace.FileOperations,
		},
		locationSupport: locationSupport{
			definitionLinks:     c.TextDocument.Definition.LinkSupport,
			declarationLinks:    c.TextDocument.Declaration.LinkSupport,
			typeDefinitionLinks: c.TextDocument.TypeDefinition.LinkSupport,
		},
		completionSupport: completionSupport{
			snippets:           item.SnippetSupport,
			textModes:          item.InsertTextModeSupport != nil,
			plainDocumentation: item.DocumentationFormat.prefersPlainText(),
		},
		actionSupport: actionSupport{
			codeActions:     actions.CodeActionLiteralSupport != nil,
			resolvesEdits:   actions.DataSupport && slices.Contains(actions.ResolveSupport.Properties, "edit"),
			disabledActions: actions.DisabledSupport,
		},
		editSupport: editSupport{
			documentChanges:  edit.DocumentChanges,
			annotatesChanges: edit.DocumentChanges && edit.ChangeAnnotationSupport != nil,
			appliesEdits:     c.Workspace.ApplyEdit,
			createFiles:      edit.DocumentChanges && slices.Contains(edit.ResourceOperations, string(protocol.ResourceOperationKindCreate)),
			renameFiles:      edit.DocumentChanges && slices.Contains(edit.ResourceOperations, string(protocol.ResourceOperationKindRename)),
		},
		signatureSupport: signatureSupport{
			plainSignature:    signature.DocumentationFormat.prefersPlainText(),
			labelOffsets:      signature.ParameterInformation.LabelOffsetSupport,
			noActiveParameter: signature.NoActiveParameterSupport,
		},
		progress:       c.Window.WorkDoneProgress,
		prepareRename:  c.TextDocument.Rename.PrepareSupport,
		symbolTree:     c.TextDocument.DocumentSymbol.HierarchicalDocumentSymbolSupport,
		showsDocuments: c.Window.ShowDocument.Support,
		plainHover:     c.TextDocument.Hover.ContentFormat.prefersPlainText(),
		foldsLines:     c.TextDocument.FoldingRange.LineFoldingOnly,
	}
	out.addDetails(c.TextDocument.PublishDiagnostics)
	if pull := c.TextDocument.Diagnostic; pull != nil {
		out.relatedDocuments = pull.RelatedDocumentSupport
		out.addDetails(pull.diagnosticDetails)
	}
	return out
}

func (s *support) addDetails(d diagnosticDetails) {
	s.relatedInformation = s.relatedInformation || d.RelatedInformation
	s.codeDescriptions = s.codeDescriptions || d.CodeDescriptionSupport
	s.diagnosticTags = append(s.diagnosticTags, d.TagSupport.ValueSet...)
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
func serverCapabilities(at *snapshot) protocol.ServerCapabilities {
	c := protocol.ServerCapabilities{
		PositionEncoding: protocol.PositionEncodingKind(at.encoding.String()),
		TextDocumentSync: &protocol.TextDocumentSyncOptions{
			OpenClose: new(true),
			Change:    new(protocol.TextDocumentSyncKindIncremental),
			Save:      protocol.Boolean(true),
		},
		HoverProvider:                    protocol.Boolean(true),
		CompletionProvider:               &protocol.CompletionOptions{TriggerCharacters: strings.Split(completionTriggers, ""), ResolveProvider: new(true)},
		SignatureHelpProvider:            &protocol.SignatureHelpOptions{TriggerCharacters: strings.Split(signatureTriggers, "")},
		DefinitionProvider:               protocol.Boolean(true),
		DeclarationProvider:              protocol.Boolean(true),
		TypeDefinitionProvider:           protocol.Boolean(true),
		ReferencesProvider:               protocol.Boolean(true),
		DocumentHighlightProvider:        protocol.Boolean(true),
		DocumentSymbolProvider:           protocol.Boolean(true),
		WorkspaceSymbolProvider:          protocol.Boolean(true),
		CallHierarchyProvider:            protocol.Boolean(true),
		RenameProvider:                   protocol.Boolean(true),
		FoldingRangeProvider:             protocol.Boolean(true),
		SelectionRangeProvider:           protocol.Boolean(true),
		DocumentLinkProvider:             &protocol.DocumentLinkOptions{},
		LinkedEditingRangeProvider:       protocol.Boolean(true),
		SemanticTokensProvider:           semanticTokensOptions(),
		CodeLensProvider:                 &protocol.CodeLensOptions{ResolveProvider: new(true)},
		InlayHintProvider:                protocol.Boolean(true),
		DocumentFormattingProvider:       protocol.Boolean(true),
		DocumentRangeFormattingProvider:  &protocol.DocumentRangeFormattingOptions{RangesSupport: new(true)},
		DocumentOnTypeFormattingProvider: protocol.DocumentOnTypeFormattingOptions{FirstTriggerCharacter: onTypeTrigger},
		ExecuteCommandProvider:           protocol.ExecuteCommandOptions{Commands: commandNames()},
		Workspace: &protocol.WorkspaceOptions{
			WorkspaceFolders: &protocol.WorkspaceFoldersServerCapabilities{
				Supported:           new(true),
				ChangeNotifications: protocol.Boolean(true),
			},
			FileOperations: fileOperations(at),
		},
	}
	if at.support.prepareRename {
		c.RenameProvider = &protocol.RenameOptions{PrepareProvider: new(true)}
	}
	if at.support.codeActions {
		c.CodeActionProvider = &protocol.CodeActionOptions{CodeActionKinds: actionKinds(), ResolveProvider: new(at.support.resolvesEdits)}
	}
	if at.support.pullDiagnostics {
		c.DiagnosticProvider = &protocol.DiagnosticOptions{InterFileDependencies: true, WorkspaceDiagnostics: true}
	}
	return c
}

// orZero reads an optional value.
func orZero[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}
