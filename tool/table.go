package tool

import "slices"

// KindTable is the kind of [Table].
const KindTable Kind = "table"

// Table is the binding of `type: table`: a table of the platform.
type Table struct {
	Table         string   `json:"table,omitempty"` // its slug
	Scope         string   `json:"scope,omitempty"` // project, end_user, session
	Operations    []string `json:"operations,omitempty"`
	Tables        []string `json:"tables,omitempty"`
	QueryTemplate string   `json:"query_template,omitempty"`
}

// Kind returns KindTable.
func (*Table) Kind() Kind { return KindTable }

// mutates is false if only reading operations are allowed, which is the default.
func (t *Table) mutates() bool {
	return slices.ContainsFunc(t.Operations, func(op string) bool {
		return !slices.Contains([]string{"get", "query", "count"}, op)
	})
}

var tableBinding = binding{
	kind:    KindTable,
	order:   8,
	doc:     "A table of the platform.",
	edition: Later,
	spec:    func() Spec { return new(Table) },
	fields: []Field{
		{Name: "table", Aliases: []string{"table_name"}, Type: String, Required: true, Edition: Later,
			Doc: "The table's slug: lower-case letters, digits and `_`."},
		{Name: "scope", Type: WordType, Edition: Later, Values: []Word{
			{Name: "project", Doc: "One table for the project.", Edition: Later},
			{Name: "end_user", Doc: "Rows of the user only.", Edition: Later},
			{Name: "session", Doc: "Rows of the session only.", Edition: Later},
		}, Doc: "Whose rows the tool sees."},
		{Name: "operations", Type: ListType, Values: tableOperations, Default: "[get, query, count]", Edition: Later,
			Doc: "What the tool may do."},
		{Name: "tables", Type: ListType, Edition: Later, Doc: "Further tables that a query may use, eight at most."},
		{Name: "query_template", Type: CodeType, Edition: Later, Doc: "One `SELECT`, `INSERT`, `UPDATE` or `DELETE`; `:name` stands for the parameter of that name."},
	},
}

var tableOperations = []Word{
	{Name: "get", Doc: "Reads one row.", Edition: Later},
	{Name: "query", Doc: "Reads rows.", Edition: Later},
	{Name: "count", Doc: "Counts rows.", Edition: Later},
	{Name: "insert", Doc: "Adds a row.", Edition: Later},
	{Name: "update", Doc: "Changes rows.", Edition: Later},
	{Name: "delete", Doc: "Removes rows.", Edition: Later},
	{Name: "upsert", Doc: "Adds or changes a row.", Edition: Later},
	{Name: "bulkInsert", Doc: "Adds many rows.", Edition: Later},
	{Name: "bulkUpsert", Doc: "Adds or changes many rows.", Edition: Later},
}
