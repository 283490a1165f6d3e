// Package pattern compiles the regular expressions of JSON Schema, which are those of ECMAScript,
// and matches them within a time limit. Those with lookbehind and lookahead can take for ever.
package pattern

import (
	"regexp"
	"strings"
	"time"

	"github.com/dlclark/regexp2"
)

// Pattern is a regular expression. It is not safe for concurrent use.
type Pattern struct {
	text  string
	full  *regexp2.Regexp
	plain *regexp.Regexp // where full is nil; it never takes long
}

// Compile compiles a regular expression. The error is the end of a sentence, without a full stop.
func Compile(text string) (*Pattern, error) {
	full, err := regexp2.Compile(text, regexp2.ECMAScript|regexp2.Unicode)
	if err == nil {
		return &Pattern{text: text, full: full}, nil
	}
	if plain, other := regexp.Compile(text); other == nil { // it knows the long names of Unicode's categories
		return &Pattern{text: text, plain: plain}, nil
	}
	return nil, fault(strings.TrimPrefix(err.Error(), "error parsing regexp: "))
}

// fault describes what is wrong with a regular expression.
type fault string

func (f fault) Error() string { return string(f) }

func (p *Pattern) String() string { return p.text }

// Match reports whether some part of s matches. It returns an error if that takes longer than
// within.
func (p *Pattern) Match(s string, within time.Duration) (bool, error) {
	if p.full == nil {
		return p.plain.MatchString(s), nil
	}
	p.full.MatchTimeout = within
	return p.full.MatchString(s)
}
