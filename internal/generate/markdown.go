package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/internal/operator"
	"github.com/abl-lsp/abl-lsp/internal/toolpages"
	"github.com/abl-lsp/abl-lsp/tool"
)

// The tables of a place of the page are between these lines.
const (
	tablesBegin = "<!-- What follows is written by make generate. -->\n"
	tablesEnd   = "<!-- What is above is written by make generate. -->\n"
)

// replaceTables returns the page with the tables of today in its places, one after the other.
func replaceTables(page string, tables []func() string) (string, error) {
	var b strings.Builder
	for _, table := range tables {
		before, rest, begins := strings.Cut(page, tablesBegin)
		_, after, ends := strings.Cut(rest, tablesEnd)
		if !begins || !ends {
			return "", errors.New("the page has no place for the tables")
		}
		b.WriteString(before + tablesBegin + table() + tablesEnd)
		page = after
	}
	return b.String() + page, nil
}

func operatorTables() string {
	var b strings.Builder
	writeTable(&b, "", operator.Field())
	return b.String()
}

func projectTables() string {
	var b strings.Builder
	writeTable(&b, "", projectfile.ProjectField())
	b.WriteString("\n## Keys of saved cases\n")
	cases := projectfile.CasesField().Each
	b.WriteString("\nThe keys at the left edge are names of tools, of one version as `name@version`; each has a list of cases.\n")
	writeRows(&b, cases)
	writeNestedTables(&b, "", cases.Fields)
	return b.String()
}

// writeTable writes the table of a map's keys, and the tables of the maps in it.
func writeTable(b *strings.Builder, path string, row *tool.Field) {
	if path != "" {
		b.WriteString("\n### `" + path + "`\n\n" + row.Doc + "\n")
	}
	writeRows(b, row)
	writeNestedTables(b, path, row.Fields)
}

func writeRows(b *strings.Builder, row *tool.Field) {
	kinds := 0
	if by := projectfile.KeyField(row, row.By); by != nil {
		kinds = len(by.Values)
	}
	b.WriteString("\n| key | value | default | |\n|---|---|---|---|\n")
	for i := range row.Fields {
		f := &row.Fields[i]
		b.WriteString("| `" + f.Name + "` | " + valueOf(f) + " | " + inlineCode(f.Default) + " | " + f.Doc + requirementOf(f, kinds) + " |\n")
	}
}

// writeNestedTables writes the tables of the keys whose values are maps. It leaves out
// environments, which have the keys of the file.
func writeNestedTables(b *strings.Builder, path string, fields []tool.Field) {
	for i := range fields {
		f := &fields[i]
		at := strings.TrimPrefix(path+"."+f.Name, ".")
		switch {
		case f.Name == projectfile.Environments:
		case f.Each != nil:
			writeTable(b, at+".NAME", f.Each)
		case len(f.Fields) > 0:
			writeTable(b, at, f)
		}
	}
}

// valueOf describes the values that a key takes.
func valueOf(f *tool.Field) string {
	if len(f.Values) > 0 {
		var names []string
		for _, w := range f.Values {
			names = append(names, inlineCode(w.Name))
		}
		list := strings.Join(names, ", ")
		if f.Type == tool.ListType {
			return "a list of " + list
		}
		return list
	}
	switch f.Type {
	case tool.Block, tool.MapType:
		if f.OneLine {
			return "a map or a text"
		}
		return "a map"
	case tool.BlockList:
		return "a list of maps"
	case tool.ListType:
		return "a list"
	case tool.NumberType:
		return "a number"
	case tool.BooleanType:
		return "`true` or `false`"
	case tool.Expr:
		return "an expression"
	case tool.AnyType:
		return "anything"
	}
	if f.Form != "" {
		return f.Form
	}
	return "a text"
}

// requirementOf says when a key is required and when it has no effect; kinds is the number of
// kinds of its map.
func requirementOf(f *tool.Field, kinds int) string {
	switch {
	case f.Required:
		return " Must be there."
	case len(f.With) == kinds && f.Needs != nil:
		return " Needed with " + joinNames(f.Needs) + "."
	case len(f.With) == kinds, f.With == nil:
		return ""
	case len(f.Needs) == len(f.With):
		return " Needed with " + joinNames(f.With) + ", and of use there only."
	case f.Needs == nil:
		return " Goes with " + joinNames(f.With) + "."
	}
	return " Goes with " + joinNames(f.With) + ", needed with " + joinNames(f.Needs) + "."
}

func joinNames(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }

func inlineCode(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}

// kindTable has a row for each kind of tool, in the order of the kinds. What it says is taken from
// the pages.
func kindTable(pages []toolpages.Page) string {
	var b strings.Builder
	b.WriteString("\n| `type` | runs |\n|---|---|\n")
	for _, kind := range tool.Kinds() {
		for _, p := range pages {
			if p.Kind == kind.Name {
				fmt.Fprintf(&b, "| [%s](%s.md) | %s |\n", p.Kind, p.Kind, p.InShort)
			}
		}
	}
	return b.String()
}

// toolTables returns the tables of properties of tools.
func toolTables(fields []tool.Field) string {
	var b strings.Builder
	propertyTables(&b, "", fields)
	return b.String()
}

// propertyTables writes the properties of a block, and of the blocks in it.
func propertyTables(b *strings.Builder, path string, fields []tool.Field) {
	if path != "" {
		b.WriteString("\n### `" + path + "`\n")
	}
	b.WriteString("\n" + tool.MarkdownTable(fields))
	for i := range fields {
		f := &fields[i]
		at := strings.TrimPrefix(path+"."+f.Name, ".")
		switch {
		case f.Undocumented:
		case f.Each != nil && len(f.Each.Fields) > 0:
			propertyTables(b, at+".NAME", f.Each.Fields)
		case len(f.Fields) > 0:
			propertyTables(b, at, f.Fields)
		}
	}
}
