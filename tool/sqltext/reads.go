// Package sqltext reads the text of SQL statements, as far as that can be done without
// knowing the database: whether a statement only reads, and what may be pasted into it.
//
// It promises to err on the safe side: a text that two databases read differently counts
// as one that writes.
package sqltext

import (
	"slices"
	"strings"
	"unicode"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// OnlyReads reports whether a text is one SQL statement that only reads. It errs
// on the side of writing: what it cannot tell apart (executable comments,
// backslashes in strings) is no reading.
func OnlyReads(statement string) bool {
	bare, ok := stripSQL(statement)
	bare = strings.TrimRight(bare, " \t\r\n;")
	if !ok || strings.Contains(bare, ";") {
		return false
	}
	between := func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	begun := false
	for w := range strings.FieldsFuncSeq(strings.ToUpper(bare), between) {
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

// Verbs that a reading statement begins with.
var readingVerbs = []string{"SELECT", "WITH", "VALUES", "TABLE", "SHOW", "DESCRIBE", "DESC", "EXPLAIN"}

// Words that, outside strings and quoted names, let such a statement write.
var writingWords = []string{"INSERT", "UPDATE", "DELETE", "MERGE", "INTO", "CREATE", "EXECUTE"}

// effectfulFunction finds the functions whose effect no transaction takes back, or which run SQL
// that is given to them as text.
var effectfulFunction = lazyregexp.New(`^(DBLINK|LO_(EX|IM)PORT$|SYS_(EXEC|EVAL)$|QUERY_TO_XML|CROSSTAB|CONNECTBY|XPATH_TABLE|TS_(STAT|REWRITE)$|` +
	`PG_(READ_|LS_|STAT_FILE$|STAT_RESET|FILE_(READ|WRITE|SYNC|RENAME|UNLINK)|TERMINATE_|CANCEL_|RELOAD_|ROTATE_|SWITCH_|CREATE_|DROP_|COPY_|` +
	`LOGICAL_|PROMOTE|WAL_REPLAY_|BACKUP_|START_BACKUP|STOP_BACKUP|REPLICATION_(SLOT_ADVANCE|ORIGIN_)|LOG_))`)

// hasEffect reports whether [effectfulFunction] matches, which is looked for behind few letters.
func hasEffect(name string) bool {
	return name != "" && strings.IndexByte("CDLPQSTX", name[0]) >= 0 && effectfulFunction.MatchString(name)
}

// endsWithVerb reports whether a word follows a number without a space between, as some
// databases let it: 1INTO.
func endsWithVerb(w, verb string) bool {
	return unicode.IsDigit(rune(w[0])) && strings.HasSuffix(w, verb)
}

// stripSQL takes comments, strings and quoted names out. ok is false for a
// text that one database reads otherwise than another.
func stripSQL(s string) (bare string, ok bool) {
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

// plainLength is the length of the text that s begins with in which nothing is quoted, a comment
// or ambiguous.
func plainLength(s string) int {
	if i := strings.IndexAny(s, "/-#$@:['\"`"); i >= 0 {
		return i
	}
	return len(s)
}

// mayHideCode reports whether a comment or a quoted text may be more than that: PostgreSQL
// ends a comment at a carriage return, and has comments within others; and a function
// may be called by a quoted name.
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

// ambiguousSQL finds MySQL's and MariaDB's executable comments, what is a comment in
// MySQL alone or not in MySQL, PostgreSQL's dollar quotes, and variables of SQLite with
// quotes in them.
var ambiguousSQL = lazyregexp.New("^(/\\*M?!|--\\S|#[^>-]|\\$[^0-9\\s]|[@:#][^\\s(]*\\([^\\s)]*(['\"`\\[]|--|/\\*))")

// isAmbiguous reports whether [ambiguousSQL] matches, which is looked for behind few bytes.
func isAmbiguous(s string) bool {
	return strings.IndexByte("/-#$@:", s[0]) >= 0 && ambiguousSQL.MatchString(s)
}

// isSameWithoutHashComment reports whether a line of which MySQL reads nothing from # on ends
// outside of quotes for the others, too.
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

// isSameInBrackets reports whether what follows a bracket ends at the same place for a
// database that reads it as a name in brackets, as SQLite does, and for one that
// reads strings and comments there.
func isSameInBrackets(s string) bool {
	inside, _, _ := strings.Cut(s, "]")
	for _, quote := range []string{"'", `"`, "`"} {
		if strings.Count(inside, quote)%2 != 0 {
			return false
		}
	}
	return !strings.Contains(inside, "--") && !strings.Contains(inside, "/*")
}

// endAfter is the offset behind the first stop at or behind from; the length of s
// where there is none.
func endAfter(s string, from int, stop string) int {
	i := strings.Index(s[from:], stop)
	if i < 0 {
		return len(s)
	}
	return from + i + len(stop)
}
