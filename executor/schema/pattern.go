package schema

import (
	"fmt"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/abl-lsp/abl-lsp/expression/pattern"
)

// Limits for the time of patterns: for one search in one text, and for all searches in a value.
const (
	patternOnce = time.Second
	patternsAll = 5 * time.Second
)

// timedPattern is a pattern that uses up the time that all patterns of a schema share.
type timedPattern struct {
	*pattern.Pattern
	left *time.Duration // for all patterns of the schema, which validates one value at a time
}

// patterns returns an engine that compiles regular expressions, which share the time that is left.
func patterns(left *time.Duration) jsonschema.RegexpEngine {
	return func(text string) (jsonschema.Regexp, error) {
		p, err := pattern.Compile(text)
		if err != nil {
			return nil, err
		}
		return timedPattern{p, left}, nil
	}
}

// MatchString reports whether a part of s matches. It panics with [stepsExceeded] if that takes too
// long.
func (t timedPattern) MatchString(s string) bool {
	start := time.Now()
	fits, err := t.Match(s, min(patternOnce, max(*t.left, time.Millisecond)))
	if *t.left -= time.Since(start); err != nil || *t.left < 0 {
		panic(stepsExceeded{fmt.Errorf("its pattern %s takes too long with the text that it is to fit", t)})
	}
	return fits
}
