package tool

import (
	"encoding/json"

	"github.com/abl-lsp/abl-lsp/tool/sqltext"
)

// KindSQL is the kind of [SQL].
const KindSQL Kind = "sql"

// SQL is the binding of `type: sql`: one statement on a database.
type SQL struct {
	Source             string          `json:"source,omitempty"` // a name in the sources of abl.yaml
	Statement          string          `json:"statement,omitempty"`
	TemplateParameters json.RawMessage `json:"template_parameters,omitempty"` // by name, as written; see Templates
}

// Kind returns KindSQL.
func (*SQL) Kind() Kind { return KindSQL }

func (s *SQL) summary(func(string) string) string {
	return spaced("sql", s.Source, OneLine(s.Statement, maxStatement))
}

func (s *SQL) mutates() bool { return !sqltext.OnlyReads(s.Statement) }

var sqlBinding = binding{
	kind:    KindSQL,
	order:   9,
	doc:     "One SQL statement on a database of `abl.yaml`.",
	edition: Extension,
	spec:    func() Spec { return new(SQL) },
	fields: []Field{
		{Name: "source", Type: String, Required: true, Ref: RefSource, Edition: Extension, Doc: "The database's name in the `sources` of `abl.yaml`."},
		{Name: "statement", Type: CodeType, Required: true, Edition: Extension,
			Doc: "The statement. Parameters are bound, never pasted into it."},
		{Name: "template_parameters", Type: Block, Open: true, Each: &Field{Type: Block, Fields: templateFields}, Edition: Extension,
			Doc: "Parameters that are pasted into the statement as they are, such as a table's name. Prefer bound ones."},
	},
}

var templateFields = append([]Field{
	{Name: "type", Type: TypeType, Required: true, Edition: Extension, Doc: "`string`, `integer`, `float`, `boolean`, or an array of strings."},
	{Name: "description", Type: String, Edition: Extension, Doc: "What the model reads about it."},
}, pick(paramFields, "required", "default", "allowed_values", "excluded_values", "min_value", "max_value", "escape", "auth_services")...)
