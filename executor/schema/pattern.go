package schema

import (
	"fmt"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/abl-lsp/abl-lsp/expression/pattern"
)

// A pattern may take this long to be looked for in one text, and all of them together
// in a value.
const (
	patternOnce = time.Second
	patternsAll = 5 * time.Second
)

// timedPattern is a pattern that takes its time from that of all.
type timedPattern struct {
	*pattern.Pattern
	left *time.Duration // for all patterns of the schema; the schema is held to one value at a time
}

// patterns reads regular expressions, all of which share the time that is left.
func patterns(left *time.Duration) jsonschema.RegexpEngine {
	return func(text string) (jsonschema.Regexp, error) {
		p, err := pattern.Compile(text)
		if err != nil {
			return nil, err
		}
		return timedPattern{p, left}, nil
	}
}

// MatchString reports whether some part of a text fits.
func (t timedPattern) MatchString(s string) bool {
	start := time.Now()
	fits, err := t.Match(s, min(patternOnce, max(*t.left, time.Millisecond)))
	if *t.left -= time.Since(start); err != nil || *t.left < 0 {
		panic(stepsExceeded{fmt.Errorf("its pattern %s takes too long with the text that it is to fit", t)})
	}
	return fits
}
