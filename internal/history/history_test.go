package history

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/journal"
)

var began = time.Date(2026, 7, 11, 9, 15, 0, 0, time.UTC)

// runAfter returns a run of the tool look that began some hours after the first.
func runAfter(hours int, took time.Duration, fault *journal.Error) executor.PastRun {
	at := began.Add(time.Duration(hours) * time.Hour)
	return executor.PastRun{
		Run: at.Format("20060102T150405Z"), Time: at.Format(time.RFC3339), Tool: "look", File: "/shop/🧭.tools.abl", Kind: "http",
		Args: json.RawMessage(`{}`), OK: new(fault == nil), Error: fault, DurationMS: float64(took) / float64(time.Millisecond),
	}
}

var (
	notFound  = &journal.Error{Kind: "remote", Code: "http-404", Message: "a.b answered 404 Not Found"}
	cancelled = &journal.Error{Kind: "timeout", Code: "cancelled", Message: "cancelled"}
	asked     = &journal.Error{Kind: "needs", Code: "confirmation", Message: "confirm"}
)

func TestCompare(t *testing.T) {
	older, newer := runAfter(0, time.Second, nil), runAfter(1, 2*time.Second, nil)
	older.Args, older.Value = json.RawMessage(`{"city": "Rome", "a b": 10.50}`), json.RawMessage(`{"days": [{"high": 21}, 2, null]}`)
	newer.Args, newer.Value = json.RawMessage(`{"city": "Rome", "a b": 10.5}`), json.RawMessage(`{"days": [{"high": 22}, 2], "🧭": {}}`)
	failed := runAfter(2, time.Second, notFound)
	failed.Environment = "live"
	for name, tt := range map[string]struct {
		one, other executor.PastRun
		want       []string
	}{
		"the same":      {older, older, nil},
		"in any order":  {newer, older, []string{`args["a b"] 10.50 10.5`, `value.days[0].high 21 22`, `value.days[2] null `, `value["🧭"]  {}`}},
		"ended apart":   {runAfter(0, 1, nil), failed, []string{`environment  "live"`, `outcome "ok" "failed"`, `error  "Failed: the server answered 404: a.b answered 404 Not Found"`}},
		"a null and no": {older, executor.PastRun{Run: "3", Tool: "look", File: older.File, OK: new(true), Value: json.RawMessage("null")}, []string{`args {"a b":10.50,"city":"Rome"} `, `value {"days":[{"high":21},2,null]} null`}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, d := range Compare(tt.one, tt.other).Differences {
				got = append(got, fmt.Sprintf("%s %s %s", d.Path, d.Older, d.Newer))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFind(t *testing.T) {
	other := runAfter(2, 1, nil)
	other.Tool = "other"
	undo := runAfter(1, 1, nil)
	undo.Reverts = "x"
	rows := []executor.PastRun{runAfter(3, 1, nil), other, undo, runAfter(0, 1, nil)}
	if _, err := Find(rows, "nope"); err == nil {
		t.Error("a run that is not there was found")
	}
	if before, err := RunBefore(rows, rows[0]); err != nil || before.Run != rows[3].Run {
		t.Errorf("%s, %v", before.Run, err)
	}
	if _, err := RunBefore(rows, rows[3]); !errors.Is(err, ErrNoOther) {
		t.Errorf("before the first: %v", err)
	}
}

func TestText(t *testing.T) {
	lines, cut := runAfter(0, 1200*time.Millisecond, nil), runAfter(0, time.Second, notFound)
	lines.Args, lines.Value = json.RawMessage(`{"a":1}`), json.RawMessage(`"one\ntwo\n"`)
	cut.Value, cut.Cut = json.RawMessage(`"{\"a"`), &journal.Cut{Value: 70000}
	for name, tt := range map[string]struct {
		run  executor.PastRun
		want string
	}{
		"a text of lines": {lines, "outcome: ok (1.2 s)\ntool: look\nfile: /shop/🧭.tools.abl\narguments:\n{\n  \"a\": 1\n}\nvalue:\none\ntwo\n"},
		"a cut value":     {cut, "outcome: failed (1 s)\nFailed: the server answered 404: a.b answered 404 Not Found\ntool: look\nfile: /shop/🧭.tools.abl\narguments:\n{}\nvalue:\n{\"a\n… (the beginning of 70000 bytes)\n"},
		"without an end":  {executor.PastRun{Tool: "look"}, "outcome: did not end\ntool: look\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Text(executor.ListRun(tt.run))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// draw draws runs, of which the newest is the first, without the file's name.
func draw(t *testing.T, width int, rows ...executor.PastRun) string {
	t.Helper()
	var listed []executor.ListedRun
	for _, r := range rows {
		listed = append(listed, executor.ListRun(r))
	}
	var b strings.Builder
	err := Drawing{Width: width, Heading: func(tool, _ string) string { return tool }, Mark: func(m Mark) string { return string(m) }}.Draw(&b, SeriesOf(listed))
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPlot(t *testing.T) {
	local := func(hours int) string {
		return began.Add(time.Duration(hours) * time.Hour).Local().Format("2006-01-02 15:04")
	}
	undo := runAfter(10, time.Millisecond, nil)
	undo.Reverts = "x"
	noEnd := runAfter(9, 0, nil)
	noEnd.OK = nil
	const legend = "\n• a run   × a run that failed   ○ a run that was refused or cancelled\n"
	for name, tt := range map[string]struct {
		rows []executor.PastRun
		want string
	}{
		"nothing": {nil, legend[1:]},
		"one run": {
			[]executor.PastRun{runAfter(0, 30*time.Millisecond, nil)},
			"look\n1 run, none failed, median 30 ms, 95 % at most 30 ms, longest 30 ms\n100 ms | \n       | •\n 10 ms |\n       " + local(0) + "\n" + legend,
		},
		"several": {
			[]executor.PastRun{undo, noEnd, runAfter(10, 900*time.Millisecond, notFound), runAfter(8, 1, asked), runAfter(5, 10*time.Millisecond, cancelled), runAfter(5, 10*time.Millisecond, nil), runAfter(0, 100*time.Millisecond, nil)},
			"look\n4 runs, 1 failed, median 100 ms, 95 % at most 900 ms, longest 900 ms\n" +
				"   1 s |" + strings.Repeat(" ", 61) + "×\n       |\n100 ms | •\n       |\n 10 ms |" + strings.Repeat(" ", 31) + "○\n" +
				"       " + local(0) + strings.Repeat(" ", 63-32) + local(10) + "\n\n" +
				"look (undo)\n1 run, none failed, median 1 ms, 95 % at most 1 ms, longest 1 ms\n10 ms |\n      |\n 1 ms |" + strings.Repeat(" ", 62) + "•\n" +
				"      " + local(0) + strings.Repeat(" ", 64-32) + local(10) + "\n" + legend,
		},
	} {
		t.Run(name, func(t *testing.T) {
			want := strings.ReplaceAll(tt.want, "| \n", "|\n")
			if diff := cmp.Diff(want, draw(t, 70, tt.rows...)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestPlotFits checks that no line is wider than asked for, from 40 columns on.
func TestPlotFits(t *testing.T) {
	rows := []executor.PastRun{runAfter(100, 3*time.Hour, nil), runAfter(7, 90*time.Second, notFound), runAfter(0, 1, nil)}
	for _, width := range []int{0, 40, 47, 80, 200} {
		for line := range strings.Lines(draw(t, width, rows...)) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > max(width, 40) {
				t.Errorf("%d columns of %d: %s", n, width, line)
			}
		}
	}
}
