package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestQuantile(t *testing.T) {
	values := []int{5, 1, 4, 2, 3}
	for part, want := range map[float64]int{0: 1, 0.5: 3, 0.8: 4, 0.99: 5, 1: 5} {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			if got := quantile(values, part); got != want {
				t.Errorf("quantile(%v) = %d, want %d", part, got, want)
			}
		})
	}
}

func TestRound(t *testing.T) {
	for value, want := range map[float64]float64{0: 0, 0.12345: 0.123, 4.8149: 4.81, 79.96: 80, 9999: 10000, 12345: 12300} {
		t.Run(fmt.Sprint(value), func(t *testing.T) {
			if got := roundFigure(value); got != want {
				t.Errorf("round(%v) = %v, want %v", value, got, want)
			}
		})
	}
}

func TestTable(t *testing.T) {
	got := historyTable([]historyEntry{
		{Version: "a", Figures: figures{"keystroke_10000_every_150_p50_ms": 8}},
		{Version: "b", Figures: figures{"keystroke_10000_every_150_p50_ms": 5, "check_mib": 130}},
		{
			Version: "c", Figures: figures{"keystroke_10000_every_150_p50_ms": 4, "check_mib": 130},
			Others: map[string]figures{"tombi": {"keystroke_10000_every_150_p50_ms": 80}},
		},
	})
	want := `| | a | c | goal | beside it | ratio | its goal |
|---|---|---|---|---|---|---|
| keystroke, 10,000 lines, each 150 ms, p50 | 8 ms | 4 ms | 2 ms | tombi 80 ms | 0.05 | 0.05 |
| check of 2,000 files, peak memory | – | 130 MiB | 120 MiB | – | – | – |
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	page, err := replaceTable("Before\n<!-- What follows is written by make bench. -->\nold\n<!-- What is above is written by make bench. -->\nAfter\n", got)
	if err != nil || !strings.HasPrefix(page, "Before\n") || !strings.HasSuffix(page, "After\n") || !strings.Contains(page, got) || strings.Contains(page, "old") {
		t.Errorf("%s %v", page, err)
	}
}

func TestHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bench", "history.jsonl")
	want := []historyEntry{
		{Date: "2026-01-02", Version: "a", Machine: thisMachine(), Figures: figures{"check_ms": 10000}},
		{Date: "2026-01-03", Version: "b<", Machine: thisMachine(), Figures: figures{"check_ms": 2000}, Others: map[string]figures{"tombi": {"check_ms": 2100}}},
	}
	for _, e := range want {
		if err := appendEntry(path, e); err != nil {
			t.Fatal(err)
		}
	}
	got, err := readHistory(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	svg, err := plotSVG(got)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{">10000<", ">2000<", "goal 2000", "tombi 2100", "b&lt;"} {
		if !strings.Contains(string(svg), part) {
			t.Errorf("the plot has no %q", part)
		}
	}
	for tokens := xml.NewDecoder(strings.NewReader(string(svg))); ; {
		if _, err := tokens.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
