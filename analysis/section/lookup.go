package section

import (
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
)

var fileCategories = words("document", "image", "audio", "video")

var oldSource = lazyregexp.New(`(?i)^(mongodb|http)$`)

// lookupFields are the sections about what the agent looks up, takes and sends.
var lookupFields = []tool.Field{
	{Name: "LOOKUP_TABLES", Type: tool.Block, Open: true, Each: &tool.Field{Type: tool.Block, OneLine: true, Short: true, Fields: []tool.Field{
		{Name: "source", Type: tool.WordType, Refused: true, Values: []tool.Word{
			{Name: "inline", Doc: "The table stands here."}, {Name: "collection", Doc: "A table of the project."}, {Name: "api", Doc: "An endpoint answers."},
		}, Pattern: oldSource, Doc: "Where the table is."},
		{Name: "values", Type: tool.ListType, Doc: "The values, where there is nothing to look up but whether they are known."},
		{Name: "map", Type: tool.MapType, Doc: "The values by key."},
		{Name: "table_name", Aliases: []string{"collection"}, Type: tool.String, Refused: true, Pattern: slug, Form: slugForm, Doc: "The project's table."},
		{Name: "endpoint", Type: tool.String, Doc: "The URL that answers."},
		{Name: "field", Type: tool.String, Refused: true, Pattern: fieldPath, Form: fieldPathForm, Doc: "The field that is looked up."},
		{Name: "headers", Type: tool.MapType, Doc: "Headers to send."},
		{Name: "timeout_ms", Type: tool.NumberType, Signed: true, Default: "5000", Doc: "Milliseconds that an answer may take."},
		{Name: "case_sensitive", Type: tool.BooleanType, Doc: "Whether upper and lower case differ."},
		{Name: "fuzzy_match", Type: tool.BooleanType, Doc: "Whether a similar key counts."},
		{Name: "fuzzy_threshold", Type: tool.NumberType, Default: "0.85", Doc: "How similar it must be."},
	}}, Doc: "Tables to look values up in: inline, of the project, or behind an API."},
	{Name: "ATTACHMENTS", Type: tool.Block, Open: true, Each: &tool.Field{Type: tool.Block, Fields: []tool.Field{
		{Name: "prompt", Type: tool.String, Required: true, Doc: "What to ask the user."},
		{Name: "category", Type: tool.WordType, Values: fileCategories, Doc: "The kind of file."},
		{Name: "required", Type: tool.BooleanType, Default: "true", Doc: "Whether the agent asks until it has the file."},
		{Name: "max_file_size_mb", Aliases: []string{"max_size_mb"}, Type: tool.NumberType, Doc: "The largest file, in megabytes."},
		{Name: "allowed_types", Type: tool.ListType, Doc: "The types of files, such as `application/pdf`."},
		{Name: "ocr_enabled", Type: tool.BooleanType, Doc: "Whether text is read from pictures."},
		{Name: "transcription_enabled", Aliases: []string{"transcription"}, Type: tool.BooleanType, Doc: "Whether speech is written down."},
		{Name: "key_frame_extraction", Type: tool.BooleanType, Doc: "Whether pictures are taken out of a video."},
	}}, Doc: "Files to ask for, a block for each."},
	{Name: "DESTINATIONS", Type: tool.Block, Open: true, Each: &tool.Field{Type: tool.Block, Fields: []tool.Field{
		{Name: "url", Type: tool.String, Required: true, Refused: true, Doc: "Where to send to."},
		{Name: "method", Type: tool.String, Doc: "The HTTP method."},
		{Name: "auth", Type: tool.String, Doc: "How the request authenticates."},
		{Name: "headers", Type: tool.MapType, Doc: "Headers to send."},
	}}, Doc: "Places to send to, a block for each."},
}

// otherFields are CONVERSATION, and the sections whose keys are unpublished.
var otherFields = []tool.Field{
	conversationField,
	{Name: "TRANSFER_FLOW_POLICIES", Type: tool.AnyType, Doc: "Policies for transfers to a human."},
	{Name: "TESTS", Type: tool.AnyType, Doc: "Reserved."},
	{Name: "POLICIES", Type: tool.AnyType, Doc: "Policies that hold for all of the agents."},
}
