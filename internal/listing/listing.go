// Package listing shows tools as `abl-lsp tools --format json` and the command
// abl.tools do.
package listing

import (
	"encoding/json"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Tool is one tool, resolved.
type Tool struct {
	Name        string          `json:"name"` // by which others call it: service_tool
	Namespace   string          `json:"namespace"`
	Version     string          `json:"version"`
	Description string          `json:"description"`
	Kind        tool.Kind       `json:"kind"`
	File        string          `json:"file"`
	Range       Range           `json:"range"`      // of its name
	Parameters  json.RawMessage `json:"parameters"` // JSON Schema of the arguments
	Returns     json.RawMessage `json:"returns"`    // JSON Schema, null where nothing is declared
	Mutates     *bool           `json:"mutates"`    // null: unknown
	Gate        tool.Gate       `json:"gate"`
	Origin      string          `json:"origin"` // the kind of file that it is written in
	CanVerify   bool            `json:"can_verify,omitzero"`
	CanRevert   bool            `json:"can_revert,omitzero"`

	Signature string `json:"-"`
}

// Range is a range as in LSP: lines and UTF-16 units, from 0.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// Position is one end of a Range.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// RangeOf returns the range of a span.
func RangeOf(in text.Positions, s text.Span) Range {
	r := in.Range(s, text.UTF16)
	return Range{Position(r.Start), Position(r.End)}
}

// List returns the tools that the file at path can name. show returns the name that is
// shown for a file. withSchemas returns a tool in which the schemas that are in files are
// inlined; if it fails, its error is ignored, since checks and runs report it.
func List(w model.Workspace, path string, show func(path string) string, withSchemas func(tool.Tool) (tool.Tool, error)) []Tool {
	list := []Tool{}
	for _, l := range model.LowerAll(w, path) {
		t, file := model.WithServiceHandler(w, path, l.Tool), l.Declared.File
		t, _ = withSchemas(t) // what is wrong there, checks and runs say
		t.Name = t.QualifiedName()
		list = append(list, Tool{
			Name:        t.Name,
			Namespace:   t.Namespace,
			Version:     t.Version,
			Description: t.Description,
			Kind:        t.Kind,
			File:        show(file.Path),
			Range:       RangeOf(file.Positions(), l.Declared.NameSpan()),
			Parameters:  t.WithFreeFormParam().ArgumentSchema(),
			Returns:     t.ReturnSchema(),
			Mutates:     t.Mutates(),
			Gate:        t.Gate(),
			Origin:      t.Origin.System,
			CanVerify:   t.CanVerify(),
			CanRevert:   t.CanRevert(),
			Signature:   t.CallSignature(),
		})
	}
	return list
}
