package section

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
)

// genericType is a type of the complex kind, such as `array<string>`.
var genericType = lazyregexp.New(`(?i)^(array|object|enum|union|nullable)\s*[<(\[]|\[\]$`)

// fieldTypes are what GATHER and ENTITIES know.
var fieldTypes = []tool.Word{
	{Name: "string", Doc: "Text."}, {Name: "text", Doc: "Text."}, {Name: "free_text", Doc: "Text of any length."},
	{Name: "number", Doc: "A number."}, {Name: "integer", Doc: "A whole number."}, {Name: "float", Doc: "A number with a fraction."},
	{Name: "currency", Doc: "An amount of money."}, {Name: "boolean", Doc: "Yes or no."},
	{Name: "date", Doc: "A day."}, {Name: "datetime", Doc: "A day and a time."},
	{Name: "email", Doc: "An email address."}, {Name: "phone", Doc: "A telephone number."},
	{Name: "enum", Doc: "One of given words."}, {Name: "pattern", Doc: "What fits a regular expression."},
	{Name: "location", Doc: "A place."},
}

var strategyField = tool.Field{Name: "strategy", Type: tool.WordType, Values: []tool.Word{
	{Name: "auto", Doc: "The platform chooses."}, {Name: "ml", Doc: "A trained model finds the value."},
	{Name: "llm", Doc: "The language model finds it."}, {Name: "hybrid", Doc: "Both."},
	{Name: "pattern", Doc: "A regular expression finds it."},
}, Doc: "How values are found in what the user says."}

var maskFields = []tool.Field{
	{Name: "showFirst", Synonyms: []string{"show_first"}, Type: tool.NumberType, Default: "0", Doc: "How many characters stay readable at the beginning."},
	{Name: "showLast", Synonyms: []string{"show_last"}, Type: tool.NumberType, Default: "4", Doc: "How many characters stay readable at the end."},
	{Name: "char", Type: tool.String, Default: "*", Doc: "What stands for a hidden character."},
}

var displayWords = []tool.Word{
	{Name: "redact", Doc: "Nothing of it is shown."}, {Name: "mask", Doc: "A part is shown, see `mask_config`."}, {Name: "replace", Doc: "Something else is shown."},
}

// collectedTypes are the types of a field to collect.
var collectedTypes = append(slices.Clone(fieldTypes), tool.Word{Name: "attachment", Doc: "A file, see `category` and what stands beside it."})

// piiTypes are the kinds of personal data.
var piiTypes = words("email", "phone", "ssn", "credit_card", "address", "name", "custom")

// gatherFields are the keys of a field to collect.
var gatherFields = slices.Concat([]tool.Field{
	{Name: "prompt", Type: tool.String, Required: true, Doc: "What to ask the user."},
	{Name: "type", Type: tool.WordType, Values: collectedTypes, Pattern: genericType, Default: "string", Doc: "The type of the value."},
	{Name: "required", Type: tool.BooleanType, Default: "true", Doc: "Whether the agent asks until it has the value."},
	{Name: "default", Type: tool.AnyType, Doc: "The value where the user gives none."},
	{Name: "description", Type: tool.String, Doc: "What the field means, to the model."},
	{Name: "message_key", Type: tool.String, Ref: tool.RefMessage, Doc: "A text of `MESSAGES` that is asked instead of the prompt."},
	{Name: "entity_ref", Type: tool.String, Ref: tool.RefEntity, Doc: "An entity that gives type and options."},
	{Name: "options", Type: tool.ListType, Doc: "The values that the user may choose from."},
	{Name: "validate", Synonyms: []string{"validation"}, Type: tool.Block, OneLine: true, Fields: []tool.Field{
		{Name: "type", Type: tool.String, Doc: "The kind of rule."},
		{Name: "rule", Type: tool.String, Doc: "What the value must fit."},
		{Name: "error", Type: tool.String, Doc: "What to say where it does not."},
		{Name: "max_retries", Type: tool.NumberType, Doc: "How often to ask again."},
	}, Doc: "What the value must fit: `min(n)`, `max(n)`, `enum(a, b)`, `email()`, `pattern(regex)`, or plain words."},
	{Name: "validation_process", Type: tool.WordType, Values: []tool.Word{
		{Name: "REGEX", Doc: "By a regular expression."}, {Name: "CODE", Doc: "By code."}, {Name: "LLM", Doc: "By the model."},
	}, Doc: "What checks the value."},
	{Name: "retry_prompt", Type: tool.String, Doc: "What to ask after a value that does not fit."},
	{Name: "max_retries", Type: tool.NumberType, Doc: "How often to ask again."},
	{Name: "infer", Type: tool.BooleanType, Default: "false", Doc: "Whether the value may be concluded from the conversation."},
	{Name: "infer_confidence", Type: tool.NumberType, Default: "0.8", Doc: "How sure a conclusion must be."},
	{Name: "infer_confirm", Type: tool.BooleanType, Default: "true", Doc: "Whether the user confirms what was concluded."},
	{Name: "prompt_mode", Type: tool.WordType, Default: "ask", Values: []tool.Word{
		{Name: "ask", Doc: "The agent asks for the value."}, {Name: "extract_only", Doc: "The value is taken where the user gives it, and never asked for."},
	}, Doc: "Whether the agent asks."},
	{Name: "range", Type: tool.BooleanType, Default: "false", Doc: "Whether the value may be a range."},
	{Name: "list", Type: tool.BooleanType, Default: "false", Doc: "Whether there may be several values."},
	{Name: "preferences", Type: tool.BooleanType, Default: "false", Doc: "Whether wishes count as values, too."},
	{Name: "transient", Type: tool.BooleanType, Default: "false", Doc: "Whether the value is forgotten after its use."},
	{Name: "sensitive", Type: tool.BooleanType, Default: "false", Doc: "Whether the value is hidden where it is shown or logged."},
	{Name: "activation", Type: tool.Block, OneLine: true, Values: []tool.Word{
		{Name: "required", Doc: "Always collected."}, {Name: "optional", Doc: "Collected where the user offers it."}, {Name: "progressive", Doc: "Collected when it is needed."},
	}, Fields: []tool.Field{
		{Name: "WHEN", Type: tool.Expr, Doc: "The condition under which the field is collected."},
	}, Doc: "When the field is collected."},
	{Name: "depends_on", Type: tool.ListType, Ref: tool.RefField, Doc: "Fields that are collected before this one."},
	{Name: "satisfied_by", Type: tool.ListType, Values: []tool.Word{
		{Name: "user_input", Doc: "What the user says."}, {Name: "authoritative_tool", Doc: "A tool that `provides` the field."}, {Name: "system", Doc: "The platform."},
	}, Doc: "Where the value may come from."},
	{Name: "sensitive_display", Type: tool.WordType, Values: displayWords, Doc: "How a sensitive value is shown."},
	{Name: "mask_config", Type: tool.Block, Fields: maskFields, Doc: "Which part of a masked value stays readable."},
	{Name: "pii_type", Type: tool.WordType, Values: piiTypes, Doc: "The kind of personal data."},
	{Name: "pii_pattern_ref", Type: tool.String, Doc: "A pattern of the project that tells personal data, by its name."},
	{Name: "extraction_pattern", Type: tool.String, Doc: "A regular expression that finds the value."},
	{Name: "extraction_group", Type: tool.NumberType, Default: "0", Doc: "The group of the pattern that is the value."},
	{Name: "extraction_hints", Type: tool.ListType, Doc: "What helps the model to find the value."},
	strategyField,
	{Name: "semantics", Type: tool.Block, Fields: semanticFields, Doc: "What the value means beyond its type."},
	{Name: "category", Type: tool.WordType, Values: fileCategories, Doc: "The kind of file, with `type: attachment`."},
	{Name: "allowed_mime_types", Type: tool.ListType, Doc: "The types of files, such as `application/pdf`, with `type: attachment`."},
	{Name: "max_file_size", Type: tool.AnyType, Doc: "The largest file, with `type: attachment`."},
	{Name: "processing", Type: tool.AnyType, Doc: "What happens with the file, with `type: attachment`."},
}, promptCompanions())

// promptCompanions returns what may come with a prompt.
func promptCompanions() []tool.Field {
	var fields []tool.Field
	for _, field := range respondSiblings(answerVoice) {
		if field.Name != "MESSAGE_KEY" {
			field.Name = strings.ToLower(field.Name)
			fields = append(fields, field)
		}
	}
	return fields
}

var semanticFields = []tool.Field{
	{Name: "format", Type: tool.String, Doc: "The form that the value is brought into."},
	{Name: "components", Type: tool.ListType, Doc: "The parts of the value."},
	{Name: "unit", Type: tool.String, Doc: "The unit that the value is measured in."},
	{Name: "lookup", Type: tool.String, Ref: tool.RefLookup, Doc: "A look-up table that knows the values."},
	{Name: "convert_to", Type: tool.String, Doc: "The unit that the value is converted to."},
	{Name: "locale", Type: tool.String, Doc: "The locale by which the value is read."},
	{Name: "temporal", Type: tool.WordType, Values: []tool.Word{
		{Name: "future", Doc: "Times lie ahead."}, {Name: "past", Doc: "Times lie behind."}, {Name: "any", Doc: "Either."},
	}, Doc: "Where an unclear time lies."},
	{Name: "enum_set", Type: tool.ListType, Doc: "The values that are known."},
	{Name: "kore_entity_type", Type: tool.String, Doc: "The platform's own type of entity."},
}

// optionalFields returns gatherFields without required keys: in a step and in a profile they may be
// left out.
func optionalFields() []tool.Field {
	fields := slices.Clone(gatherFields)
	for i := range fields {
		fields[i].Required = false
	}
	return fields
}

// gatherSection is GATHER of an agent: a block for each field, or a list of them
// as in a step.
func gatherSection() []tool.Field {
	gather := gatherOf(gatherFields, strategyField)
	gather.Doc = "The information to collect, a block for each field."
	return []tool.Field{gather}
}

// stepGather is GATHER in a step.
func stepGather() tool.Field {
	strategy := strategyField
	strategy.Name = "STRATEGY"
	return gatherOf(optionalFields(), strategy)
}

// gatherOf returns a list of fields with those keys, by itself or as `FIELDS` with a strategy for
// all of them.
func gatherOf(fields []tool.Field, strategy tool.Field) tool.Field {
	list := tool.Field{Name: "FIELDS", Type: tool.BlockList, Named: true, Open: true, OneLine: true, Items: fields,
		Each: &tool.Field{Type: tool.Block, OneLine: true, Keyed: true, Fields: fields},
		Values: []tool.Word{
			{Name: "required", Doc: "The step asks until it has the value."}, {Name: "optional", Doc: "The step takes the value where the user gives it."},
		}, Doc: "The fields, one an item: `- name`, or `- name: required`, with their properties below."}
	gather := list
	gather.Name, gather.Doc = "GATHER", "The fields that the step collects, one an item: `- name`, or `- name: required`, with their properties below."
	gather.Fields = []tool.Field{
		list, strategy,
		{Name: "PROMPT", Type: tool.String, Doc: "What to ask for all fields together."},
		{Name: "MESSAGE_KEY", Type: tool.String, Ref: tool.RefMessage, Doc: "A text of `MESSAGES` that is asked instead of the prompt."},
	}
	return gather
}
