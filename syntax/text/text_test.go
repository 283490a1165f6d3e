package text

import (
	"fmt"
	"strings"
	"testing"
)

func TestSpan(t *testing.T) {
	s := Span{2, 5}
	if s.Len() != 3 || s.Empty() || !(Span{4, 4}).Empty() || s.Shift(-2) != (Span{0, 3}) {
		t.Errorf("Len, Empty or Shift of %v is wrong", s)
	}
	for offset, want := range map[int][2]bool{
		1: {false, false}, 2: {true, true}, 4: {true, true}, 5: {false, true}, 6: {false, false},
	} {
		t.Run(fmt.Sprint(offset), func(t *testing.T) {
			if got := [2]bool{s.Contains(offset), s.Touches(offset)}; got != want {
				t.Errorf("%v: Contains, Touches of %d = %v, want %v", s, offset, got, want)
			}
		})
	}
}

func TestApply(t *testing.T) {
	tests := []struct {
		name, text string
		edits      []Edit
		want       string
	}{
		{"none", "abc", nil, "abc"},
		{"any order", "abcdef", []Edit{{Span{4, 5}, "E"}, {Span{0, 1}, ""}}, "bcdEf"},
		{"insertions keep their order", "ab", []Edit{{Span{1, 1}, "1"}, {Span{1, 1}, "2"}}, "a12b"},
		{"insertion before a deletion", "ab", []Edit{{Span{1, 2}, ""}, {Span{1, 1}, "x"}}, "ax"},
		{"ends", "ab", []Edit{{Span{0, 0}, "<"}, {Span{2, 2}, ">"}}, "<ab>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Apply(tt.text, tt.edits...)
			if err != nil || got != tt.want {
				t.Errorf("Apply = %q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

func TestApplyRefuses(t *testing.T) {
	for name, edits := range map[string][]Edit{
		"overlap":         {{Span{0, 2}, ""}, {Span{1, 3}, ""}},
		"beyond the end":  {{Span{2, 4}, ""}},
		"before the text": {{Span{-1, 0}, ""}},
		"reversed":        {{Span{2, 1}, ""}},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := Apply("abc", edits...); err == nil {
				t.Errorf("%s: Apply = %q, want an error", name, got)
			} else if !strings.Contains(err.Error(), "of 3 bytes") {
				t.Errorf("%s: error %q does not say how long the text is", name, err)
			}
		})
	}
}
