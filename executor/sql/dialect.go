package sql

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
		escapes: []string{"single-quotes", "double-quotes", "backticks", "square-brackets"},
	},
	kindPostgres: {
		name: "PostgreSQL", quotes: `"`, dollar: true, nested: true,
		escapes: []string{"single-quotes", "double-quotes"},
	},
	kindMySQL: {
		name: "MySQL", quotes: "\"`", backslash: true, hash: true, marks: true,
		escapes: []string{"single-quotes", "double-quotes", "backticks"},
	},
}
