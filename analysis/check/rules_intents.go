package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// Intents that interrupt a flow, for duplicate-property.

// repeatedIntents: an intent interrupts a flow in one way, declared either for the whole flow or in
// one of its steps.
func repeatedIntents(out *findings, f File) {
	for i := range f.Parts() {
		part := &f.Parts()[i]
		if part.Flow() == nil {
			continue
		}
		intents := firstKeys{}
		for s := range part.Sections.Named("FLOW") {
			for _, e := range s.Entries {
				eachIntent(f, s, e, func(key model.PositionedNode) {
					name := strings.TrimSpace(key.UnquotedText())
					intents.addRefused(out, strings.ToLower(name), name, key.Span(), "interrupts this flow twice")
				})
			}
		}
	}
}

// eachIntent calls do with the intents of the digressions in one entry of a flow.
func eachIntent(f File, s syntax.Section, e syntax.PositionedEntry, do func(model.PositionedNode)) {
	if !strings.Contains(strings.ToUpper(e.Text()), "DIGRESSIONS") {
		return
	}
	for _, m := range model.Maps(f.SectionKind(s), s.Name(), e.Root(), nil) {
		intent, ok := keyOfMap(m, "INTENT")
		if ok && isDigression(m) && intent.Text() != "" && !strings.Contains(intent.Text(), "{{") && isText(intent) {
			do(model.PositionedNode{Node: intent.Value, Offset: e.Offset})
		}
	}
}
