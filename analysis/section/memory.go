package section

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
)

// events are what memory is recalled on.
var events = lazyregexp.New(`(?i)^(session:(start|end)|agent:[^\s:]+:(before|after)|tool:[^\s:]+:after|entity:[^\s:]+:extracted|step:(enter|exit):[^\s:]+)$`)

const eventForm = "`session:start`, `session:end`, `agent:NAME:before`, `agent:NAME:after`, `tool:NAME:after`, `entity:FIELD:extracted`, `step:enter:NAME` or `step:exit:NAME`"

func memorySection() []tool.Field {
	reads := tool.Field{Name: "READS", Type: tool.ListType, Ref: tool.RefPersistent, Doc: "Persistent paths that the agent reads."}
	writes := tool.Field{Name: "WRITES", Type: tool.ListType, Ref: tool.RefPersistent, Doc: "Persistent paths that the agent writes."}
	return []tool.Field{{Name: "MEMORY", Type: tool.Block, Doc: "What is remembered.", Fields: []tool.Field{
		named("session", sessionFields, nil, "Variables of the session: a list of names, with their properties below."),
		named("persistent", persistentFields, []tool.Field{reads, writes}, "Paths that outlive the session: a list of dotted paths, with their properties below."),
		{Name: "remember", Type: tool.BlockList, Open: true, Fields: rememberFields, Doc: "What is stored under which condition."},
		{Name: "recall", Type: tool.BlockList, Open: true, Fields: recallFields, Doc: "What is brought back on which event."},
		reads, writes,
	}, Open: true, Each: &tool.Field{Type: tool.Block, Strict: true, Keyed: true, Fields: variableFields}}}
}

// named returns a list whose items begin with a name, or a map of such names.
func named(name string, items, siblings []tool.Field, doc string) tool.Field {
	return tool.Field{Name: name, Type: tool.BlockList, Named: true, Open: true, OneLine: true, Items: items, Fields: siblings,
		Each: &tool.Field{Type: tool.Block, OneLine: true, Fields: items}, Doc: doc}
}

var memoryTypes = words("string", "number", "boolean", "date", "datetime", "array", "object")

var sessionFields = []tool.Field{
	{Name: "NAME", Type: tool.String, Doc: "The variable's name, where the item does not begin with it."},
	{Name: "TYPE", Type: tool.WordType, Values: memoryTypes, Pattern: genericType, Doc: "The type of the value."},
	{Name: "DESCRIPTION", Type: tool.String, Doc: "What the variable means."},
	{Name: "INITIAL", Aliases: []string{"initial_value"}, Type: tool.AnyType, Doc: "The value at the beginning."},
	{Name: "RESET", Type: tool.WordType, Values: []tool.Word{
		{Name: "per_session", Doc: "With each session."}, {Name: "per_activation", Doc: "Each time the agent takes over."},
		{Name: "per_step", Doc: "With each step."}, {Name: "never", Doc: "Not at all."},
	}, Doc: "When the value goes back to the initial one."},
	{Name: "FORMAT", Type: tool.String, Doc: "The form of the value."},
	{Name: "DERIVED", Type: tool.AnyType, Doc: "Says that the value follows from others."},
}

// variableFields are the keys of a variable that is written as a key of MEMORY.
var variableFields = append(slices.Clone(sessionFields[1:]),
	tool.Field{Name: "source", Type: tool.String, Doc: "Where the variable lives: `session`."})

var persistentFields = []tool.Field{
	{Name: "PATH", Type: tool.String, Doc: "The path, where the item does not begin with it."},
	{Name: "SCOPE", Type: tool.WordType, Values: []tool.Word{
		{Name: "user", Doc: "For the user."}, {Name: "project", Doc: "For all users of the project."}, {Name: "execution_tree", Doc: "For the agents that work on one request."},
	}, Doc: "For whom the value is kept."},
	{Name: "ACCESS", Type: tool.WordType, Values: words("read", "write", "readwrite"), Doc: "What the agent may do with the value."},
	{Name: "TYPE", Type: tool.WordType, Values: memoryTypes, Pattern: genericType, Doc: "The type of the value."},
	{Name: "UNIT", Type: tool.String, Doc: "The unit that the value is measured in."},
	{Name: "DEFAULT_VALUE", Synonyms: []string{"DEFAULT"}, Type: tool.AnyType, Doc: "The value where none is stored."},
	{Name: "DESCRIPTION", Type: tool.String, Doc: "What the value means."},
	{Name: "SENSITIVE", Type: tool.BooleanType, Doc: "Whether the value is hidden where it is shown or logged."},
	{Name: "SENSITIVE_DISPLAY", Type: tool.WordType, Values: displayWords, Doc: "How a sensitive value is shown."},
	{Name: "MASK_CONFIG", Type: tool.Block, Fields: maskFields, Doc: "Which part of a masked value stays readable."},
}

var storeField = tool.Field{Name: "STORE", Type: tool.Block, OneLine: true, Fields: []tool.Field{
	{Name: "value", Type: tool.AnyType, Doc: "What is stored."},
	{Name: "target", Type: tool.String, Doc: "The path that it is stored under."},
	{Name: "operation", Type: tool.WordType, Values: []tool.Word{
		{Name: "overwrite", Doc: "Replaces what was there."}, {Name: "set", Doc: "Sets the value."}, {Name: "append", Doc: "Adds to a list."},
	}, Doc: "How it is stored."},
	{Name: "unique", Type: tool.BooleanType, Doc: "Whether a list has each value once."},
	{Name: "maxSize", Type: tool.NumberType, Doc: "Most values in a list."},
}, Doc: "What is stored where: `value -> path`, or a block."}

var rememberFields = []tool.Field{
	{Name: "WHEN", Type: tool.Expr, Doc: "The condition under which it is stored."},
	storeField,
	{Name: "TTL", Type: tool.String, Pattern: duration, Form: durationForm, Doc: "How long it is kept, such as `\"90d\"`."},
}

var recallFields = []tool.Field{
	{Name: "ON", Type: tool.String, Pattern: events, Form: eventForm, Doc: "The event, such as `session:start` or `tool:NAME:after`."},
	{Name: "ACTION", Type: tool.WordType, Values: []tool.Word{
		{Name: "inject_context", Doc: "Puts it into the context."}, {Name: "load_memory", Doc: "Loads it into variables."}, {Name: "prompt_llm", Doc: "Gives it to the model with the instruction."},
	}, Doc: "What happens with it."},
	{Name: "INSTRUCTION", Type: tool.String, Doc: "What the model is told."},
	{Name: "PATHS", Type: tool.ListType, Ref: tool.RefPersistent, Doc: "Persistent paths that are brought back."},
	{Name: "DOMAIN", Type: tool.String, Doc: "The part of memory that is brought back."},
	{Name: "WHEN", Type: tool.Expr, Undocumented: true, Doc: "The condition under which it is brought back, on older pages."},
}
