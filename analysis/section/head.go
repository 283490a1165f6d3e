package section

import (
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
)

var (
	agentName = lazyregexp.New(`^[A-Za-z][A-Za-z0-9_]*$`)
	version   = lazyregexp.New(`^\d+(\.\d+){0,2}$`)
	duration  = lazyregexp.New(`^\d+(\.\d+)?\s*(ms|[smhd])$`)
	fieldPath = lazyregexp.New(`^[a-zA-Z_][a-zA-Z0-9_.]*$`)
	slug      = lazyregexp.New(`^[a-z_][a-z0-9_]*$`)
)

const (
	agentNameForm = "a letter, then letters, digits and `_`"
	versionForm   = "up to three numbers with dots between, such as `1.0.0`"
	durationForm  = "a number and `s`, `m`, `h` or `d`, such as `15s`"
	fieldPathForm = "letters, digits, `_` and `.`, beginning with a letter or `_`"
	slugForm      = "lower-case letters, digits and `_`, beginning with no digit"
)

// headFields are the sections that say who the agent is.
var headFields = []tool.Field{
	{Name: "AGENT", Type: tool.String, Required: true, Pattern: agentName, Form: agentNameForm, Doc: "The agent's name."},
	{Name: "SUPERVISOR", Type: tool.String, Required: true, Pattern: agentName, Form: agentNameForm, Doc: "The supervisor's name."},
	{Name: "VERSION", Type: tool.String, Default: "1.0.0", Pattern: version, Form: versionForm, Doc: "The agent's version."},
	{Name: "DESCRIPTION", Type: tool.String, Doc: "What the agent is for, to readers of the file."},
	{Name: "LANGUAGE", Type: tool.String, Doc: "The agent's language as a BCP 47 tag, such as `en`."},
	{Name: "GOAL", Type: tool.String, Doc: "What the agent is to achieve."},
	{Name: "PERSONA", Type: tool.String, Doc: "How the agent speaks and behaves."},
	{Name: "LIMITATIONS", Type: tool.ListType, Doc: "What the agent must not or cannot do."},
	{Name: "INSTRUCTIONS", Type: tool.String, Doc: "Further instructions, appended to the goal."},
	{Name: "SYSTEM_PROMPT", Type: tool.String, Doc: "Replaces the prompt that is made from the other sections."},
	{Name: "IDENTITY", Type: tool.Block, Doc: "Goal, persona and limitations in one block.", Fields: []tool.Field{
		{Name: "role", Type: tool.String, Doc: "What the agent is: it stands for `GOAL`."},
		{Name: "persona", Type: tool.String, Doc: "How the agent speaks and behaves: it stands for `PERSONA`."},
		{Name: "expertise", Type: tool.ListType, Doc: "What the agent knows well."},
		{Name: "limitations", Type: tool.ListType, Doc: "What the agent must not or cannot do: it stands for `LIMITATIONS`."},
	}},
	{Name: "BEHAVIOR", Type: tool.Block, Doc: "What the agent is among other agents.", Fields: []tool.Field{
		{Name: "role", Type: tool.WordType, Values: []tool.Word{
			{Name: "router", Doc: "Sends each message to one agent."}, {Name: "orchestrator", Doc: "Lets several agents work together."}, {Name: "assistant", Doc: "Answers itself where it can."},
		}, Doc: "What the agent is."},
		{Name: "canRespondDirectly", Synonyms: []string{"can_respond_directly"}, Type: tool.BooleanType, Undocumented: true, Deprecated: "`role: orchestrator` says that it does, `role: router` that it does not.", Doc: "Whether the agent answers itself."},
		{Name: "allowedDirectActions", Synonyms: []string{"allowed_direct_actions"}, Type: tool.ListType, Undocumented: true, Deprecated: "say it with `role`.", Doc: "What the agent may do itself."},
		{Name: "forbiddenActions", Synonyms: []string{"forbidden_actions"}, Type: tool.ListType, Undocumented: true, Deprecated: "say it with `role`.", Doc: "What the agent must not do itself."},
	}},
	{Name: "EXECUTION", Type: tool.Block, Fields: executionFields, Doc: "The model that the agent uses, and its limits."},
}
