package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// RefSections are the sections that declare what a reference names.
var RefSections = map[tool.Ref]string{
	tool.RefMessage: "MESSAGES", tool.RefHandler: "RETURN_HANDLERS", tool.RefEntity: "ENTITIES",
	tool.RefLookup: "LOOKUP_TABLES", tool.RefDestination: "DESTINATIONS",
}

// RuleWords begin a rule of CONSTRAINTS.
var RuleWords = []tool.Word{
	{Name: "REQUIRE", Doc: "The condition must hold: `- REQUIRE condition`, also with `BEFORE calling tool` behind it."},
	{Name: "LIMIT", Doc: "The condition bounds what the agent may do."},
	{Name: "RESTRICT", Doc: "The condition says what the agent may not do."},
	{Name: "WARN", Doc: "The condition should hold; the agent goes on where it does not."},
}

var escalateWord = tool.Word{Name: "ESCALATE", Doc: "Hands the conversation over to a human: also `ESCALATE with REASON: \"…\"`."}

var handoffWord = tool.Word{Name: "HANDOFF", Doc: "Hands the conversation over to another agent: `HANDOFF Agent`."}

var completeWord = tool.Word{Name: "COMPLETE", Doc: "Ends the conversation."}

var continueWord = tool.Word{Name: "CONTINUE", Doc: "Goes on."}

// FailWords are the words that ON_FAIL of a rule may have.
var FailWords = []tool.Word{
	handoffWord, escalateWord, {Name: "BLOCK", Doc: "Stops what was about to happen."},
}

// FlowTargetWords returns the words that a transition may have instead of a step.
func FlowTargetWords(field *tool.Field) []tool.Word {
	words := []tool.Word{continueWord, completeWord, escalateWord, handoffWord}
	switch {
	case field.Name == "entry_point" || field.Name == "steps" || field.Name == "BACKTRACK_TO":
		return nil
	case strings.Contains(field.Doc, "RETRY_STEP"):
		return append(words, tool.Word{Name: "RETRY_STEP", Doc: "Runs the step again."},
			tool.Word{Name: "BACKTRACK", Doc: "Goes back to the step of `BACKTRACK_TO`."})
	}
	return words
}

// ToolsKeys are the keys of TOOLS that are no properties.
var ToolsKeys = []tool.Word{
	{Name: "file", Doc: "Imports tools of a library: `file: \"./name.tools.abl\" [tool, …]`. " +
		"The path is relative to this file. Without the brackets all of its tools are imported."},
	{Name: "HIDE", Doc: "Tools of the agent that the profile takes away: `HIDE: [tool, …]`."},
	{Name: "ADD", Doc: "Tools that the profile adds, declared below."},
}

// ValueWords returns the words of a value, if it has any.
func ValueWords(n syntax.Node) []Word {
	switch n.Value().Kind() {
	case syntax.PipeBlock, syntax.Map:
		return nil
	}
	return ListWords(n)
}

// flowKeys are the keys of FLOW that are no steps.
var flowKeys = []string{"entry_point", "steps", "global_digressions"}

// nameForms match valid names of each kind.
var nameForms = map[SymbolKind]*lazyregexp.Regexp{
	ToolSymbol:         lazyregexp.New(`^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?$`),
	ParameterSymbol:    lazyregexp.New(`^[A-Za-z_]\w*$`),
	StepSymbol:         lazyregexp.New(`^[A-Za-z_][\w-]*$`),
	TemplateSymbol:     lazyregexp.New(`^[A-Za-z_][\w-]*$`),
	VariableSymbol:     lazyregexp.New(`^[A-Za-z_]\w*$`),
	AgentSymbol:        lazyregexp.New(`^[A-Za-z]\w*$`),
	ProfileSymbol:      lazyregexp.New(`^[A-Za-z_]\w*$`),
	SectionEntrySymbol: lazyregexp.New(`^[A-Za-z_]\w*$`),
	ProjectEntrySymbol: lazyregexp.New(`^[A-Za-z_][\w.-]*$`),
	AnchorSymbol:       lazyregexp.New(`^[A-Za-z_][\w-]*$`),
}

// CheckName returns an error that says why a symbol cannot have a name; nil if it can.
func CheckName(from Symbol, name string) error {
	if !nameForms[from.Kind].MatchString(name) {
		return fmt.Errorf("`%s` is no name for %s: letters, digits and `_` make one, and it begins with no digit", name, from.NounWithArticle())
	}
	taken := false
	switch from.Kind {
	case ToolSymbol:
		taken = strings.HasPrefix(name, "__")
	case ParameterSymbol:
		taken = IsNamespace(name) || isWordOfTemplates(name)
	case VariableSymbol:
		taken = IsNamespace(name) || isWordOfTemplates(name) || isSpecial(name)
	case ProjectEntrySymbol:
		taken = slices.Contains([]string{"true", "false", "null"}, strings.ToLower(name))
	case StepSymbol:
		taken = IsUpperWord(name) && targetKind(name, ToStep) != Computed || slices.Contains(flowKeys, strings.ToLower(name))
	}
	if taken {
		return fmt.Errorf("`%s` means something in the language; %s needs another name", name, from.NounWithArticle())
	}
	return nil
}
