package tool

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Reads reports whether a text is one SQL statement that only reads. It errs
// on the side of writing: what it cannot tell apart (executable comments,
// backslashes in strings) is no reading.
func Reads(statement string) bool {
	bare, ok := stripSQL(statement)
	bare = strings.TrimRight(bare, " \t\r\n;")
	if !ok || strings.Contains(bare, ";") {
		return false
	}
	words := strings.FieldsFunc(strings.ToUpper(bare), func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	writes := func(w string) bool {
		return slices.ContainsFunc(writingWords, func(verb string) bool { return w == verb || endsIn(w, verb) })
	}
	return len(words) > 0 && slices.Contains(readingVerbs, words[0]) && !slices.ContainsFunc(words, writes)
}

// Verbs that a reading statement begins with.
var readingVerbs = []string{"SELECT", "WITH", "VALUES", "TABLE", "SHOW", "DESCRIBE", "DESC", "EXPLAIN"}

// Words that, outside strings and quoted names, let such a statement write.
var writingWords = []string{"INSERT", "UPDATE", "DELETE", "MERGE", "INTO", "CREATE", "EXECUTE"}

// endsIn reports whether a word follows a number without a space between, as some
// databases let it: 1INTO.
func endsIn(w, verb string) bool {
	return unicode.IsDigit(rune(w[0])) && strings.HasSuffix(w, verb)
}

// stripSQL takes comments, strings and quoted names out. ok is false for a
// text that one database reads otherwise than another.
func stripSQL(s string) (bare string, ok bool) {
	var out strings.Builder
	for s != "" {
		skip := 0
		switch {
		case ambiguousSQL.MatchString(s), s[0] == '[' && !closesAlike(s):
			return "", false
		case strings.HasPrefix(s, "--"):
			skip = end(s, 2, "\n")
		case strings.HasPrefix(s, "/*"):
			skip = end(s, 2, "*/")
		case s[0] == '\'' || s[0] == '"' || s[0] == '`':
			skip = end(s, 1, s[:1])
		}
		if strings.Contains(s[:skip], `\`) {
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

// ambiguousSQL finds MySQL's and MariaDB's executable comments, what is a comment in
// MySQL alone or not in MySQL, and PostgreSQL's dollar quotes.
var ambiguousSQL = regexp.MustCompile(`^(/\*M?!|--\S|#[^>-]|\$[^0-9\s])`)

// closesAlike reports whether what follows a bracket ends at the same place for a
// database that reads it as a name in brackets, as SQLite does, and for one that
// reads strings and comments there.
func closesAlike(s string) bool {
	inside, _, _ := strings.Cut(s, "]")
	for _, quote := range []string{"'", `"`, "`"} {
		if strings.Count(inside, quote)%2 != 0 {
			return false
		}
	}
	return !strings.Contains(inside, "--") && !strings.Contains(inside, "/*")
}

// end is the offset behind the first stop at or behind from; the length of s
// where there is none.
func end(s string, from int, stop string) int {
	i := strings.Index(s[from:], stop)
	if i < 0 {
		return len(s)
	}
	return from + i + len(stop)
}
