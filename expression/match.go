package expression

import (
	"fmt"
	"strings"
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
	if len(a) > maxMatched || len(b) > maxMatched {
		return 0, fmt.Errorf("a text of more than %d characters", maxMatched)
	}
	if len(a)+len(b) == 0 {
		return 1, nil
	}
	return 1 - float64(distance(a, b))/float64(max(len(a), len(b))), nil
}

func comparable(v any) []rune {
	return []rune(strings.ToLower(strings.Join(strings.Fields(text(v)), " ")))
}

// distance is how many characters must be put in, taken out or changed.
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		before := row[0]
		row[0] = i + 1
		for j := range b {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
