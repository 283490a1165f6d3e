package sql

import (
	stdsql "database/sql"
	"slices"
	"strings"

	"modernc.org/sqlite"
)

// withoutTimeColumns rewrites a statement that changes something. In its RETURNING clause, expressions replace
// the columns that are declared as times; [sqliteDB.query] says why. If that is not possible, it
// returns the statement as it is.
func withoutTimeColumns(conn *stdsql.Conn, text string) string {
	columns := described(conn, text)
	if !slices.ContainsFunc(columns, isTimeColumn) {
		return text
	}
	before, items := returning(dialects[kindSQLite].lex(text))
	stars := 0
	for _, item := range items {
		if isStar(item) {
			stars++
		}
	}
	if stars > 1 || stars == 0 && len(items) != len(columns) || len(items)-stars > len(columns) {
		return text
	}
	var pieces []string
	for _, item := range items {
		if !isStar(item) {
			pieces = append(pieces, columnExpression(item, columns[len(pieces)]))
			continue
		}
		for range len(columns) - len(items) + 1 {
			c := columns[len(pieces)]
			pieces = append(pieces, columnExpression([]token{{word, quotedName(c.Name)}}, c))
		}
	}
	out := before + " " + strings.Join(pieces, "\n, ")
	same := func(a, b sqlite.ColumnInfo) bool { return a.Name == b.Name && !isTimeColumn(b) }
	if !slices.EqualFunc(columns, described(conn, out), same) {
		return text
	}
	return out
}

// described returns the columns of a statement without running it. It is empty if the statement is
// wrong.
func described(conn *stdsql.Conn, text string) (columns []sqlite.ColumnInfo) {
	_ = conn.Raw(func(c any) (err error) {
		columns, err = c.(interface {
			ColumnInfo(string) ([]sqlite.ColumnInfo, error)
		}).ColumnInfo(text)
		return err
	})
	return columns
}

func isTimeColumn(c sqlite.ColumnInfo) bool { return isTime(c.DeclType) }

// isTime reports whether the driver reads the texts of a column with this declared type as times.
func isTime(declared string) bool {
	return slices.Contains([]string{"DATE", "DATETIME", "TIMESTAMP"}, strings.ToUpper(declared))
}

// returning splits a statement: before ends with the word RETURNING, and items are the
// comma-separated items after it. items is empty if there is no such word.
func returning(tokens []token) (before string, items [][]token) {
	depth, start := 0, -1
	for i, t := range tokens {
		switch {
		case t.text == "(":
			depth++
		case t.text == ")":
			depth--
		case depth > 0:
		case t.shape == word && strings.EqualFold(t.text, "RETURNING"):
			start, items = i+1, [][]token{nil}
			continue
		case t.text == "," && start >= 0:
			items = append(items, nil)
			continue
		}
		if start >= 0 {
			items[len(items)-1] = append(items[len(items)-1], t)
		}
	}
	if start < 0 {
		return "", nil
	}
	return textOf(tokens[:start]), items
}

func isStar(item []token) bool { return strings.TrimSpace(textOf(item)) == "*" }

func textOf(tokens []token) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteString(t.text)
	}
	return b.String()
}

// columnExpression returns an item of RETURNING that keeps the name of its column. If the column is
// declared as a time, the item becomes an expression.
func columnExpression(item []token, c sqlite.ColumnInfo) string {
	if !isTimeColumn(c) {
		return textOf(item)
	}
	item = slices.DeleteFunc(slices.Clone(item), func(t token) bool { return t.shape == blank })
	text := "+"
	for _, t := range item {
		text += t.text + " "
	}
	if n := len(item); n < 2 || item[n-1].text == ")" || item[n-2].text == "." {
		text += "AS " + quotedName(c.Name)
	}
	return text
}

func quotedName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
