package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// unmatchedInput: a step that accepts answers under conditions says or asks something, or has a
// branch for all other answers. Otherwise it waits in silence for an answer that may never come.
var unmatchedInput = Check{
	Code: "unmatched-input",
	Form: true,
	File: func(out *findings, f File) {
		for _, flow := range f.Flows() {
			for _, s := range flow.Steps {
				if input, ok := silentInput(s); ok {
					out.warn(s.InFile(input.KeyNode()).Span(), "The step says and asks nothing, and no branch takes all other answers; add an `ELSE`, or a `RESPOND`.")
				}
			}
		}
	},
}

// askingKeys are the keys of a step by which users notice it.
var askingKeys = []string{
	"RESPOND", "PRESENT", "GATHER", "MESSAGE_KEY", "FORMATS", "RICH_CONTENT", "VOICE", "VOICE INSTRUCTIONS", "ACTIONS", "CAROUSEL", "CALL",
	"AWAIT_ATTACHMENT", "SECURE_INPUT",
}

// silentInput returns the ON_INPUT of s, if s neither asks the user nor accepts every answer. ok is
// false otherwise.
func silentInput(s model.Step) (input syntax.Node, ok bool) {
	if s.Reasoning != model.ReasoningOff {
		return input, false
	}
	for line := range s.Lines() {
		key := strings.ToUpper(line.Key())
		if slices.Contains(askingKeys, key) {
			return input, false
		}
		if key == "ON_INPUT" {
			input = line
		}
	}
	return input, !input.IsZero() && onlyConditions(input)
}

// onlyConditions reports whether a list has branches, each with a condition that may fail.
func onlyConditions(n syntax.Node) bool {
	some := false
	for item := range n.BlockChildren() {
		if item.Kind() != syntax.ListItem || !mayFail(item) {
			return false
		}
		some = true
	}
	return some
}

func mayFail(item syntax.Node) bool {
	for c := range item.BlockChildren() {
		switch strings.ToUpper(c.Key()) {
		case "IF", "CONDITION", "WHEN":
			s := strings.ToLower(c.Value().UnquotedText())
			return s != "" && s != "true" && s != "always"
		}
	}
	return false
}
