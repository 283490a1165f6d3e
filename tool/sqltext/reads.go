// Package sqltext reads the text of SQL statements without knowing the database: whether a
// statement only reads, and what may be pasted into it.
//
// It errs on the safe side: it treats a text that two databases read differently as one that
// writes.
package sqltext

import (
	"slices"
	"strings"
	"unicode"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// OnlyReads reports whether a text is one SQL statement that only reads. In doubt (executable
// comments, backslashes in strings) it returns false.
func OnlyReads(statement string) bool {
	stripped, ok := stripSQL(statement)
	stripped = strings.TrimRight(stripped, " \t\r\n;")
	if !ok || strings.Contains(stripped, ";") {
		return false
	}
	between := func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	begun := false
	for w := range strings.FieldsFuncSeq(strings.ToUpper(stripped), between) {
		if !begun && !slices.Contains(readingVerbs, w) || isWritingWord(w) {
			return false
		}
		begun = true
	}
	return begun
}

// isWritingWord reports whether a word lets a statement write.
func isWritingWord(w string) bool {
	return hasEffect(w) || slices.ContainsFunc(writingWords, func(verb string) bool { return w == verb || endsWithVerb(w, verb) })
}

// readingVerbs are the verbs that a reading statement begins with.
var readingVerbs = []string{"SELECT", "WITH", "VALUES", "TABLE", "SHOW", "DESCRIBE", "DESC", "EXPLAIN"}

// writingWords are the words that, outside strings and quoted names, make such a statement write.
var writingWords = []string{"INSERT", "UPDATE", "DELETE", "MERGE", "INTO", "CREATE", "EXECUTE"}

// effectfulFunction matches functions whose effect a rollback does not undo, or which execute SQL
// that they get as text.
var effectfulFunction = lazyregexp.New(`^(DBLINK|LO_(EX|IM)PORT$|SYS_(EXEC|EVAL)$|QUERY_TO_XML|CROSSTAB|CONNECTBY|XPATH_TABLE|TS_(STAT|REWRITE)$|` +
	`PG_(READ_|LS_|STAT_FILE$|STAT_RESET|FILE_(READ|WRITE|SYNC|RENAME|UNLINK)|TERMINATE_|CANCEL_|RELOAD_|ROTATE_|SWITCH_|CREATE_|DROP_|COPY_|` +
	`LOGICAL_|PROMOTE|WAL_REPLAY_|BACKUP_|START_BACKUP|STOP_BACKUP|REPLICATION_(SLOT_ADVANCE|ORIGIN_)|LOG_))`)

// hasEffect reports whether [effectfulFunction] matches. It runs the regular expression only after
// one of few letters.
func hasEffect(name string) bool {
	return name != "" && strings.IndexByte("CDLPQSTX", name[0]) >= 0 && effectfulFunction.MatchString(name)
}

// endsWithVerb reports whether a word is a number directly followed by the verb, which some
// databases allow: 1INTO.
func endsWithVerb(w, verb string) bool {
	return unicode.IsDigit(rune(w[0])) && strings.HasSuffix(w, verb)
}

// stripSQL removes comments, strings and quoted names. ok is false for a text that two databases
// read differently.
func stripSQL(s string) (stripped string, ok bool) {
	var out strings.Builder
	out.Grow(len(s))
	for s != "" {
		if plain := plainLength(s); plain > 0 {
			out.WriteString(s[:plain])
			s = s[plain:]
			continue
		}
		skip := 0
		switch {
		case isAmbiguous(s), s[0] == '[' && !isSameInBrackets(s), s[0] == '#' && !isSameWithoutHashComment(s):
			return "", false
		case strings.HasPrefix(s, "--"):
			skip = endAfter(s, 2, "\n")
		case strings.HasPrefix(s, "/*"):
			skip = endAfter(s, 2, "*/")
		case s[0] == '\'' || s[0] == '"' || s[0] == '`':
			skip = endAfter(s, 1, s[:1])
		}
		if quoted := s[:skip]; strings.Contains(quoted, `\`) || mayHideCode(quoted) {
			return "", false
		}
		if skip > 0 {
			out.WriteByte(' ')
		} else {
			skip = 1
			out.WriteByte(s[0])
		}
		s = s[skip:]
	}
	return out.String(), true
}

// plainLength returns the length of the prefix of s that contains no quote, no comment and nothing
// ambiguous.
func plainLength(s string) int {
	if i := strings.IndexAny(s, "/-#$@:['\"`"); i >= 0 {
		return i
	}
	return len(s)
}

// mayHideCode reports whether a database may read code in a comment or a quoted text: PostgreSQL
// ends a comment at a carriage return and nests comments, and a quoted name may call a function.
func mayHideCode(quoted string) bool {
	switch {
	case strings.HasPrefix(quoted, "/*"):
		return strings.Contains(quoted[2:], "/*")
	case strings.HasPrefix(quoted, "--"):
		return strings.Contains(strings.TrimSuffix(quoted, "\r\n"), "\r")
	case quoted == "" || quoted[0] == '\'':
		return false
	}
	return hasEffect(strings.ToUpper(strings.Trim(quoted, "\"`")))
}

// ambiguousSQL matches executable comments of MySQL and MariaDB, comments that exist only in MySQL
// or only elsewhere, dollar quotes of PostgreSQL, and variables of SQLite that contain quotes.
var ambiguousSQL = lazyregexp.New("^(/\\*M?!|--\\S|#[^>-]|\\$[^0-9\\s]|[@:#][^\\s(]*\\([^\\s)]*(['\"`\\[]|--|/\\*))")

// isAmbiguous reports whether [ambiguousSQL] matches. It runs the regular expression only at one of
// few bytes.
func isAmbiguous(s string) bool {
	return strings.IndexByte("/-#$@:", s[0]) >= 0 && ambiguousSQL.MatchString(s)
}

// isSameWithoutHashComment reports whether a line that MySQL ignores from # on ends outside quotes
// for the other databases, too.
func isSameWithoutHashComment(s string) bool {
	line, _, _ := strings.Cut(s, "\n")
	kinds := 0
	for _, quote := range []string{"'", `"`, "`"} {
		n := strings.Count(line, quote)
		if n%2 != 0 {
			return false
		}
		kinds += min(n, 1)
	}
	return kinds < 2 && !strings.Contains(line, "/*")
}

// isSameInBrackets reports whether the text after a bracket ends at the same place for SQLite,
// which reads a name in brackets, and for databases that read strings and comments there.
func isSameInBrackets(s string) bool {
	inside, _, _ := strings.Cut(s, "]")
	for _, quote := range []string{"'", `"`, "`"} {
		if strings.Count(inside, quote)%2 != 0 {
			return false
		}
	}
	return !strings.Contains(inside, "--") && !strings.Contains(inside, "/*")
}

// endAfter returns the offset after the first stop that begins at from or later; the length of s if
// there is none.
func endAfter(s string, from int, stop string) int {
	i := strings.Index(s[from:], stop)
	if i < 0 {
		return len(s)
	}
	return from + i + len(stop)
}
