package schema

import (
	"fmt"
	"regexp"
	"time"

	"github.com/dlclark/regexp2"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A pattern may take this long to be looked for in one text, and all of them together
// in a value: those that look back and ahead can take for ever.
const (
	patternOnce = time.Second
	patternsAll = 5 * time.Second
)

// pattern is a regular expression of ECMAScript, as JSON Schema wants them.
type pattern struct {
	re   *regexp2.Regexp
	left *time.Duration // for all patterns of the schema; the schema is held to one value at a time
}

// patterns reads regular expressions, all of which share the time that is left.
func patterns(left *time.Duration) jsonschema.RegexpEngine {
	return func(text string) (jsonschema.Regexp, error) {
		re, err := regexp2.Compile(text, regexp2.ECMAScript|regexp2.Unicode)
		if err == nil {
			return &pattern{re, left}, nil
		}
		if re, other := regexp.Compile(text); other == nil { // it knows the long names of Unicode's categories
			return re, nil
		}
		return nil, err
	}
}

func (p *pattern) String() string { return p.re.String() }

// MatchString reports whether some part of a text fits.
func (p *pattern) MatchString(s string) bool {
	p.re.MatchTimeout = min(patternOnce, max(*p.left, time.Millisecond))
	start := time.Now()
	fits, err := p.re.MatchString(s)
	if *p.left -= time.Since(start); err != nil || *p.left < 0 {
		panic(tooLong{fmt.Errorf("its pattern %s takes too long with the text that it is to fit", p)})
	}
	return fits
}
