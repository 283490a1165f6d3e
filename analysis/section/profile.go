package section

import (
	"sync"

	"github.com/abl-lsp/abl-lsp/tool"
)

var (
	priorityField  = tool.Field{Name: "PRIORITY", Type: tool.NumberType, Whole: true, Doc: "Which profile wins where several hold: the higher number. Whole, and not negative."}
	profileWhen    = tool.Field{Name: "WHEN", Type: tool.Expr, Doc: "The condition under which the profile holds."}
	profileSection = tool.Field{Name: "BEHAVIOR_PROFILE", Type: tool.Block, OneLine: true, Ref: tool.RefProfile, Fields: []tool.Field{
		priorityField, profileWhen,
		{Name: "INSTRUCTIONS", Type: tool.String, Doc: "Further instructions while the profile holds."},
		{Name: "CONVERSATION", Type: tool.AnyType, Doc: "How the agent speaks and listens while the profile holds."},
	}, Doc: "Changes to the agent that hold under a condition."}
)

// profileRows are the sections that read otherwise in a behaviour profile.
var profileRows = sync.OnceValue(func() map[string]*tool.Field {
	return byName([]tool.Field{
		{Name: "BEHAVIOR_PROFILE", Type: tool.String, Ref: tool.RefProfile, Doc: "The profile's name."},
		{Name: "CONSTRAINTS", Type: tool.ListType, Doc: "Rules in plain words."},
		{Name: "FLOW", Type: tool.AnyType, Doc: "Changes to the flow: `SKIP`, `REPLACE`, `OVERRIDES`, `INSERTIONS`."},
		{Name: "GATHER", Type: tool.Block, Fields: []tool.Field{
			{Name: "FIELD_OVERRIDES", Type: tool.Block, Open: true, Each: &tool.Field{Type: tool.Block, OneLine: true, Fields: optionalFields()},
				Doc: "Changes to fields, a block for each."},
		}, Doc: "Changes to what is collected."},
	})
})
