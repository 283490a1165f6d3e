package lsp

import (
	"encoding/json"
	"errors"
	"math"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// converter converts between the client's positions in one text and offsets.
type converter struct {
	positions text.Positions
	encoding  text.Encoding
}

// converter returns the converter for a document's text.
func (snap *snapshot) converter(d *document) converter {
	if f := snap.workspace.File(d.path); f.IsYAMLAgent() && f.Written().Doc == d.Document {
		return converter{f.Positions(), snap.encoding}
	}
	return converter{d.Lines().Positions(), snap.encoding}
}

// location returns the location of a span in the file at path. The second result is false
// if the workspace does not have the text of that file.
func (snap *snapshot) location(path string, span text.Span) (protocol.Location, bool) {
	positions, ok := snap.workspace.Positions(path)
	if !ok {
		return protocol.Location{}, false
	}
	return protocol.Location{URI: snap.uriOf(path), Range: converter{positions, snap.encoding}.rangeOf(span)}, true
}

// uriOf returns the URI by which the client knows a file.
func (snap *snapshot) uriOf(path string) uri.URI {
	if d := snap.documents[path]; d != nil {
		return d.uri
	}
	return uriOf(path)
}

func (c converter) offset(p protocol.Position) int {
	return c.positions.Offset(textPosition(p), c.encoding)
}

func textPosition(p protocol.Position) text.Position {
	return text.Position{Line: clamp(int64(p.Line)), Character: clamp(int64(p.Character))}
}

func (c converter) position(offset int) protocol.Position {
	return protocolPosition(c.positions.Position(offset, c.encoding))
}

func protocolPosition(p text.Position) protocol.Position {
	return protocol.Position{Line: uint32(p.Line), Character: uint32(p.Character)}
}

// writtenOffset returns the offset in the text that the client has.
func (c converter) writtenOffset(offset int) int {
	return c.positions.SourceSpan(text.Span{Start: offset, End: offset}).Start
}

// rangeOf converts a span to a range.
func (c converter) rangeOf(s text.Span) protocol.Range {
	r := c.positions.Range(s, c.encoding)
	return protocol.Range{Start: protocolPosition(r.Start), End: protocolPosition(r.End)}
}

// span converts a range. The ends of the range may be swapped.
func (c converter) span(r protocol.Range) text.Span {
	return c.positions.Span(text.Range{Start: textPosition(r.Start), End: textPosition(r.End)}, c.encoding)
}

// textEdits converts edits of the text.
func (c converter) textEdits(edits []text.Edit) []protocol.TextEdit {
	out := make([]protocol.TextEdit, len(edits))
	for i, e := range edits {
		out[i] = protocol.TextEdit{Range: c.rangeOf(e.Span), NewText: e.NewText}
	}
	return out
}

// didChangeParams are the notification's parameters. Changes are decoded by
// decodeChanges: the library reads a change with an invalid range as one of the whole
// text, and one with the range null as an insertion at the beginning.
type didChangeParams struct {
	TextDocument struct {
		URI     uri.URI         `json:"uri"`
		Version protocol.LSPAny `json:"version"`
	} `json:"textDocument"`
	ContentChanges protocol.LSPAny `json:"contentChanges"`
}

// didOpenParams are the notification's parameters that the server reads.
type didOpenParams struct {
	TextDocument struct {
		URI     uri.URI         `json:"uri"`
		Version protocol.LSPAny `json:"version"`
		Text    string          `json:"text"`
	} `json:"textDocument"`
}

// decodeVersion returns the version in raw, or the parameter otherwise if raw is null or
// is not a version.
func decodeVersion(raw []byte, otherwise int32) int32 {
	var version int32
	if string(raw) == "null" || json.Unmarshal(raw, &version) != nil {
		return otherwise
	}
	return version
}

// contentChange replaces a range of the text, or the whole text if Range is nil.
type contentChange struct {
	Range *struct {
		Start position `json:"start"`
		End   position `json:"end"`
	} `json:"range"`
	Text *string `json:"text"`
}

func (c contentChange) hasRange() bool { return c.Range != nil }

// position is a position from the client, which may be out of bounds.
type position struct {
	Line      int64 `json:"line"`
	Character int64 `json:"character"`
}

func (p position) text() text.Position {
	return text.Position{Line: clamp(p.Line), Character: clamp(p.Character)}
}

// clamp limits a number from the client to those that an int has on any platform.
func clamp(n int64) int { return int(min(max(0, n), math.MaxInt32)) }

// decodeChanges decodes changes. Each has a text.
func decodeChanges(raw []byte) ([]contentChange, error) {
	var changes []contentChange
	err := json.Unmarshal(raw, &changes)
	if err == nil && slices.ContainsFunc(changes, func(c contentChange) bool { return c.Text == nil }) {
		err = errors.New("a change without a text")
	}
	return changes, err
}

// applyChanges applies changes one after the other.
func applyChanges(doc *syntax.Document, changes []contentChange, enc text.Encoding) *syntax.Document {
	lines := doc.Lines()
	var edits []text.Edit // edits of doc that are not applied yet: many edits cost one parse
	for i, c := range changes {
		if c.Range == nil {
			doc, edits = doc.WithText(*c.Text), nil
			lines = doc.Lines()
			continue
		}
		r := text.Range{Start: c.Range.Start.text(), End: c.Range.End.text()}
		edit := text.Edit{Span: lines.Span(r, enc), NewText: *c.Text}
		edits = append(edits, edit)
		if i+1 < len(changes) {
			lines = lines.Apply(edit)
		}
	}
	return doc.Apply(edits...)
}
