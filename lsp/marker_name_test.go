package lsp_test

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/internal/marker"
)

// names returns the notes about the meaning of a name, and where it is used.
func (x fixture) names() map[string]func(marker.Note) string {
	return map[string]func(marker.Note) string{
		"definition": x.definition, "type": x.typeDefinition, "reference": x.reference, "highlight": x.highlight, "rename": x.rename,
		"incoming": x.incoming, "outgoing": x.outgoing, "find": x.find, "move": x.move,
	}
}

func (x fixture) definition(n marker.Note) string {
	// A declaration is the same.
	declared := x.leads(n, protocol.MethodTextDocumentDeclaration)
	if defined := x.leads(n, protocol.MethodTextDocumentDefinition); defined != declared {
		x.t.Errorf("%s: declared at %s, defined at %s", x.Position(n), declared, defined)
	}
	return declared
}

func (x fixture) typeDefinition(n marker.Note) string {
	return x.leads(n, protocol.MethodTextDocumentTypeDefinition)
}

func (x fixture) leads(n marker.Note, method string) string {
	var links []protocol.LocationLink
	x.ask(method, &protocol.DefinitionParams{TextDocumentPositionParams: x.at(n)}, &links)
	if len(links) == 0 {
		return nothing
	}
	to, name := x.path(links[0].TargetURI), links[0].TargetSelectionRange
	shown := fmt.Sprintf("%s → %s %s", x.source(n.Path, *links[0].OriginSelectionRange), x.displayRange(to, name), x.source(to, name))
	return strings.TrimRight(shown, " ")
}

// displayRange returns where a range begins: file, line and column. The column is counted in
// UTF-16 in every encoding, as in the notes.
func (x fixture) displayRange(path string, r protocol.Range) string {
	start := x.offset(path, r.Start)
	line := x.text(path)[strings.LastIndexByte(x.text(path)[:start], '\n')+1 : start]
	return fmt.Sprintf("%s:%d:%d", x.Rel(path), r.Start.Line+1, len(utf16.Encode([]rune(line)))+1)
}

func (x fixture) reference(n marker.Note) string {
	params := &protocol.ReferenceParams{TextDocumentPositionParams: x.at(n)}
	params.Context.IncludeDeclaration = true
	var found []protocol.Location
	x.ask(protocol.MethodTextDocumentReferences, params, &found)
	var out []string
	for _, l := range found {
		out = append(out, x.displayRange(x.path(l.URI), l.Range))
	}
	return orNothing(out, " ")
}

func (x fixture) highlight(n marker.Note) string {
	var found []protocol.DocumentHighlight
	x.ask(protocol.MethodTextDocumentDocumentHighlight, &protocol.DocumentHighlightParams{TextDocumentPositionParams: x.at(n)}, &found)
	var out []string
	for _, h := range found {
		at := strings.TrimPrefix(x.displayRange(n.Path, h.Range), x.Rel(n.Path)+":")
		if h.Kind == protocol.DocumentHighlightKindWrite {
			at += "!"
		}
		out = append(out, at)
	}
	return orNothing(out, " ")
}

func (x fixture) rename(n marker.Note) string {
	place := x.at(n)
	var name *protocol.PrepareRenamePlaceholder
	if err := x.Call(protocol.MethodTextDocumentPrepareRename, &protocol.PrepareRenameParams{TextDocumentPositionParams: place}, &name); err != nil {
		return errorMessage(err)
	}
	if name == nil {
		return analysis.ErrNoName.Error()
	}
	if got := x.source(n.Path, name.Range); got != name.Placeholder {
		x.t.Errorf("%s: %q is to be renamed, and called %q", x.Position(n), got, name.Placeholder)
	}
	params := &protocol.RenameParams{TextDocumentPositionParams: place, NewName: "brand_new"}
	var edit protocol.WorkspaceEdit
	if err := x.Call(protocol.MethodTextDocumentRename, params, &edit); err != nil {
		return errorMessage(err)
	}
	return x.showEdit(&edit)
}

// errorMessage returns the message of an error that a person is shown.
func errorMessage(err error) string {
	var coded *jsonrpc2.Error
	if errors.As(err, &coded) {
		return coded.Message
	}
	return err.Error()
}

var callerKinds = map[protocol.SymbolKind]string{
	protocol.SymbolKindFunction: "tool", protocol.SymbolKindEvent: "step", protocol.SymbolKindClass: "agent",
}

// callers returns the items at the literal: one or none.
func (x fixture) callers(n marker.Note) []protocol.CallHierarchyItem {
	var items []protocol.CallHierarchyItem
	x.ask(protocol.MethodTextDocumentPrepareCallHierarchy, &protocol.CallHierarchyPrepareParams{TextDocumentPositionParams: x.at(n)}, &items)
	return items
}

func (x fixture) incoming(n marker.Note) string {
	var out []string
	for _, item := range x.callers(n) {
		var calls []protocol.CallHierarchyIncomingCall
		x.ask(protocol.MethodCallHierarchyIncomingCalls, &protocol.CallHierarchyIncomingCallsParams{Item: item}, &calls)
		for i := range calls {
			out = append(out, x.edge(&calls[i].From, x.path(calls[i].From.URI), calls[i].FromRanges))
		}
	}
	return orNothing(out, "; ")
}

func (x fixture) outgoing(n marker.Note) string {
	var out []string
	for _, item := range x.callers(n) {
		var calls []protocol.CallHierarchyOutgoingCall
		x.ask(protocol.MethodCallHierarchyOutgoingCalls, &protocol.CallHierarchyOutgoingCallsParams{Item: item}, &calls)
		for i := range calls {
			out = append(out, x.edge(&calls[i].To, x.path(item.URI), calls[i].FromRanges))
		}
	}
	return orNothing(out, "; ")
}

func (x fixture) edge(other *protocol.CallHierarchyItem, from string, ranges []protocol.Range) string {
	detail := ""
	if other.Detail != nil {
		detail = *other.Detail
	}
	out := fmt.Sprintf("%s %s (%s) %s", callerKinds[other.Kind], other.Name, detail, x.displayRange(x.path(other.URI), other.SelectionRange))
	for _, r := range ranges {
		out += " @" + x.displayRange(from, r)
	}
	return out
}

func (x fixture) find(n marker.Note) string {
	var found []protocol.SymbolInformation
	x.ask(protocol.MethodWorkspaceSymbol, &protocol.WorkspaceSymbolParams{Query: x.TextOf(n.Path, n.Span)}, &found)
	var out []string
	for i := range found {
		s := &found[i]
		out = append(out, fmt.Sprintf("%s (%s) %s", s.Name, *s.ContainerName, x.displayRange(x.path(s.Location.URI), s.Location.Range)))
	}
	return orNothing(out, "; ")
}

func (x fixture) move(n marker.Note) string {
	var params protocol.RenameFilesParams
	for _, m := range marker.ParseMoves(x.source(n.Path, protocol.Range{Start: x.place(n.Path, n.Span.Start), End: x.place(n.Path, n.Span.End)})) {
		params.Files = append(params.Files, protocol.FileRename{OldURI: string(x.uri(m.From)), NewURI: string(x.uri(m.To))})
	}
	var edit *protocol.WorkspaceEdit
	x.ask(protocol.MethodWorkspaceWillRenameFiles, &params, &edit)
	if edit == nil {
		return nothing
	}
	var out []string
	for _, change := range edit.DocumentChanges {
		if r, ok := change.(*protocol.RenameFile); ok {
			out = append(out, x.Rel(x.pathAt(r.OldURI))+" -> "+x.Rel(x.pathAt(r.NewURI)))
		}
	}
	if edits := x.showEdit(edit); edits != "" {
		out = append(out, edits)
	}
	return strings.Join(out, "\n")
}
