package expression

import (
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// maxCompared limits the number of characters of a spoken value that are compared.
const maxCompared = 1000

// The scores from which a spoken value is the stored one, or may be meant. The platform
// does not publish its own.
const (
	matchingScore = 85
	retryScore    = 60
)

// matchScore returns the percentage of characters that the spoken and the stored value have in
// common, or -1 if one of them is missing.
func matchScore(p []any) (any, error) {
	kind := "text"
	if len(p) > 2 && p[2] != nil {
		kind = strings.ToLower(toText(p[2]))
	}
	form, ok := normalizers[kind]
	if !ok {
		return nil, fmt.Errorf("%s is no kind: name, person_name, email, address, phone, digits or text", describe(kind))
	}
	spoken, stored := form(toText(p[0])), form(toText(p[1]))
	longer := max(utf8.RuneCountInString(spoken), utf8.RuneCountInString(stored))
	switch {
	case spoken == "" || stored == "":
		return -1, nil
	case longer > maxCompared:
		return nil, fmt.Errorf("a text of more than %d characters", maxCompared)
	}
	same := 1 - float64(levenshtein.ComputeDistance(spoken, stored))/float64(longer)
	return int(math.Round(100 * same)), nil
}

func matchesSpoken(p []any) (any, error) {
	score, err := matchScore(p)
	return err == nil && score.(int) >= matchingScore, err
}

func matchResult(p []any) (any, error) {
	score, err := matchScore(p)
	if err != nil {
		return nil, err
	}
	switch n := score.(int); {
	case n < 0:
		return "missing", nil
	case n >= matchingScore:
		return "match", nil
	case n >= retryScore:
		return "retry", nil
	}
	return "mismatch", nil
}

// normalizers bring a value of each kind into a form in which equal values are equal texts.
var normalizers = map[string]func(string) string{
	"text": normalizeText, "name": normalizeText, "person_name": normalizeText, "address": normalizeText,
	"email": normalizeEmail, "phone": normalizeDigits, "digits": normalizeDigits,
}

// normalizeText returns the words of a text in lowercase, without other characters.
func normalizeText(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.Join(words, " ")
}

var spokenPunctuation = strings.NewReplacer(" at ", "@", " dot ", ".", " underscore ", "_", " dash ", "-", " ", "")

func normalizeEmail(s string) string {
	return spokenPunctuation.Replace(strings.ToLower(strings.Join(strings.Fields(s), " ")))
}

// spokenDigit matches a digit, or the word for one.
var spokenDigit = lazyregexp.New(`(?i)[0-9]|\b(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)\b`)

var digitWords = map[string]string{
	"zero": "0", "oh": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
}

func normalizeDigits(s string) string {
	var out strings.Builder
	for _, n := range spokenDigit.FindAllString(s, -1) {
		if digit, ok := digitWords[strings.ToLower(n)]; ok {
			n = digit
		}
		out.WriteString(n)
	}
	return out.String()
}
