package foreign

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/tool"
)

// Keys returns the names of the rows that a kind of tool uses.
func Keys(rows []tool.Field, kind string) []string {
	var keys []string
	for _, f := range rows {
		if f.IsUsedBy(kind) {
			keys = append(keys, f.Name)
		}
	}
	return keys
}

// AddRow returns rows with f, the row of a property of ABL. kind is the kind of tool that has the
// property, or "" for all. If there is such a row, it only gets the kind.
func AddRow(rows []tool.Field, f tool.Field, kind string) []tool.Field {
	if row := Row(rows, f.Name); row != nil {
		if kind != "" && row.With != nil {
			row.With = append(row.With, kind)
		}
		return rows
	}
	f.Ref = tool.NoRef
	if kind != "" {
		f.With = []string{kind}
		if f.Required {
			f.Required, f.Needs = false, []string{kind}
		}
	}
	return append(rows, f)
}

// Row returns a pointer to the row among rows with that name; nil if there is none.
func Row(rows []tool.Field, name string) *tool.Field {
	if i := slices.IndexFunc(rows, func(f tool.Field) bool { return f.Name == name }); i >= 0 {
		return &rows[i]
	}
	return nil
}
