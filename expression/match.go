package expression

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// maxMatched is the most characters of a text that is compared with others.
const maxMatched = 1000

// matchScore is between 0, nothing in common, and 1, equal but for case and blanks:
// the share of characters that need no change.
func matchScore(p []any) (any, error) { return score(p[0], p[1]) }

// matchResult is the candidate that fits best, the first of equals; null where none
// has anything in common.
func (b *budget) matchResult(p []any) (any, error) {
	candidates := p[1:]
	if list, ok := p[1].([]any); ok && len(p) == 2 {
		candidates = list
	}
	var best any
	most := 0.0
	for _, c := range candidates {
		if err := b.check(); err != nil {
			return nil, err
		}
		s, err := score(p[0], c)
		if err != nil {
			return nil, err
		}
		if s > most {
			best, most = c, s
		}
	}
	return best, nil
}

func score(x, y any) (float64, error) {
	a, b := comparable(x), comparable(y)
	longer := max(utf8.RuneCountInString(a), utf8.RuneCountInString(b))
	if longer > maxMatched {
		return 0, fmt.Errorf("a text of more than %d characters", maxMatched)
	}
	if longer == 0 {
		return 1, nil
	}
	return 1 - float64(levenshtein.ComputeDistance(a, b))/float64(longer), nil
}

func comparable(v any) string {
	return strings.ToLower(strings.Join(strings.Fields(text(v)), " "))
}
