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

// dialect describes how one database reads the text of statements.
type dialect struct {
	name           string   // for messages
	quotes         string   // the characters that open quoted text, besides '
	backslash      bool     // a backslash escapes inside ' and "
	ansiQuotes     bool     // in MySQL: " quotes names, in which nothing escapes
	dollarQuotes   bool     // $tag$ … $tag$ is quoted, and $1 is a parameter
	nestedComments bool     // comments nest
	hashComments   bool     // # begins a comment, and -- only before a space
	questionMarks  bool     // ? is a parameter
	namedMarks     bool     // so are ?1, $1, :name, @name and $name
	escapes        []string // the supported words of `escape`
}

var dialects = map[string]*dialect{
	kindSQLite: {
		name: "SQLite", quotes: "\"`[", questionMarks: true, namedMarks: true,
		escapes: sqltext.EscapeWords(kindSQLite),
	},
	kindPostgres: {
		name: "PostgreSQL", quotes: `"`, dollarQuotes: true, nestedComments: true,
		escapes: sqltext.EscapeWords(kindPostgres),
	},
	kindMySQL: {
		name: "MySQL", quotes: "\"`", backslash: true, hashComments: true, questionMarks: true,
		escapes: sqltext.EscapeWords(kindMySQL),
	},
}

// The words of MySQL's sql_mode that change how statements are read.
var (
	plainModes = []string{"NO_BACKSLASH_ESCAPES"}
	ansiModes  = []string{"ANSI_QUOTES", "ANSI", "DB2", "MAXDB", "MSSQL", "ORACLE", "POSTGRESQL"}
)

// withSQLMode returns the dialect of MySQL with an sql_mode. "" means the default mode.
func (d *dialect) withSQLMode(mode string) *dialect {
	if mode == "" {
		return d
	}
	own := *d
	for w := range strings.SplitSeq(strings.ToUpper(strings.Trim(mode, "'")), ",") {
		w = strings.TrimSpace(w)
		own.backslash = own.backslash && !slices.Contains(plainModes, w)
		own.ansiQuotes = own.ansiQuotes || slices.Contains(ansiModes, w)
	}
	return &own
}

// readsSameAs reports whether two dialects read every statement in the same way.
func (d *dialect) readsSameAs(e *dialect) bool {
	return d.backslash == e.backslash && d.ansiQuotes == e.ansiQuotes
}
