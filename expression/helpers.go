package expression

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

var (
	webAddressForm = lazyregexp.New(`(?i)\b(?:https?://|www\.)[^\s<>"]+`)
	emailForm      = lazyregexp.New(`(?i)\b[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}\b`)
	sourceCodeForm = lazyregexp.New("```|(?m)^\\s*(?:import |from \\w+ import |#include|def \\w+\\(|func \\w*\\(|class \\w+|function \\w*\\(|SELECT .+ FROM |(?:const|let|var) \\w+ ?=)|[;{}]\\s*$")
	sentenceForm   = lazyregexp.New(`[^.!?\s][^.!?]*(?:[.!?]+|$)`)
)

// personalDataKinds are the kinds of personal data, each with the expression that matches it. If
// several match at one place, the first is taken.
var personalDataKinds = []struct {
	name string
	form *lazyregexp.Regexp
	is   func(string) bool
}{
	{"email", emailForm, nil},
	{"credit_card", lazyregexp.New(`\b\d(?:[ -]?\d){12,18}\b`), luhn},
	{"ssn", lazyregexp.New(`\b\d{3}-\d{2}-\d{4}\b`), nil},
	{"phone", lazyregexp.New(`(?:\+\d{1,3}[ .-]?)?(?:\(\d{2,4}\)|\b\d{2,4})[ .-]?\d{3,4}[ .-]\d{3,4}\b`), nil},
}

// piiMatch is personal data in a text, as byte offsets.
type piiMatch struct {
	from, to int
	kind     string
}

// findPII finds what looks like personal data, from left to right.
func findPII(s string) []piiMatch {
	var all []piiMatch
	rest := []byte(s)
	for _, k := range personalDataKinds {
		for _, m := range k.form.FindAllIndex(rest, -1) {
			if k.is == nil || k.is(s[m[0]:m[1]]) {
				all = append(all, piiMatch{m[0], m[1], k.name})
			}
		}
		for _, f := range all {
			for i := f.from; i < f.to; i++ {
				rest[i] = '_' // is no other kind of data
			}
		}
	}
	slices.SortFunc(all, func(a, b piiMatch) int { return a.from - b.from })
	return all
}

// maxSearchedText is the most bytes of a text in which personal data are looked for.
const maxSearchedText = 1 << 20

// searchableText turns a value into text, and returns an error if that is too long to search.
func searchableText(v any) (string, error) {
	s := toText(v)
	if len(s) > maxSearchedText {
		return "", fmt.Errorf("a text of more than %d MB", maxSearchedText>>20)
	}
	return s, nil
}

func containsPII(p []any) (any, error) {
	s, err := searchableText(p[0])
	return len(findPII(s)) > 0, err
}

func detectPII(p []any) (any, error) {
	s, err := searchableText(p[0])
	if err != nil {
		return nil, err
	}
	list := []any{}
	for _, f := range findPII(s) {
		list = append(list, map[string]any{"type": f.kind, "value": s[f.from:f.to]})
	}
	return list, nil
}

func redactPII(p []any) (any, error) {
	s, err := searchableText(p[0])
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	done := 0
	for _, f := range findPII(s) {
		out.WriteString(s[done:f.from] + "[" + strings.ToUpper(f.kind) + "]")
		done = f.to
	}
	return out.String() + s[done:], nil
}

func notMatches(p []any) (any, error) {
	found, err := matches(p)
	return found == false, err
}

// containsMatch makes a function that reports whether a text contains a match.
func containsMatch(form *lazyregexp.Regexp) func(p []any) (any, error) {
	return func(p []any) (any, error) { return form.MatchString(toText(p[0])), nil }
}

func wordCount(p []any) (any, error) { return len(strings.Fields(toText(p[0]))), nil }

func piiEqual([]any) (any, error) {
	return nil, errors.New("only tokens of the platform's vault can be compared, and there are none in a run from here")
}

func sentenceCount(p []any) (any, error) {
	return len(sentenceForm.FindAllString(toText(p[0]), -1)), nil
}

// luhn reports whether the check digit of a card's number is right.
func luhn(s string) bool {
	sum, double := 0, false
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] < '0' || s[i] > '9' {
			continue
		}
		d := int(s[i] - '0')
		if double {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum, double = sum+d, !double
	}
	return sum%10 == 0
}
