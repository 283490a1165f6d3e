package lsp

import (
	"context"
	"regexp"

	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/internal/disk"
)

func completion(_ context.Context, at *snapshot, params *protocol.CompletionParams) (*protocol.CompletionList, error) {
	d, offset, ok := at.place(params.TextDocumentPositionParams)
	if !ok {
		return nil, nil
	}
	list := &protocol.CompletionList{}
	for _, item := range at.workspace.Completion(d.path, offset, at.list) {
		list.Items = append(list.Items, at.completionItem(d, item))
	}
	return list, nil
}

func (at *snapshot) completionItem(d *document, item analysis.CompletionItem) protocol.CompletionItem {
	edit := &protocol.TextEdit{Range: at.in(d).rangeOf(item.Edit.Span), NewText: item.Edit.NewText}
	c := protocol.CompletionItem{
		Label:            item.Label,
		Kind:             completionKind(item.Kind),
		InsertTextFormat: protocol.InsertTextFormatPlainText,
		TextEdit:         edit,
	}
	switch {
	case item.Snippet && at.client.snippets:
		c.InsertTextFormat = protocol.InsertTextFormatSnippet
	case item.Snippet:
		edit.NewText = withoutPlaceholders(edit.NewText)
	}
	setIfAny(&c.Detail, item.Detail)
	setIfAny(&c.FilterText, item.FilterText)
	setIfAny(&c.SortText, item.SortText)
	if item.Documentation != "" {
		c.Documentation = markdown(item.Documentation)
	}
	return c
}

func setIfAny(field *protocol.Optional[string], value string) {
	if value != "" {
		field.Set(value)
	}
}

// placeholder is ${1:name}, ${1} or $1, or a character that an escape keeps
// from being one.
var placeholder = regexp.MustCompile(`\$\{\d+:([^}]*)\}|\$\{\d+\}|\$\d+|\\([$}\\])`)

func withoutPlaceholders(snippet string) string {
	return placeholder.ReplaceAllString(snippet, "$1$2")
}

// list lists a folder, if its files may be read.
func (at *snapshot) list(dir string) []analysis.DirEntry {
	if !at.mayRead(dir) {
		return nil
	}
	return disk.List(dir)
}

func completionKind(k analysis.ItemKind) protocol.CompletionItemKind {
	return map[analysis.ItemKind]protocol.CompletionItemKind{
		analysis.SectionItem:   protocol.CompletionItemKindKeyword,
		analysis.PropertyItem:  protocol.CompletionItemKindProperty,
		analysis.ValueItem:     protocol.CompletionItemKindEnumMember,
		analysis.TypeItem:      protocol.CompletionItemKindTypeParameter,
		analysis.ToolItem:      protocol.CompletionItemKindFunction,
		analysis.ParameterItem: protocol.CompletionItemKindVariable,
		analysis.NamespaceItem: protocol.CompletionItemKindModule,
		analysis.FileItem:      protocol.CompletionItemKindFile,
		analysis.FolderItem:    protocol.CompletionItemKindFolder,
		analysis.SnippetItem:   protocol.CompletionItemKindSnippet,
	}[k]
}
