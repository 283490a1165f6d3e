package expression

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// toText turns a value into running text.
func toText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(raw)
}

// maxFunctionText limits the texts, in characters, that the language's functions take and return.
const maxFunctionText = 100_000

var errShort = errors.New("a text of more than 100,000 characters")

// withTextLimit limits the texts that a function takes and returns.
func withTextLimit(do func(p []any) (any, error)) func(p []any) (any, error) {
	return func(p []any) (any, error) {
		if slices.ContainsFunc(p, isLong) {
			return nil, errShort
		}
		v, err := do(p)
		if err == nil && isLong(v) {
			return nil, errShort
		}
		return v, err
	}
}

func isLong(v any) bool {
	s, ok := v.(string)
	return ok && len(s) > maxFunctionText && utf8.RuneCountInString(s) > maxFunctionText
}

func upper(p []any) (any, error) { return strings.ToUpper(toText(p[0])), nil }
func lower(p []any) (any, error) { return strings.ToLower(toText(p[0])), nil }
func trim(p []any) (any, error)  { return strings.TrimSpace(toText(p[0])), nil }

// substring counts characters from 0; indexes outside the text are moved to its ends.
func substring(p []any) (any, error) {
	runes := []rune(toText(p[0]))
	from, err := wholeArgument(p, 1, 0)
	if err != nil {
		return nil, err
	}
	to, err := wholeArgument(p, 2, len(runes))
	from, to = clamp(from, len(runes)), clamp(to, len(runes))
	return string(runes[from:max(from, to)]), err
}

func clamp(n, most int) int { return min(max(n, 0), most) }

// replace replaces all occurrences of a text. It returns an error if the result would be longer
// than maxText.
func replace(p []any) (any, error) {
	s, old, by := toText(p[0]), toText(p[1]), toText(p[2])
	if len(s)+strings.Count(s, old)*max(len(by)-len(old), 0) > maxText {
		return nil, errText
	}
	return strings.ReplaceAll(s, old, by), nil
}

// splitText splits a text; a third argument limits the number of parts.
func splitText(p []any) (any, error) {
	s, separator := toText(p[0]), toText(p[1])
	most, err := wholeArgument(p, 2, -1)
	if err != nil {
		return nil, err
	}
	if found := strings.Count(s, separator); found >= maxParts && (most < 0 || most > maxParts) {
		return nil, fmt.Errorf("more than %d parts", maxParts)
	}
	parts, _ := toList(strings.SplitN(s, separator, most))
	return parts, nil
}

// maxParts limits the number of parts that a text is split into.
const maxParts = 100_000

func join(p []any) (any, error) {
	list, ok := p[0].([]any)
	if !ok {
		return nil, fmt.Errorf("%s is no list", describe(p[0]))
	}
	separator := ""
	if len(p) > 1 {
		separator = toText(p[1])
	}
	var out strings.Builder
	for i, v := range list {
		if i > 0 {
			out.WriteString(separator)
		}
		if out.WriteString(toText(v)); out.Len() > maxText {
			return nil, errText
		}
	}
	return out.String(), nil
}

func padFunction(start bool) func(p []any) (any, error) {
	return func(p []any) (any, error) { return padText(p, start) }
}

func padText(p []any, start bool) (any, error) {
	s, fill := toText(p[0]), " "
	if len(p) == 3 {
		fill = toText(p[2])
	}
	size, err := wholeArgument(p, 1, 0)
	missing := size - len([]rune(s))
	switch {
	case err != nil:
		return nil, err
	case missing <= 0 || fill == "":
		return s, nil
	case missing > maxText:
		return nil, errText
	}
	filled := []rune(strings.Repeat(fill, missing/len([]rune(fill))+1))[:missing]
	if start {
		return string(filled) + s, nil
	}
	return s + string(filled), nil
}

func repeat(p []any) (any, error) {
	s := toText(p[0])
	n, err := wholeArgument(p, 1, 0)
	switch {
	case err != nil:
		return nil, err
	case n < 0:
		return nil, errors.New("the count is negative")
	case n > 0 && len(s) > maxText/n:
		return nil, errText
	}
	return strings.Repeat(s, n), nil
}

// maxMatchCost bounds the time that a regular expression takes: the characters of the text, times
// the parts of the pattern.
const maxMatchCost = 100 << 20

var errPattern = errors.New("no regular expression")

// compilePattern compiles a regular expression for a search in a text, and returns an error if that
// search could take too long.
func compilePattern(v any, in string) (*regexp.Regexp, error) {
	parsed, err := syntax.Parse(toText(v), syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("%s is %w: %w", describe(v), errPattern, err)
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, err
	}
	if len(program.Inst)*len(in) > maxMatchCost {
		return nil, fmt.Errorf("the text is too long for the regular expression %s", describe(v))
	}
	return regexp.Compile(toText(v))
}

func matches(p []any) (any, error) {
	s := toText(p[0])
	re, err := compilePattern(p[1], s)
	return err == nil && re.MatchString(s), err
}

// operatorMatches is the operator `matches`. It is false if an operand is missing.
func operatorMatches(_ *budget, p []any) (any, error) {
	if p[0] == nil || p[1] == nil {
		return false, nil
	}
	return matches(p)
}

// groupReference matches the reference to a group in a replacement.
var groupReference = lazyregexp.New(`\$[1-9]`)

// regexReplace replaces $1 to $9 in the replacement; a reference to a group that the pattern does
// not have stays. An invalid pattern changes nothing.
func regexReplace(p []any) (any, error) {
	s, by := toText(p[0]), toText(p[2])
	re, err := compilePattern(p[1], s)
	if errors.Is(err, errPattern) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	done := 0
	for _, m := range re.FindAllStringSubmatchIndex(s, -1) {
		out.WriteString(s[done:m[0]])
		out.WriteString(groupReference.ReplaceAllStringFunc(by, func(g string) string {
			switch i := 2 * int(g[1]-'0'); {
			case i >= len(m):
				return g
			case m[i] < 0:
				return ""
			default:
				return s[m[i]:m[i+1]]
			}
		}))
		if done = m[1]; out.Len() > maxText {
			return nil, errText
		}
	}
	return out.String() + s[done:], nil
}

// regexExtract returns the first match, or a group of it; null if there is no match or the pattern
// is invalid.
func regexExtract(p []any) (any, error) {
	s := toText(p[0])
	re, err := compilePattern(p[1], s)
	if errors.Is(err, errPattern) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	group, err := wholeArgument(p, 2, 0)
	found := re.FindStringSubmatch(s)
	if err != nil || found == nil || group < 0 || group >= len(found) {
		return nil, err
	}
	return found[group], nil
}

// maskForm matches a pattern of MASK: how many characters of one end, or of both, stay visible.
var maskForm = lazyregexp.New(`^(?:(first|last)(\d{1,5})|(\d{1,5})\*(\d{1,5}))$`)

// mask hides all characters but those that the pattern shows; by default it shows the last four. A
// text that is too short to hide any is hidden completely.
func mask(p []any) (any, error) {
	runes, form, with := []rune(toText(p[0])), "last4", "*"
	if len(p) > 1 {
		form = toText(p[1])
	}
	if len(p) > 2 {
		with = toText(p[2])
	}
	m := maskForm.FindStringSubmatch(form)
	if m == nil {
		return nil, fmt.Errorf("%s is none of \"last4\", \"first4\" and \"2*2\"", describe(form))
	}
	from, last := atoi(m[3]), atoi(m[4])
	switch m[1] {
	case "first":
		from = atoi(m[2])
	case "last":
		last = atoi(m[2])
	}
	to := len(runes) - last
	if from >= to {
		from, to = 0, len(runes)
	}
	hidden, err := repeat([]any{with, to - from})
	if err != nil {
		return nil, err
	}
	return string(runes[:from]) + hidden.(string) + string(runes[to:]), nil
}

// atoi returns the value of digits, 0 for "".
func atoi(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}
