package lsp

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/analysis/completion"
	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/disk"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

func complete(ctx context.Context, s *server, snap *snapshot, params *protocol.CompletionParams) (*protocol.CompletionList, error) {
	d, offset, ok := snap.documentAt(params.TextDocumentPositionParams)
	if !ok {
		return nil, nil
	}
	list := &protocol.CompletionList{}
	if isTriggeredByBrace(params.Context, d.Text()[:snap.converter(d).writtenOffset(offset)]) && !completion.InPathParameter(snap.workspace, d.path, offset) {
		return list, nil
	}
	host := cursor.Host{List: snap.listFolder, Read: snap.readFile, FullWorkspace: func(ctx context.Context) model.Workspace {
		whole, err := s.files.withIndexSoon(ctx, snap)
		if err != nil { // the request is cancelled
			return model.Workspace{}
		}
		return whole.workspace
	}}
	for _, item := range completion.Complete(ctx, snap.workspace, d.path, offset, host) {
		list.Items = append(list.Items, completionItem(snap, d, item))
	}
	return list, ctx.Err()
}

// isTriggeredByBrace reports whether the client asks because of a single brace. Unless it
// begins a path parameter there are no completions then, so that Enter begins a line in
// the braces.
func isTriggeredByBrace(asked protocol.CompletionContext, before string) bool {
	typed := asked.TriggerCharacter
	return typed != nil && *typed == "{" && !strings.HasSuffix(before, "{{")
}

// resolveCompletion adds the documentation of an item for a tool, which complete leaves
// out. It returns other items unchanged.
func resolveCompletion(_ context.Context, snap *snapshot, item *protocol.CompletionItem) (*protocol.CompletionItem, error) {
	var t completionData
	if len(item.Data) == 0 {
		return item, nil
	}
	if err := json.Unmarshal(item.Data, &t); err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "this item is not of this server: %v", err)
	}
	if text := completion.ToolDocumentation(snap.withRootLibraries(pathOf(t.URI)).workspace, pathOf(t.URI), completion.ToolName{Path: pathOf(t.In), Name: t.Tool}); text != "" {
		item.Documentation = markup(text, snap.capabilities.TextDocument.Completion.CompletionItem.DocumentationFormat)
	}
	return item, nil
}

// completionData identifies the tool of an item that the client resolves.
type completionData struct {
	URI  uri.URI `json:"uri"`  // of the document that is completed
	In   uri.URI `json:"in"`   // of the file that declares the tool
	Tool string  `json:"tool"` // its name
}

func completionItem(snap *snapshot, d *document, item completion.Item) protocol.CompletionItem {
	edit := &protocol.TextEdit{Range: snap.converter(d).rangeOf(item.Edit.Span), NewText: item.Edit.NewText}
	c := protocol.CompletionItem{
		Label:            item.Label,
		Kind:             completionKind(item.Kind),
		InsertTextFormat: protocol.InsertTextFormatPlainText,
		TextEdit:         edit,
	}
	mode := protocol.InsertTextModeAdjustIndentation
	client := snap.capabilities.TextDocument.Completion.CompletionItem
	switch {
	case item.SnippetText != "" && client.SnippetSupport:
		c.InsertTextFormat, edit.NewText = protocol.InsertTextFormatSnippet, item.SnippetText
	case item.Snippet && client.SnippetSupport:
		c.InsertTextFormat = protocol.InsertTextFormatSnippet
	case item.Snippet:
		mode = protocol.InsertTextModeAsIs
		edit.NewText = indentLines(d, snap.converter(d).writtenOffset(item.Edit.Start), snippetAsPlainText(edit.NewText))
	}
	if client.InsertTextModeSupport != nil && strings.Contains(edit.NewText, "\n") {
		c.InsertTextMode = mode
	}
	c.AdditionalTextEdits = snap.converter(d).textEdits(item.AdditionalEdits)
	if item.Tool != nil {
		data, err := json.Marshal(completionData{URI: d.uri, In: snap.uriOf(item.Tool.Path), Tool: item.Tool.Name})
		if err == nil {
			c.Data = data
		}
	}
	setNonEmpty(&c.Detail, item.Detail)
	setNonEmpty(&c.FilterText, item.FilterText)
	setNonEmpty(&c.SortText, item.SortText)
	if item.Documentation != "" {
		c.Documentation = markup(item.Documentation, client.DocumentationFormat)
	}
	return c
}

// setNonEmpty sets an optional field unless the value is empty.
func setNonEmpty(field *protocol.Optional[string], value string) {
	if value != "" {
		field.Set(value)
	}
}

var (
	// placeholder matches ${1:name}, ${1|first,second|}, ${1} and $1, and escaped
	// characters.
	placeholder = lazyregexp.New(`(\\[$}\\])|\$\{\d+:((?:[^}\\]|\\.)*)\}|\$\{\d+\|([^,|]*)[^|]*\|\}|\$\{\d+\}|\$\d+`)
	escape      = lazyregexp.New(`\\([$}\\])`)
)

// snippetAsPlainText returns a snippet as plain text, in which each placeholder is
// replaced by its default.
func snippetAsPlainText(snippet string) string {
	return escape.ReplaceAllString(placeholder.ReplaceAllString(snippet, "$1$2$3"), "$1")
}

// indentLines returns a text of several lines for insertion at an offset. The lines after
// the first are indented like the line of the offset, and end like it.
func indentLines(d *document, offset int, text string) string {
	line := d.Lines().LineText(d.Lines().Line(offset))
	source := d.Text()
	before := source[line.Start:offset]
	end := "\n"
	if strings.HasPrefix(source[line.End:], "\r\n") {
		end = "\r\n"
	}
	return strings.ReplaceAll(text, "\n", end+before[:len(before)-len(strings.TrimLeft(before, " \t"))])
}

// listFolder lists a folder whose files may be read. It returns nil for other folders,
// and for the folder of a document that is not a file.
func (snap *snapshot) listFolder(dir string) []model.DirEntry {
	if !filepath.IsAbs(dir) || !snap.mayRead(dir) {
		return nil
	}
	return disk.ListFolder(dir)
}

func completionKind(k completion.ItemKind) protocol.CompletionItemKind {
	return map[completion.ItemKind]protocol.CompletionItemKind{
		completion.SectionItem:   protocol.CompletionItemKindKeyword,
		completion.PropertyItem:  protocol.CompletionItemKindProperty,
		completion.ValueItem:     protocol.CompletionItemKindEnumMember,
		completion.TypeItem:      protocol.CompletionItemKindTypeParameter,
		completion.ToolItem:      protocol.CompletionItemKindFunction,
		completion.ParameterItem: protocol.CompletionItemKindVariable,
		completion.NamespaceItem: protocol.CompletionItemKindModule,
		completion.FileItem:      protocol.CompletionItemKindFile,
		completion.FolderItem:    protocol.CompletionItemKindFolder,
		completion.SnippetItem:   protocol.CompletionItemKindSnippet,
		completion.StepItem:      protocol.CompletionItemKindMethod,
		completion.VariableItem:  protocol.CompletionItemKindVariable,
		completion.MemberItem:    protocol.CompletionItemKindField,
		completion.FunctionItem:  protocol.CompletionItemKindFunction,
		completion.OperatorItem:  protocol.CompletionItemKindOperator,
		completion.NameItem:      protocol.CompletionItemKindReference,
	}[k]
}
