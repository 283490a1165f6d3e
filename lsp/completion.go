package lsp

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"

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
	mode := protocol.InsertTextModeAdjustIndentation
	switch {
	case item.Snippet && at.client.snippets:
		c.InsertTextFormat = protocol.InsertTextFormatSnippet
	case item.Snippet:
		mode = protocol.InsertTextModeAsIs
		edit.NewText = indented(d, item.Edit.Start, withoutPlaceholders(edit.NewText))
	}
	if at.client.textModes && strings.Contains(edit.NewText, "\n") {
		c.InsertTextMode = mode
	}
	setIfAny(&c.Detail, item.Detail)
	setIfAny(&c.FilterText, item.FilterText)
	setIfAny(&c.SortText, item.SortText)
	if item.Documentation != "" {
		c.Documentation = markup(item.Documentation, at.client.plainDocumentation)
	}
	return c
}

func setIfAny(field *protocol.Optional[string], value string) {
	if value != "" {
		field.Set(value)
	}
}

var (
	// placeholder is ${1:name}, ${1|first,second|}, ${1} or $1, or a character
	// that an escape keeps from being one.
	placeholder = regexp.MustCompile(`(\\[$}\\])|\$\{\d+:((?:[^}\\]|\\.)*)\}|\$\{\d+\|([^,|]*)[^|]*\|\}|\$\{\d+\}|\$\d+`)
	escape      = regexp.MustCompile(`\\([$}\\])`)
)

// withoutPlaceholders is a snippet as plain text, each placeholder filled with
// what it proposes.
func withoutPlaceholders(snippet string) string {
	return escape.ReplaceAllString(placeholder.ReplaceAllString(snippet, "$1$2$3"), "$1")
}

// indented is a text of several lines as it stands at an offset: the lines
// after the first as deep as the offset's, and ending as that does.
func indented(d *document, offset int, text string) string {
	line := d.Lines().LineText(d.Lines().Line(offset))
	source := d.Text()
	before := source[line.Start:offset]
	end := "\n"
	if strings.HasPrefix(source[line.End:], "\r\n") {
		end = "\r\n"
	}
	return strings.ReplaceAll(text, "\n", end+before[:len(before)-len(strings.TrimLeft(before, " \t"))])
}

// list lists a folder, if its files may be read. A document that is no file
// stands in none.
func (at *snapshot) list(dir string) []analysis.DirEntry {
	if !filepath.IsAbs(dir) || !at.mayRead(dir) {
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
