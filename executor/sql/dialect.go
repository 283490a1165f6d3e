package sql

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/tool/sqltext"
)

// The kinds of sources.
const (
	kindSQLite   = "sqlite"
	kindPostgres = "postgres"
	kindMySQL    = "mysql"
)

// dialect is how the text of one database's statements is read.
type dialect struct {
	name      string   // as its makers write it
	quotes    string   // what opens quoted text, besides '
	backslash bool     // it escapes inside ' and "
	ansi      bool     // " quotes names, in MySQL, where nothing escapes
	dollar    bool     // $tag$ … $tag$ is quoted, and $1 is a parameter
	nested    bool     // comments nest
	hash      bool     // # begins a comment, and -- only with a space behind it
	marks     bool     // ? is a parameter
	named     bool     // so are ?1, $1, :name, @name and $name
	escapes   []string // the words of `escape` that it knows
}

var dialects = map[string]*dialect{
	kindSQLite: {
		name: "SQLite", quotes: "\"`[", marks: true, named: true,
		escapes: sqltext.EscapeWords(kindSQLite),
	},
	kindPostgres: {
		name: "PostgreSQL", quotes: `"`, dollar: true, nested: true,
		escapes: sqltext.EscapeWords(kindPostgres),
	},
	kindMySQL: {
		name: "MySQL", quotes: "\"`", backslash: true, hash: true, marks: true,
		escapes: sqltext.EscapeWords(kindMySQL),
	},
}

// The words of MySQL's sql_mode by which statements are read otherwise.
var (
	plainModes = []string{"NO_BACKSLASH_ESCAPES"}
	ansiModes  = []string{"ANSI_QUOTES", "ANSI", "DB2", "MAXDB", "MSSQL", "ORACLE", "POSTGRESQL"}
)

// under is the dialect where MySQL's sql_mode is that.
func (d *dialect) under(mode string) *dialect {
	if mode == "" {
		return d
	}
	own := *d
	for w := range strings.SplitSeq(strings.ToUpper(strings.Trim(mode, "'")), ",") {
		w = strings.TrimSpace(w)
		own.backslash = own.backslash && !slices.Contains(plainModes, w)
		own.ansi = own.ansi || slices.Contains(ansiModes, w)
	}
	return &own
}

// readsAlike reports whether statements are read by one as by the other.
func (d *dialect) readsAlike(e *dialect) bool { return d.backslash == e.backslash && d.ansi == e.ansi }
