package corail

import (
	"maps"
	"slices"
	"sync"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/dialect/schema"
	"github.com/abl-lsp/abl-lsp/tool"
)

// toolTypes are the types of tools.
var toolTypes = []string{"http", "cli", "mcp", "builtin"}

// parameterRows are the keys of a parameter.
var parameterRows = []tool.Field{
	{Name: "name", Type: tool.String, Required: true, Ref: tool.RefParameter, Declares: true, Doc: "What the parameter is called."},
	{Name: "type", Type: tool.WordType, Values: schema.Types(), Default: "string", Doc: "The type of its value."},
	{Name: "description", Type: tool.String, Doc: "What the model reads of the parameter."},
	{Name: "required", Type: tool.BooleanType, Default: "true", Doc: "Whether a call must give it."},
	{Name: "default", Type: tool.AnyType, Doc: "The value where a call gives none."},
	{Name: "enum", Type: tool.ListType, Doc: "The values that there are."},
}

// specRow returns the row of a tool in one of the two forms. It has ABL's properties in the form's
// spelling; it also accepts properties that the form does not have.
func specRow(in form) tool.Field {
	row := tool.Field{Name: "spec", Type: tool.Block, By: "type", Doc: "What the tool is.", Fields: []tool.Field{
		{Name: "name", Type: tool.String, Required: true, Ref: tool.RefForeignTool, Declares: true, Doc: "What the tool is called."},
		{Name: "type", Type: tool.WordType, Values: in.types, Required: true, Doc: "What runs the tool."},
		{Name: "parameters", Type: tool.BlockList, Fields: parameterRows, Doc: "What a call gives."},
		{Name: "timeout", Type: tool.NumberType, Default: "30", Doc: "Seconds that a call may take."},
		{Name: "mcpEndpoint", Type: tool.String, With: []string{"mcp"}, Needs: []string{"mcp"}, Doc: "Where the MCP server is that has the tool."},
	}}
	for _, f := range tool.CommonFields() {
		row.Fields = in.addRow(row.Fields, f, "")
	}
	for _, kind := range toolTypes {
		for _, f := range tool.Fields(tool.Kind(kind)) {
			row.Fields = in.addRow(row.Fields, f, kind)
		}
	}
	return row
}

// addRow adds the row of one of ABL's properties. kind is the kind of tool that has it, or "" for
// all.
func (in form) addRow(rows []tool.Field, f tool.Field, kind string) []tool.Field {
	if other := foreign.CamelCase(f.Name); other != f.Name {
		f.Synonyms = []string{f.Name, other}
	}
	f.Synonyms = append(f.Synonyms, otherNames[f.Name]...)
	f.Undocumented = f.Undocumented || !slices.Contains(in.knownKeys, f.Name)
	f.Required = f.Required && f.Name != "server" // or `mcpEndpoint` says where it is
	f.Name, f.Edition = in.spell(f.Name), tool.Seed
	return foreign.AddRow(rows, f, kind)
}

// otherNames maps properties to the further names that Corail's classes give them.
var otherNames = map[string][]string{"endpoint": {"url"}}

func kindWords() []tool.Word {
	var words []tool.Word
	for _, w := range tool.Kinds() {
		if slices.Contains(toolTypes, w.Name) {
			words = append(words, tool.Word{Name: w.Name, Doc: w.Doc})
		}
	}
	return words
}

func builtinWords() []tool.Word {
	var words []tool.Word
	for _, name := range slices.Sorted(maps.Keys(builtinReturns)) {
		words = append(words, tool.Word{Name: name, Doc: builtinDoc(name)})
	}
	return words
}

// agentWords returns the builtins under the names that agents use, which are those of resources.
func agentWords() []tool.Word {
	words := builtinWords()
	for i := range words {
		words[i].Name = resourceName(words[i].Name)
	}
	return words
}

func agentSpec() tool.Field {
	return tool.Field{Name: "spec", Type: tool.Block, Open: true, Doc: "What the agent is.", Fields: []tool.Field{
		{Name: "name", Type: tool.String, Doc: "What the agent is called."},
		{Name: "framework", Type: tool.String, Doc: "What runs it, such as `adk`."},
		{Name: "strategy", Type: tool.String, Doc: "How it thinks, such as `agent-react`."},
		{Name: "modelType", Type: tool.String, Doc: "Who has the model."},
		{Name: "modelId", Type: tool.String, Doc: "The model."},
		{Name: "systemPrompt", Type: tool.String, Doc: "What the model is told first."},
		{Name: "tools", Type: tool.ListType, Ref: tool.RefResource, Values: agentWords(), Doc: "The tools that it has: the `metadata.name` of their resources."},
	}}
}

// The schemas of documents. They are made on first use.
var (
	toolSpec = sync.OnceValue(func() *tool.Field { row := specRow(resourceForm()); return &row })
	toolRow  = sync.OnceValue(func() *tool.Field { return resourceRow("A tool.", *toolSpec(), true) })
	agentRow = sync.OnceValue(func() *tool.Field { return resourceRow("An agent.", agentSpec(), false) })
	listRow  = sync.OnceValue(func() *tool.Field {
		return &tool.Field{Name: "CORAIL_TOOLS", Type: tool.BlockList, By: "type", Fields: specRow(entryForm()).Fields, Doc: "The tools of an agent, as Récif's operator writes them."}
	})
)

// resourceRow returns the row of a resource. isTool says that agents refer to its name.
func resourceRow(doc string, spec tool.Field, isTool bool) *tool.Field {
	name := tool.Field{Name: "name", Type: tool.String, Required: true, Doc: "What the resource is called."}
	if isTool {
		name.Ref, name.Declares = tool.RefResource, true
	}
	return &tool.Field{Name: "resource", Type: tool.Block, Doc: doc, Fields: []tool.Field{
		{Name: "apiVersion", Type: tool.WordType, Required: true, Values: []tool.Word{{Name: "agents.recif.dev/v1", Doc: "Récif's resources."}}, Doc: "Whose resource it is."},
		{Name: "kind", Type: tool.WordType, Required: true, Values: []tool.Word{{Name: "Tool", Doc: "A tool."}, {Name: "Agent", Doc: "An agent, with the tools that it has."}}, Doc: "What the resource is."},
		{Name: "metadata", Type: tool.Block, Open: true, Required: true, Doc: "What the cluster knows it by.", Fields: []tool.Field{
			name,
			{Name: "namespace", Type: tool.String, Doc: "The namespace that it is in."},
			{Name: "labels", Type: tool.MapType, Doc: "Words by which it is found."},
			{Name: "annotations", Type: tool.MapType, Doc: "Notes of other programs."},
		}},
		spec,
	}}
}

// rowOf returns the row of a document, or nil if it is no resource.
func rowOf(root foreign.Node) *tool.Field {
	switch {
	case !IsResource(root):
		return nil
	case root.Get("kind").Text == "Agent":
		return agentRow()
	}
	return toolRow()
}
