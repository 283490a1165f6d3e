package section

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
)

var chunk = lazyregexp.New(`^\d+$|^chunk_size\b`)

// BuiltInGuardrails returns the names of the platform's own guardrails: a rule with such a name
// needs no check.
func BuiltInGuardrails() []string { return builtInGuardrails }

var builtInGuardrails = []string{
	"detect_instruction_override", "detect_role_manipulation", "detect_system_prompt_extraction", "detect_encoding_tricks", "detect_credential_leak",
}

// guardrailFields are the keys of a guardrail.
var guardrailFields = []tool.Field{
	{Name: "kind", Synonyms: []string{"type"}, Type: tool.WordType, Required: true, Values: []tool.Word{
		{Name: "input", Doc: "What the user says."}, {Name: "output", Doc: "What the agent says."}, {Name: "both", Doc: "Both of these."},
		{Name: "tool_input", Doc: "What any tool is given."}, {Name: "tool_output", Doc: "What any tool answers."}, {Name: "handoff", Doc: "What another agent is given."},
	}, Doc: "What is checked."},
	{Name: "action", Type: tool.WordType, Required: true, Values: []tool.Word{
		{Name: "block", Doc: "Stops it."}, {Name: "warn", Doc: "Lets it pass, and says so."}, {Name: "redact", Doc: "Takes out what was found."},
		{Name: "escalate", Doc: "Hands over to a human."}, {Name: "fix", Doc: "Repairs it, see `fix_strategy`."},
		{Name: "reask", Doc: "Asks the model again."}, {Name: "filter", Doc: "Takes out what does not fit."},
	}, Doc: "What happens where the check finds something."},
	{Name: "check", Type: tool.Expr, Doc: "The condition, as a CEL expression."},
	{Name: "llm_check", Type: tool.String, Doc: "The question that a model decides."},
	{Name: "provider", Type: tool.String, Doc: "The service that checks."},
	{Name: "category", Type: tool.String, Doc: "What the service looks for."},
	{Name: "threshold", Type: tool.NumberType, Range: &tool.Range{Min: 0, Max: 1}, Doc: "How sure the service must be, from 0 to 1."},
	{Name: "message", Synonyms: []string{"msg"}, Type: tool.String, Doc: "What the user is told."},
	{Name: "priority", Type: tool.NumberType, Default: "100", Doc: "Where in the order of the guardrails it stands."},
	{Name: "severity_actions", Type: tool.MapType, Doc: "Actions by how bad it is."},
	{Name: "fix_strategy", Type: tool.WordType, Values: words("truncate", "strip_html", "redact_pii", "normalize", "custom"), Doc: "How `action: fix` repairs."},
	{Name: "fix_expression", Type: tool.Expr, Doc: "The repair of `fix_strategy: custom`."},
	{Name: "max_reasks", Type: tool.NumberType, Default: "2", Doc: "How often the model is asked again."},
	{Name: "filter_min_length", Type: tool.NumberType, Doc: "The shortest text that a filter leaves."},
	{Name: "streaming", Type: tool.BooleanType, Default: "false", Doc: "Whether answers are checked while they are written."},
	{Name: "streaming_interval", Type: tool.WordType, Values: words("token", "sentence", "chunk_size"), Pattern: chunk, Doc: "How often an answer is checked while it is written."},
}

// ruleFields returns the keys of a rule.
func ruleFields() []tool.Field {
	fail := outcome("ON_FAIL", "What happens where the rule does not hold: a text, `HANDOFF Agent`, `ESCALATE`, `BLOCK`, or a block of actions.")
	fail.Required, fail.Ref = true, tool.NoRef
	fail.Fields = withThen(fail.Fields)
	return []tool.Field{
		{Name: "REQUIRE", Type: tool.Expr, Undocumented: true, Doc: "The condition must hold."},
		{Name: "LIMIT", Type: tool.Expr, Undocumented: true, Doc: "The condition must hold."},
		{Name: "RESTRICT", Type: tool.Expr, Undocumented: true, Doc: "The condition must not hold."},
		{Name: "WARN", Type: tool.Expr, Undocumented: true, Doc: "The condition should hold."},
		{Name: "WHEN", Type: tool.Expr, Doc: "The condition under which the rule counts."},
		fail,
	}
}

// ruleSections returns the sections with rules.
func ruleSections() []tool.Field {
	rule := ruleFields()
	return []tool.Field{
		{Name: "CONSTRAINTS", Type: tool.Block, Open: true, Items: rule,
			Each: &tool.Field{Type: tool.BlockList, Open: true, OneLine: true, Repeats: true, Items: rule}, // labels are only labels
			Doc:  "Rules under labels: `- REQUIRE`, `- LIMIT`, `- RESTRICT` or `- WARN`, a condition, and `ON_FAIL` below."},
		{Name: "GUARDRAILS", Type: tool.Block, Open: true, Each: &tool.Field{Type: tool.Block, Fields: slices.Clip(guardrailFields)},
			Doc: "Checks of what goes in and out, a block for each."},
	}
}

// withThen are fields of actions for where a rule fails: THEN has two words there, besides what it
// has anywhere.
func withThen(fields []tool.Field) []tool.Field {
	fields = slices.Clone(fields)
	for i := range fields {
		if fields[i].Name == "THEN" {
			fields[i].Values = []tool.Word{{Name: "continue", Doc: "Goes on nevertheless."}, {Name: "retry", Doc: "Tries again."}}
		}
	}
	return fields
}
