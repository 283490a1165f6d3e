package tool

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// escapes are the words of `escape` that a database knows, by the kind of its source.
var escapes = map[string][]string{
	"sqlite":   {"single-quotes", "double-quotes", "backticks", "square-brackets"},
	"postgres": {"single-quotes", "double-quotes"},
	"mysql":    {"single-quotes", "double-quotes", "backticks"},
}

// Escapes are the words of `escape` that databases of a kind know; nil where nobody
// knows that here.
func Escapes(kind string) []string { return escapes[kind] }

// What may be pasted as it is: a name, with others before it, or one thing in quotes
// that hold nothing which could end them.
var (
	plainName  = regexp.MustCompile(`^[\pL_][\pL\pN_]{0,127}(\.[\pL_][\pL\pN_]{0,127}){0,3}$`)
	quotedName = regexp.MustCompile("^(\"[^\"\\\\\\x00-\\x1f]+\"|`[^`\\\\\\x00-\\x1f]+`|'[^'\\\\\\x00-\\x1f]*')$")
	inQuotesOK = regexp.MustCompile("^[^'\"`\\\\$\\[\\]\\x00-\\x1f]*$")
)

// IsPlainName reports whether a text can be pasted into a statement as a name.
func IsPlainName(v string) bool { return plainName.MatchString(v) }

// IsQuotedName reports whether a text brings quotes of its own, and ends them.
func IsQuotedName(v string) bool { return quotedName.MatchString(v) }

// FitsQuotes reports whether a text can be pasted between quotes.
func FitsQuotes(v string) bool { return inQuotesOK.MatchString(v) }

// Unpasteable reports whether no place in a statement takes the default of a template
// parameter. Whether a placeholder stands in quotes is not looked at.
func (s *SQL) Unpasteable(p Param) bool {
	whole := strings.TrimSpace(s.Statement) == "{{."+p.Name+"}}"
	if p.Escape != "" || whole {
		return false
	}
	var one string
	var several []string
	switch {
	case json.Unmarshal(p.Default, &one) == nil:
		several = []string{one}
	case json.Unmarshal(p.Default, &several) != nil:
		return false
	}
	inQuotes := strings.ContainsAny(s.Statement, "'\"`[")
	return slices.ContainsFunc(several, func(v string) bool {
		fits := IsPlainName(v) || IsQuotedName(v) || inQuotes && FitsQuotes(v) || Listed(p.AllowedValues, v)
		return !fits
	})
}

// Mispasted is why a placeholder does not fit the type of a template parameter, "" where
// it does: {{array .x}} is for arrays, and {{.x}} for all else.
func (p Param) Mispasted(array bool) string {
	switch isArray := p.Type.Name == "array"; {
	case isArray && !array:
		return fmt.Sprintf("{{.%s}} is an array; write {{array .%s}}", p.Name, p.Name)
	case array && !isArray:
		return fmt.Sprintf("{{array .%s}} is no array; write {{.%s}}", p.Name, p.Name)
	}
	return ""
}

// Listed reports whether an author has listed that very text.
func Listed(values []json.RawMessage, v string) bool {
	return slices.ContainsFunc(values, func(raw json.RawMessage) bool {
		var one string
		return json.Unmarshal(raw, &one) == nil && one == v
	})
}

// What is wrong with a placeholder of a statement, behind the placeholder.
const (
	NoPlaceholder = "is no placeholder of a statement: a template parameter is pasted by {{.x}} or {{array .x}}, and nothing else of Go's templates is understood"
	BoundInQuotes = "stands inside quotes, where nothing can be bound"
	QuotedTwice   = "stands inside quotes, and has `escape` besides; one of the two is enough"
)

// IsPlaceholder reports whether what stands between braces in a statement can name
// something: neither an action of Go's templates nor a value does.
func IsPlaceholder(name string) bool {
	isWord := slices.Contains([]string{"", "end", "else", "break", "continue", "nil"}, name)
	return !isWord && !strings.ContainsAny(name, "#/@(:|$'\"` \t\r\n") && strings.Trim(name, "-.") == name && (name[0] < '0' || name[0] > '9')
}
