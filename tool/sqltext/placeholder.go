package sqltext

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// escapes are the words of `escape` that a database knows, by the kind of its source.
var escapes = map[string][]string{
	"sqlite":   {"single-quotes", "double-quotes", "backticks", "square-brackets"},
	"postgres": {"single-quotes", "double-quotes"},
	"mysql":    {"single-quotes", "double-quotes", "backticks"},
}

// EscapeWords returns the words of `escape` that databases of a kind know; nil for an unknown kind.
func EscapeWords(kind string) []string { return escapes[kind] }

// The texts that may be pasted unchanged: a name, perhaps qualified by others, or a quoted name or
// string that contains nothing which could end its quotes.
var (
	plainName  = lazyregexp.New(`^[\pL_][\pL\pN_]{0,127}(\.[\pL_][\pL\pN_]{0,127}){0,3}$`)
	quotedName = lazyregexp.New("^(\"[^\"\\\\\\x00-\\x1f]+\"|`[^`\\\\\\x00-\\x1f]+`|'[^'\\\\\\x00-\\x1f]*')$")
	inQuotesOK = lazyregexp.New("^[^'\"`\\\\$\\[\\]\\x00-\\x1f]*$")
)

// IsPlainName reports whether a text can be pasted into a statement as a name.
func IsPlainName(v string) bool { return plainName.MatchString(v) }

// IsQuotedName reports whether a text has quotes of its own and ends them.
func IsQuotedName(v string) bool { return quotedName.MatchString(v) }

// FitsQuotes reports whether a text can be pasted between quotes.
func FitsQuotes(v string) bool { return inQuotesOK.MatchString(v) }

// TemplatePlaceholder reads a placeholder that pastes a template parameter, {{.name}} or {{array
// .name}}. For any other placeholder ok is false, and name is the content of its braces.
func TemplatePlaceholder(text string) (name string, array, ok bool) {
	m := templatePlaceholder.FindStringSubmatch(text)
	if m == nil {
		return strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(text, "{{"), "}}")), false, false
	}
	return m[2], m[1] != "", true
}

var templatePlaceholder = lazyregexp.New(`^` + placeholder.Open + `(array\s+)?\.([\w-]+)` + placeholder.Close + `$`)

// What is wrong with a placeholder. A message names the placeholder before this text.
const (
	NoPlaceholder = "is no placeholder of a statement: a template parameter is pasted by {{.x}} or {{array .x}}, and of Go's templates only conditions and loops are understood"
	BoundInQuotes = "stands inside quotes, where nothing can be bound"
	QuotedTwice   = "stands inside quotes, and has `escape` besides; one of the two is enough"
)

// IsPlaceholder reports whether the content of a statement's braces can be a name. An action of
// Go's templates and a value cannot.
func IsPlaceholder(name string) bool {
	isWord := slices.Contains([]string{"", "end", "else", "break", "continue", "nil"}, name)
	return !isWord && !strings.ContainsAny(name, "#/@(:|$'\"` \t\r\n") && strings.Trim(name, "-.") == name && (name[0] < '0' || name[0] > '9')
}
