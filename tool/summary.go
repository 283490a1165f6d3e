package tool

import "strings"

// A summarizer is a Spec that describes what a run acts on. For other specs only the kind is known.
type summarizer interface {
	// summary begins with the kind, or is a request. URL returns what an endpoint leads to.
	summary(url func(endpoint string) string) string
}

// maxStatement is how many characters of a statement a summary has.
const maxStatement = 100

// Summary says in one line what a run does, such as `GET https://api.example.com/{id}` or
// `cli kubectl`. It is "" without a spec. URL returns what an endpoint leads to, since a
// base URL may be put before it.
func Summary(spec Spec, url func(endpoint string) string) string {
	switch s := spec.(type) {
	case nil:
		return ""
	case summarizer:
		return s.summary(url)
	default:
		return string(s.Kind())
	}
}

// OneLine returns a text with a single space for each run of white space, truncated to the given
// number of characters.
func OneLine(s string, limit int) string {
	s = spaced(s)
	if r := []rune(s); len(r) > limit {
		return string(r[:limit-1]) + "…"
	}
	return s
}

// spaced joins the words in parts with single spaces.
func spaced(parts ...string) string {
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}
