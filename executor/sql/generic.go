package sql

import (
	"bytes"
	stdsql "database/sql"
)

// cellWriter writes the value of one column as database/sql returns it.
type cellWriter func(t *table, column int, v any, out *bytes.Buffer)

// collect reads the rows of a statement. If the statement only reads, it stops after the row limit
// and calls stop, which ends the statement.
func collect(rows *stdsql.Rows, q query, write cellWriter, stop func()) (statementResult, error) {
	columns, err := rows.Columns()
	if err != nil {
		return statementResult{}, err
	}
	t := newTable(columns, q)
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return statementResult{}, err
		}
		enough := t.full() && q.readOnly
		if err := t.row(func(i int, out *bytes.Buffer) { write(t, i, values[i], out) }); err != nil {
			stop()
			return statementResult{}, err
		}
		if enough {
			stop()
			return t.answer(false), nil
		}
	}
	if err := rows.Err(); err != nil {
		return statementResult{}, err
	}
	return t.answer(true), nil
}
