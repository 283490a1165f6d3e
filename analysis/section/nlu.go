package section

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/tool"
)

var intentFields = []tool.Field{
	{Name: "NAME", Type: tool.String, Doc: "The intent's name."},
	{Name: "PATTERNS", Type: tool.ListType, Doc: "Regular expressions that tell it."},
	{Name: "EXAMPLES", Type: tool.ListType, Doc: "Sentences that mean it."},
	{Name: "EXAMPLES_FILE", Type: tool.String, Files: []string{""}, Doc: "A file with such sentences."},
	{Name: "ENTITIES", Type: tool.ListType, Ref: tool.RefEntity, Doc: "Entities that come with it."},
}

var entityFields = []tool.Field{
	{Name: "TYPE", Type: tool.WordType, Values: fieldTypes, Pattern: genericType, Doc: "The type of the value."},
	{Name: "VALUES", Type: tool.ListType, Doc: "The values that are known."},
	{Name: "SYNONYMS", Type: tool.MapType, Each: &tool.Field{Type: tool.ListType}, Doc: "Other words for a value: a list for each."},
	{Name: "PATTERN", Type: tool.String, Doc: "A regular expression that the value fits."},
	{Name: "VALIDATION", Type: tool.AnyType, Doc: "What the value must fit."},
	{Name: "SENSITIVE", Type: tool.BooleanType, Doc: "Whether the value is hidden where it is shown or logged."},
}

// declaredEntityFields are the keys of an entity in ENTITIES, which has more than those in
// NLU.
var declaredEntityFields = slices.Concat(entityFields, []tool.Field{
	{Name: "SENSITIVE_DISPLAY", Type: tool.WordType, Values: displayWords, Doc: "How a sensitive value is shown."},
	{Name: "MASK_CONFIG", Type: tool.Block, Fields: maskFields, Doc: "Which part of a masked value stays readable."},
	{Name: "PII_TYPE", Type: tool.WordType, Values: piiTypes, Doc: "The kind of personal data."},
	{Name: "DESCRIPTION", Type: tool.String, Doc: "What the entity means, to the model."},
	{Name: "EXTRACTION_HINTS", Type: tool.ListType, Doc: "What helps the model to find the value."},
})

func nluEntityFields() []tool.Field {
	fields := append([]tool.Field{{Name: "NAME", Type: tool.String, Doc: "The entity's name."}}, entityFields...)
	fields[1].Values, fields[1].Pattern = words("enum", "pattern", "location", "date", "number", "free_text"), nil
	return fields
}

var lexicalField = tool.Field{Name: "LEXICAL_FALLBACK", Type: tool.WordType, Values: []tool.Word{
	{Name: "never", Doc: "Words alone never decide."}, {Name: "when_unavailable", Doc: "Words decide where the model does not answer."}, {Name: "always", Doc: "Words decide wherever the model does not."},
}, Doc: "Whether plain words may decide which intent is meant."}

// nluFields are the sections about what the agent recognises.
var nluFields = []tool.Field{
	{Name: "NLU", Type: tool.Block, Doc: "What the agent recognises.", Fields: []tool.Field{
		listOrMap("intents", intentFields, "Intents with their patterns and examples."),
		listOrMap("categories", intentFields[:2], "Categories of messages with their patterns."),
		listOrMap("entities", nluEntityFields(), "Entities with their values."),
		{Name: "embeddings", Type: tool.AnyType, Doc: "How sentences are compared."},
		{Name: "languages", Type: tool.ListType, Doc: "Languages that the agent understands."},
		{Name: "default_language", Type: tool.String, Doc: "The language where none is recognised."},
		{Name: "allow_code_switching", Type: tool.BooleanType, Doc: "Whether the user may mix languages."},
		{Name: "language_models", Type: tool.AnyType, Doc: "Models by language."},
		{Name: "models", Type: tool.AnyType, Doc: "Models by task."},
		{Name: "evaluation", Type: tool.AnyType, Doc: "How recognition is tested."},
		{Name: "glossary", Type: tool.ListType, Doc: "Words that the agent must know."},
		{Name: "config_file", Type: tool.String, Files: []string{""}, Doc: "A file with all of this."},
	}},
	{Name: "ENTITIES", Type: tool.Block, Open: true, Each: &tool.Field{Type: tool.Block, OneLine: true, Fields: declaredEntityFields}, Doc: "Entities by name."},
	{Name: "INTENTS", Type: tool.Block, OneLine: true, Open: true, Fields: []tool.Field{lexicalField},
		Each: &tool.Field{Type: tool.Block, OneLine: true, Lax: true, Fields: []tool.Field{lexicalField}},
		Doc:  "Intents by name, with an optional description."},
	{Name: "MULTI_INTENT", Type: tool.Block, Doc: "What happens where one message asks for several things.", Fields: []tool.Field{
		{Name: "enabled", Type: tool.BooleanType, Doc: "Whether several intents in one message are told apart."},
		{Name: "strategy", Type: tool.WordType, Values: multiStrategies, Doc: "What happens with them."},
		{Name: "unknown_relationship_strategy", Type: tool.WordType, Default: "parallel", Values: multiStrategies[1:4], Doc: "What happens where nobody knows how they belong together."},
		{Name: "max_intents", Type: tool.NumberType, Default: "3", Range: &tool.Range{Min: 1, Max: 10}, Doc: "Most intents of one message, from 1 to 10."},
		{Name: "confidence_threshold", Type: tool.NumberType, Default: "0.6", Range: &tool.Range{Min: 0, Max: 1}, Doc: "How sure an intent must be, from 0 to 1."},
		{Name: "queue_max_age_ms", Type: tool.NumberType, Default: "600000", Range: &tool.Range{Min: 0, Max: 3600000}, Doc: "Milliseconds that an intent waits at most, up to an hour."},
		{Name: "advance_on_primary_response", Type: tool.BooleanType, Default: "true", Doc: "Whether the next intent begins with the answer to the first."},
	}},
}

var multiStrategies = []tool.Word{
	{Name: "primary_queue", Doc: "The main one first; the others wait."}, {Name: "sequential", Doc: "One after the other."},
	{Name: "parallel", Doc: "All at once."}, {Name: "disambiguate", Doc: "The user is asked."}, {Name: "auto", Doc: "The platform chooses."},
}

// listOrMap returns a list of blocks, for which a map of them may be.
func listOrMap(name string, fields []tool.Field, doc string) tool.Field {
	return tool.Field{Name: name, Type: tool.BlockList, Open: true, OneLine: true, Items: fields,
		Each: &tool.Field{Type: tool.Block, OneLine: true, Fields: fields}, Doc: doc}
}
