package tool

import (
	"encoding/json"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// FreeForm is the name of the text that a tool without parameters is called with.
const FreeForm = "input"

var (
	namesText = lazyregexp.New(`\{\s*` + FreeForm + `\s*\}`)
	codeText  = lazyregexp.New(`\b` + FreeForm + `\b`)
)

// WithFreeFormParam returns the tool as callers see it. If it has no parameters but its binding
// uses the free-form input, that input becomes a parameter; otherwise no caller would set it.
func (t Tool) WithFreeFormParam() Tool {
	if len(t.Arguments()) == 0 && t.InputSchema == nil && t.readsText() {
		t.Params = []Param{{Name: FreeForm, Type: &Type{Name: "string"}, Optional: true, Description: "The text that the tool is called with."}}
	}
	return t
}

func (t Tool) readsText() bool {
	if s, ok := t.Spec.(*Sandbox); ok {
		return codeText.MatchString(s.Code)
	}
	raw, err := json.Marshal(t.Spec)
	return err == nil && namesText.Match(raw)
}
