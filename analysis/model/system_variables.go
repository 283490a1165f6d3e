package model

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/tool"
)

// SystemVariables are names and paths to which the platform gives values. A file may have variables
// of the same names.
var SystemVariables = []tool.Word{
	{Name: "last_input", Doc: "What the user said before."},
	{Name: "language", Doc: "The language of the conversation."},
	{Name: "locale", Doc: "The locale of the conversation, such as `es-MX`; `locale[\"KEY\"]` is a text of the project in it."},
	{Name: "turn_count", Doc: "How many turns the conversation has had."},
	{Name: "session_id", Doc: "The id of the session. It cannot be set."},
	{Name: "project_id", Doc: "The id of the project. It cannot be set."},
	{Name: "tenant_id", Doc: "The id of the tenant. It cannot be set."},
	{Name: "user_id", Doc: "The id of the user. It cannot be set."},
	{Name: "customer_id", Doc: "The id of the customer."},
	{Name: "match", Doc: "What the last input matched. The runtime overwrites it."},
	{Name: "all_fields_gathered", Doc: "Whether all fields to collect have a value."},
	{Name: "tool_failures", Doc: "How many calls of tools have failed."},
	{Name: "constraint_failures", Doc: "How many constraints have been violated."},
	{Name: "sentiment_trajectory", Doc: "How the user's mood develops."},
	{Name: "user.intent", Doc: "What the user wants, as it was recognised."},
	{Name: "user.sentiment", Doc: "The user's mood."},
	{Name: "handoff.completed", Doc: "Whether a hand-off has been completed."},
	{Name: "escalate.completed", Doc: "Whether an escalation has been completed."},
	{Name: "session.channel", Doc: "The channel of the conversation: `web`, `voice`, `web_chat`, `api` or `digital`."},
	{Name: "session.interaction.current.language", Doc: "The language of the conversation as it is now."},
	{Name: "session.interaction.current.locale", Doc: "The locale of the conversation as it is now."},
	{Name: "session.interaction.current.timezone", Doc: "The time zone of the conversation as it is now."},
	{Name: "session.account_id", Doc: "The id of the account."},
	{Name: "system.channel", Doc: "The channel of the conversation."},
	{Name: "system.locale", Doc: "The locale of the conversation."},
	{Name: "intent.category", Doc: "The category of the intent."},
	{Name: "intent.confidence", Doc: "How sure the recognition of the intent is, from 0 to 1."},
	{Name: "_action", Doc: "In action handlers: the element that the user chose, with what it brings."},
}

// SystemVariable returns the system variable whose whole name or path is path. The second result is
// false if there is none.
func SystemVariable(path string) (tool.Word, bool) {
	i := slices.IndexFunc(SystemVariables, func(w tool.Word) bool { return w.Name == path })
	if i < 0 {
		return tool.Word{}, false
	}
	return SystemVariables[i], true
}
