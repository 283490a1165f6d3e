package check

import (
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// platformLoss: the platform reads some lines in one form only and drops those in another form,
// mostly without a message. It is a warning if no page shows the form, and an information if one
// does, so that documented text need not change.
var platformLoss = Check{
	Code:     "platform-loss",
	Standard: model.Warning,
	Entry: func(out *findings, e Entry) {
		for _, l := range losses {
			if l.entry != nil {
				l.entry(out, e)
			}
		}
	},
	File: func(out *findings, f File) {
		for _, l := range losses {
			if l.file != nil {
				l.file(out, f)
			}
		}
	},
}

// loss finds one thing that the platform drops: entry looks at one entry alone, and file at a whole
// file. Either may be nil.
type loss struct {
	what  string
	entry func(*findings, Entry)
	file  func(*findings, File)
}

// losses are all of them; the code's page has a row for each.
var losses = []loss{
	{what: "line ends of Windows", file: lostToLineEnds},
	{what: "a name that is not at two spaces", file: lostToDepth},
	{what: "a comment after a name", file: lostToComments},
	{what: "a second agent in one file", file: secondAgents},
	{what: "steps below `steps:`", entry: nestedSteps},
	{what: "a key that is taken for a step", file: keysTakenForSteps},
	{what: "`COLLECT` and `PROMPT` in a step", entry: promptsInSteps},
	{what: "a branch without `THEN`", entry: branchesWithoutThen},
	{what: "a block of `SET`", entry: setBlocks},
	{what: "types and actions of `ON_ERROR`", entry: errorHandlers, file: errorSections},
	{what: "a signature over several lines", entry: splitSignatures},
	{what: "`)` in a default", entry: bracketInDefault},
	{what: "`soap_headers` that are no JSON object", entry: malformedHeaders},
	{what: "keys of `CONVERSATION`", entry: unreadConversation},
	{what: "variables as keys of `MEMORY`", entry: memoryKeys},
}

// isAgentKind reports whether a file of that kind declares an agent.
func isAgentKind(kind model.FileKind) bool {
	return kind == model.Agent || kind == model.Supervisor
}

// isKeyWithoutValue reports whether a line is a key with nothing after its colon but perhaps a
// comment.
func isKeyWithoutValue(n syntax.Node) bool { return !n.KeyNode().IsZero() && n.Value().IsZero() }
