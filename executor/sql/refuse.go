package sql

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
)

// refuse says why a statement is not given to the database. Whose fault it is says
// kind: the author's, or the caller's who wrote it.
func (d *dialect) refuse(s statement) error {
	kind := executor.KindDefinition
	if s.whole {
		kind = executor.KindArguments
	}
	tokens := d.lex(s.text)
	if d.hash && slices.ContainsFunc(tokens, isExecutable) {
		return executor.Errorf(kind, "comment", "statement: a comment that %s executes (/*! … */) is not run", d.name)
	}
	tokens = slices.DeleteFunc(tokens, func(t token) bool { return t.shape == blank })
	words := wordsOf(tokens)
	switch {
	case len(words) == 0:
		return executor.Errorf(kind, "empty", "statement: there is no SQL in it")
	case strings.Contains(s.text, "\x00"):
		return executor.Errorf(kind, "statement", "statement: it has a NUL character")
	case several(tokens):
		return executor.Errorf(kind, "several-statements", "statement: a tool runs one statement, and there are several").
			WithHint("A semicolon may only stand at the end.")
	}
	for _, r := range refusals {
		if r.fits(d, words) {
			return executor.Errorf(kind, "refused-statement", "statement: %s is not run: %s", r.what, r.why)
		}
	}
	return nil
}

func isExecutable(t token) bool {
	return t.shape == blank && (strings.HasPrefix(t.text, "/*!") || strings.HasPrefix(t.text, "/*M!"))
}

// several reports whether something follows a semicolon.
func several(tokens []token) bool {
	i := slices.IndexFunc(tokens, func(t token) bool { return t.text == ";" })
	return i >= 0 && slices.ContainsFunc(tokens[i:], func(t token) bool { return t.text != ";" })
}

// wordsOf are the unquoted words, in capitals.
func wordsOf(tokens []token) []string {
	var words []string
	for _, t := range tokens {
		if t.shape == word {
			words = append(words, strings.ToUpper(t.text))
		}
	}
	return words
}

// refusal is a sort of statement that no tool runs.
type refusal struct {
	what, why string
	only      string   // of this dialect alone; "": of all
	first     []string // words that it begins with, any of them
	within    []string // words that follow each other in it
}

var refusals = []refusal{
	{what: "a transaction of its own", why: "each run is one", first: []string{"BEGIN", "START", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE", "ABORT"}},
	{what: "PREPARE TRANSACTION", why: "it would stay open behind the run", only: "PostgreSQL", within: []string{"PREPARE", "TRANSACTION"}},
	{what: "SET", why: "it would hold for other runs as well; settings of the session stand in query_params of the source", first: []string{"SET", "RESET", "DISCARD"}},
	{what: "ATTACH", why: "a tool uses its source alone", only: "SQLite", first: []string{"ATTACH", "DETACH"}},
	{what: "VACUUM", why: "it cannot be part of a transaction", only: "SQLite", first: []string{"VACUUM"}},
	{what: "COPY", why: "it reads and writes files of the server", only: "PostgreSQL", first: []string{"COPY"}},
	{what: "LOAD", why: "it reads files", first: []string{"LOAD"}},
	{what: "INTO OUTFILE", why: "it writes files of the server", only: "MySQL", within: []string{"INTO", "OUTFILE"}},
	{what: "INTO DUMPFILE", why: "it writes files of the server", only: "MySQL", within: []string{"INTO", "DUMPFILE"}},
	{what: "USE", why: "it would hold for other runs as well; name the database in the source", only: "MySQL", first: []string{"USE"}},
}

func (r refusal) fits(d *dialect, words []string) bool {
	switch {
	case r.only != "" && r.only != d.name:
		return false
	case slices.Contains(r.first, words[0]):
		return true
	case r.within == nil:
		return false
	}
	for i := range words {
		if len(words)-i >= len(r.within) && slices.Equal(words[i:i+len(r.within)], r.within) {
			return true
		}
	}
	return false
}
