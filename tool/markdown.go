package tool

import (
	"fmt"
	"strings"
)

// MarkdownTable renders rows for the docs, one line each. Undocumented rows
// are left out.
func MarkdownTable(fields []Field) string {
	var b strings.Builder
	b.WriteString("| property | type | required | default | meaning | edition |\n|---|---|---|---|---|---|\n")
	for _, f := range fields {
		if !f.Undocumented {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s |\n",
				f.Name, f.Shape(), yesNo(f.Required), f.Default, cell(f.Doc), f.Edition)
		}
	}
	return b.String()
}

// Shape returns the type as the docs show it: the words of a closed set, else the name of the type.
func (f Field) Shape() string {
	if len(f.Values) == 0 {
		return f.Type.String()
	}
	quote := func(w Word) string { return "`" + w.Name + "`" }
	words := join(f.Values, quote)
	if f.Type == ListType {
		return "list of " + words
	}
	return words
}

func yesNo(v bool) string {
	if v {
		return "yes"
	}
	return "no"
}

// cell escapes a text for a table cell.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
