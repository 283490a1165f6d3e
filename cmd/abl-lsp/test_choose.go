package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// selectCases returns the cases that match --filter and --tag. It keeps all tests without
// a tool, which allTests adds for files whose cases cannot all be read.
func (flags testFlags) selectCases(all []savedTest) []savedTest {
	filter := regexp.MustCompile(flags.filter)
	var chosen []savedTest
	for _, t := range all {
		fits := filter.MatchString(t.name()) && (flags.tag == "" || slices.Contains(t.saved.Tags, flags.tag))
		if t.saved.Tool == "" || fits {
			chosen = append(chosen, t)
		}
	}
	return chosen
}

// noMatchError returns the error for flags that match no case, although there are cases.
// Otherwise a misspelt word would pass as a success.
func (flags testFlags) noMatchError(all []savedTest) error {
	var asked, there []string
	if flags.filter != "" {
		asked = append(asked, "matches --filter "+flags.filter)
		there = append(there, "they are "+firstNames(all, func(t savedTest) []string { return []string{t.name()} }))
	}
	if flags.tag != "" {
		asked = append(asked, "has the tag "+flags.tag)
		there = append(there, tagsOf(all))
	}
	return fmt.Errorf("nothing was tested: none of the %d cases %s; %s", len(all), strings.Join(asked, " and "), strings.Join(there, "; "))
}

func tagsOf(all []savedTest) string {
	if tags := firstNames(all, func(t savedTest) []string { return t.saved.Tags }); tags != "" {
		return "the tags are " + tags
	}
	return "none of them has tags"
}

// firstNames returns the first few of the words, each once.
func firstNames(all []savedTest, of func(savedTest) []string) string {
	const most = 12
	var words []string
	for _, t := range all {
		for _, word := range of(t) {
			if !slices.Contains(words, word) {
				words = append(words, word)
			}
		}
		if len(words) > most {
			return strings.Join(words[:most], ", ") + " …"
		}
	}
	return strings.Join(words, ", ")
}
