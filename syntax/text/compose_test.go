package text

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCompose(t *testing.T) {
	const source = "one two three\n"
	first := []Edit{{Span{4, 7}, "2"}, {Span{0, 0}, "zero "}}
	then := []Edit{{Span{0, 4}, "nought"}, {Span{11, 16}, "3"}} // zero one 2 three
	got, err := Compose(source, first, then)
	if err != nil {
		t.Fatal(err)
	}
	want := []Edit{{Span{0, 0}, "nought "}, {Span{4, 7}, "2"}, {Span{8, 13}, "3"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestComposeRefuses(t *testing.T) {
	good, bad := []Edit{{Span{0, 1}, ""}}, []Edit{{Span{0, 3}, ""}}
	if _, err := Compose("ab", bad, nil); err == nil {
		t.Error("the first edits leave the text: no error")
	}
	if _, err := Compose("ab", good, []Edit{{Span{0, 2}, ""}}); err == nil {
		t.Error("the second edits leave the text: no error")
	}
}

// TestComposeRandom: the edits together make what they make one after the other.
func TestComposeRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		source := strings.Repeat("abcdefg", r.IntN(4))
		first := someEdits(r, len(source))
		middle, err := Apply(source, first...)
		if err != nil {
			t.Fatal(err)
		}
		then := someEdits(r, len(middle))
		want, err := Apply(middle, then...)
		if err != nil {
			t.Fatal(err)
		}
		both, err := Compose(source, first, then)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Apply(source, both...); err != nil || got != want {
			t.Fatalf("%q, %v, then %v: %v gives %q, %v; want %q", source, first, then, both, got, err, want)
		}
	}
}

// someEdits are edits of a text of n bytes that do not overlap.
func someEdits(r *rand.Rand, n int) []Edit {
	var edits []Edit
	for at := r.IntN(5); at <= n; at += r.IntN(5) {
		end := min(n, at+r.IntN(4))
		edits = append(edits, Edit{Span{at, end}, strings.Repeat("X", r.IntN(3))})
		at = end
	}
	return edits
}
