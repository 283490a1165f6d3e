package section

import "github.com/abl-lsp/abl-lsp/tool"

var memberFields = []tool.Field{
	{Name: "REF", Type: tool.String, Ref: tool.RefAgent, Files: []string{".agent.abl", ".agent.yaml"}, Doc: "The agent: its name, or the path of its file."},
	{Name: "ALIAS", Type: tool.String, Doc: "The name that the rules use for it."},
	{Name: "CAPABILITIES", Type: tool.ListType, Doc: "What it can do."},
	{Name: "CHANNELS", Type: tool.ListType, Doc: "Where it may be used."},
	{Name: "REQUIRES_VALIDATION", Type: tool.AnyType, Doc: "Whether its answers are checked."},
}

// supervisorFields are the sections that only supervisors have.
var supervisorFields = []tool.Field{
	listOrMap("AGENTS", memberFields, "The agents that the supervisor leads."),
	{Name: "ROUTING", Type: tool.BlockList, Open: true, Items: []tool.Field{
		{Name: "NAME", Type: tool.String, Doc: "The rule's name."},
		{Name: "DESCRIPTION", Type: tool.String, Doc: "What the rule is for."},
		{Name: "PRIORITY", Type: tool.String, Doc: "Which rule wins where several hold."},
		{Name: "WHEN", Type: tool.Expr, Doc: "The condition under which it counts."},
		{Name: "THEN", Type: tool.AnyType, Doc: "What to do: `ROUTE_TO agent`, `ROUTE_TO_USER \"…\"`, `ROUTE_TO_VARIABLE name`, `END_CONVERSATION`, `SYSTEM_ACTION name`, or `INTENT_MATCH` below."},
		{Name: "FLAGS", Type: tool.ListType, Values: words("set_active", "silent", "no_log", "priority_boost"), Doc: "Flags that the rule sets."},
		{Name: "CONSTRAINTS", Type: tool.Block, OneLine: true, Fields: []tool.Field{
			{Name: "ignoreIntents", Type: tool.ListType, Doc: "Intents that the rule does not count for."},
			{Name: "channels", Type: tool.ListType, Doc: "Where the rule counts."},
			{Name: "requiresState", Type: tool.AnyType, Doc: "What the state must be."},
		}, Doc: "What must hold for the rule."},
	}, Doc: "Rules by which messages go to agents."},
	{Name: "STATE", Type: tool.Block, Open: true, OneLine: true, Each: &tool.Field{Type: tool.Block, Open: true, OneLine: true, Each: &tool.Field{
		Type: tool.Block, Open: true, OneLine: true, Fields: []tool.Field{
			{Name: "type", Type: tool.AnyType, Doc: "The type of the variable."},
			{Name: "required", Type: tool.AnyType, Doc: "Whether it must have a value."},
			{Name: "default", Type: tool.AnyType, Doc: "Its value at the beginning."},
			{Name: "description", Type: tool.String, Doc: "What it is for."},
			{Name: "source", Type: tool.WordType, Values: []tool.Word{
				{Name: "system", Doc: "The platform sets it."}, {Name: "user", Doc: "It comes from the user."},
				{Name: "agent", Doc: "An agent sets it."}, {Name: "computed", Doc: "It follows from others."},
			}, Doc: "Where the value comes from."},
			{Name: "updatedBy", Type: tool.AnyType, Doc: "Who may change it."},
		}}}, Doc: "State that the agents share: variables by name, in blocks by name."},
	{Name: "COMMUNICATION", Type: tool.Block, Open: true, OneLine: true, Fields: []tool.Field{
		{Name: "language", Type: tool.AnyType, Doc: "The language of the answers."},
		{Name: "formality", Type: tool.WordType, Values: words("formal", "informal", "neutral"), Doc: "How formal the answers are."},
		{Name: "pronouns", Type: tool.AnyType, Doc: "How the user is addressed."},
		{Name: "vocabulary", Type: tool.AnyType, Doc: "Words to use and to avoid."},
		{Name: "constraints", Type: tool.AnyType, Doc: "What the answers keep to."},
	}, Doc: "How the agents talk to the user."},
}
