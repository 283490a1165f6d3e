package section

import "github.com/abl-lsp/abl-lsp/tool"

var memberFields = []tool.Field{
	{Name: "REF", Type: tool.String, Ref: tool.RefAgent, Files: []string{".agent.abl", ".agent.yaml"}, Doc: "The agent: its name, or the path of its file."},
	{Name: "ALIAS", Type: tool.String, Doc: "The name that the rules use for it."},
	{Name: "CAPABILITIES", Type: tool.ListType, Doc: "What it can do."},
	{Name: "CHANNELS", Type: tool.ListType, Doc: "Where it may be used."},
	{Name: "REQUIRES_VALIDATION", Type: tool.AnyType, Doc: "Whether its answers are checked."},
}

// supervisorRows are the sections that only supervisors have.
var supervisorRows = []tool.Field{
	listOrMap("AGENTS", memberFields, "The agents that the supervisor leads."),
	{Name: "ROUTING", Type: tool.BlockList, Open: true, Items: []tool.Field{
		{Name: "NAME", Type: tool.String, Doc: "The rule's name."},
		{Name: "DESCRIPTION", Type: tool.String, Doc: "What the rule is for."},
		{Name: "PRIORITY", Type: tool.AnyType, Doc: "Which rule wins where several hold."},
		{Name: "WHEN", Type: tool.Expr, Doc: "The condition under which it counts."},
		{Name: "THEN", Type: tool.AnyType, Doc: "What to do: `ROUTE_TO agent`, `ROUTE_TO_USER \"…\"`, `ROUTE_TO_VARIABLE name`, `END_CONVERSATION`, `SYSTEM_ACTION name`, or `INTENT_MATCH` below."},
		{Name: "FLAGS", Type: tool.ListType, Values: words("set_active", "silent", "no_log", "priority_boost"), Doc: "Flags that the rule sets."},
		{Name: "CONSTRAINTS", Type: tool.Block, OneLine: true, Fields: []tool.Field{
			{Name: "ignoreIntents", Type: tool.ListType, Doc: "Intents that the rule does not count for."},
			{Name: "channels", Type: tool.ListType, Doc: "Where the rule counts."},
			{Name: "requiresState", Type: tool.AnyType, Doc: "What the state must be."},
		}, Doc: "What must hold for the rule."},
	}, Doc: "Rules by which messages go to agents."},
}
