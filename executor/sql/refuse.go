package sql

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// checkStatement returns an error if a statement must not be given to the database. The error's kind says
// who wrote the statement: the author or the caller.
func (d *dialect) checkStatement(s statement) error {
	kind := executor.KindDefinition
	if s.isCallerWritten {
		kind = executor.KindArguments
	}
	tokens := d.lex(s.text)
	if d.hashComments && slices.ContainsFunc(tokens, isExecutable) {
		return executor.Errorf(kind, "comment", "%s: a comment that %s executes (/*! … */) is not run", s.place, d.name)
	}
	tokens = slices.DeleteFunc(tokens, func(t token) bool { return t.shape == blank })
	words := wordsOf(tokens)
	switch {
	case len(words) == 0:
		return executor.Errorf(kind, "empty", "%s: there is no SQL in it", s.place)
	case strings.Contains(s.text, "\x00"):
		return executor.Errorf(kind, "statement", "%s: it has a NUL character", s.place)
	case d.hasSeveralStatements(tokens):
		return executor.Errorf(kind, "several-statements", "%s: a tool runs one statement, and there are several", s.place).
			WithHint("A semicolon may only stand at the end, or within CREATE TRIGGER … END.")
	}
	if i := slices.IndexFunc(tokens, func(t token) bool { return t.shape == mark }); s.isCallerWritten && i >= 0 && !d.dollarQuotes { // PostgreSQL reports it itself
		return executor.Errorf(kind, "placeholder", "%s: %s stands for a value that is bound, and here none is", s.place, tokens[i].text).
			WithHint("Write the value itself.")
	}
	calls := d.calledNames(tokens)
	for _, r := range refusals {
		if r.matches(d, words) || r.isCalled(d, calls) {
			return executor.Errorf(kind, "refused-statement", "%s: %s is not run: %s", s.place, r.kind, r.why)
		}
	}
	return nil
}

func isExecutable(t token) bool {
	return t.shape == blank && (strings.HasPrefix(t.text, "/*!") || strings.HasPrefix(t.text, "/*M!"))
}

// hasSeveralStatements reports whether something follows the semicolon that ends the first statement.
func (d *dialect) hasSeveralStatements(tokens []token) bool {
	i := slices.IndexFunc(tokens, func(t token) bool { return t.text == ";" })
	if i < 0 {
		return false
	}
	if n := d.programLength(tokens); n > 0 {
		i = n
	}
	return slices.ContainsFunc(tokens[i:], func(t token) bool { return t.text != ";" })
}

// programLength returns the number of tokens of a statement that contains others, such as a trigger. It
// is 0 for any other statement. In SQLite it ends at the first END after a semicolon. Servers take
// only one statement at a time, so for them it ends at the last such END.
func (d *dialect) programLength(tokens []token) int {
	if !d.beginsProgram(strings.Join(wordsOf(tokens), " ") + " ") {
		return 0
	}
	last := 0
	for i := 1; i < len(tokens); i++ {
		if tokens[i-1].text == ";" && tokens[i].shape == word && strings.EqualFold(tokens[i].text, "END") {
			if last = i + 1; d.namedMarks {
				return last
			}
		}
	}
	return last
}

var (
	sqliteProgram = lazyregexp.New(`^CREATE (TEMP |TEMPORARY )?TRIGGER .*BEGIN `)
	serverProgram = lazyregexp.New(`^CREATE .*(TRIGGER|PROCEDURE|FUNCTION|EVENT) .*BEGIN `)
)

func (d *dialect) beginsProgram(words string) bool {
	if d.namedMarks {
		return sqliteProgram.MatchString(words)
	}
	return serverProgram.MatchString(words)
}

// unicodeName is the word in [wordsOf] for U&"…", a quoted name with escapes.
const unicodeName = `U&"`

// wordsOf returns the unquoted words in upper case.
func wordsOf(tokens []token) []string {
	var words []string
	for i, t := range tokens {
		if len(tokens)-i > 2 && strings.EqualFold(t.text+tokens[i+1].text+tokens[i+2].text[:1], unicodeName) {
			words = append(words, unicodeName)
		} else if t.shape == word {
			words = append(words, strings.ToUpper(t.text))
		}
	}
	return words
}

// calledNames returns the names, quoted ones included, that an opening parenthesis follows. They
// are in upper case.
func (d *dialect) calledNames(tokens []token) []string {
	var names []string
	for i, t := range tokens[:max(len(tokens)-1, 0)] {
		isName := t.shape == word || t.shape == quoted && strings.IndexByte(d.quotes, t.text[0]) >= 0
		if isName && tokens[i+1].text == "(" {
			names = append(names, strings.ToUpper(strings.Trim(t.text, "\"`")))
		}
	}
	return names
}

// forbiddenStatement describes a kind of statement that is never run.
type forbiddenStatement struct {
	kind, why       string
	onlyDialect     string             // the only dialect it applies to; "": all
	firstWords      []string           // the statement begins with one of these words
	containedWords  []string           // the statement contains these words in sequence
	calledFunctions *lazyregexp.Regexp // the statement calls one of these functions
}

var refusals = []forbiddenStatement{
	{kind: "a transaction of its own", why: "each run is one", firstWords: []string{"BEGIN", "START", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE", "ABORT"}},
	{kind: "PREPARE TRANSACTION", why: "it would stay open behind the run", onlyDialect: "PostgreSQL", containedWords: []string{"PREPARE", "TRANSACTION"}},
	{kind: "SET", why: "it would hold for other runs as well; settings of the session stand in query_params of the source", firstWords: []string{"SET", "RESET", "DISCARD"}},
	{kind: "ATTACH", why: "a tool uses its source alone", onlyDialect: "SQLite", firstWords: []string{"ATTACH"}},
	{kind: "DETACH", why: "a tool uses its source alone", onlyDialect: "SQLite", firstWords: []string{"DETACH"}},
	{kind: "VACUUM", why: "it cannot be part of a transaction", onlyDialect: "SQLite", firstWords: []string{"VACUUM"}},
	{kind: "COPY", why: "it reads and writes files of the server", onlyDialect: "PostgreSQL", firstWords: []string{"COPY"}},
	{kind: "LOAD", why: "it reads files", firstWords: []string{"LOAD"}},
	{kind: "INTO OUTFILE", why: "it writes files of the server", onlyDialect: "MySQL", containedWords: []string{"INTO", "OUTFILE"}},
	{kind: "INTO DUMPFILE", why: "it writes files of the server", onlyDialect: "MySQL", containedWords: []string{"INTO", "DUMPFILE"}},
	{kind: "LOAD_FILE", why: "it reads files of the server", onlyDialect: "MySQL", calledFunctions: lazyregexp.New(`^LOAD_FILE$`)},
	{kind: "a function that reads or writes files of the server", why: "a tool uses its source alone", onlyDialect: "PostgreSQL",
		calledFunctions: lazyregexp.New(`^(PG_READ_FILE|PG_READ_BINARY_FILE|PG_LS_.*|PG_STAT_FILE|PG_FILE_.*|LO_IMPORT|LO_EXPORT)$`)},
	{kind: `a name as U&"…"`, why: "it may hide what it names; write the name out", onlyDialect: "PostgreSQL", containedWords: []string{unicodeName}},
	{kind: "USE", why: "it would hold for other runs as well; name the database in the source", onlyDialect: "MySQL", firstWords: []string{"USE"}},
}

func (r forbiddenStatement) isCalled(d *dialect, names []string) bool {
	return r.calledFunctions != nil && (r.onlyDialect == "" || r.onlyDialect == d.name) && slices.ContainsFunc(names, r.calledFunctions.MatchString)
}

func (r forbiddenStatement) matches(d *dialect, words []string) bool {
	switch {
	case r.onlyDialect != "" && r.onlyDialect != d.name:
		return false
	case slices.Contains(r.firstWords, words[0]):
		return true
	case r.containedWords == nil:
		return false
	}
	for i := range words {
		if len(words)-i >= len(r.containedWords) && slices.Equal(words[i:i+len(r.containedWords)], r.containedWords) {
			return true
		}
	}
	return false
}
