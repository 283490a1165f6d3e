package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/expression"
)

// functionTables returns the tables of the functions of expressions, one for each group.
func functionTables() string {
	var b strings.Builder
	group := ""
	for _, f := range slices.Concat(expression.Functions(), expression.Helpers()) {
		if f.Group != group {
			group = f.Group
			fmt.Fprintf(&b, "\n### %s\n\n| function | gives | after `abl.` | |\n|---|---|---|---|\n", strings.ToUpper(group[:1])+group[1:])
		}
		name, lower := f.Name, ""
		switch {
		case f.Name == strings.ToLower(f.Name): // exists there alone
			name, lower = expression.Prefix+f.Name, "only"
		case f.Prefixed:
			lower = inlineCode(strings.ToLower(f.Name))
		}
		fmt.Fprintf(&b, "| `%s(%s)` | %s | %s | %s |\n", name, strings.Join(f.Params, ", "), f.Returns, lower, f.Doc)
	}
	return b.String() + "\n"
}
