package history

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/abl-lsp/abl-lsp/executor"
)

// Series is the runs of one tool over time, without those that only asked for something, or whose
// end is not known.
type Series struct {
	Tool      string  `json:"tool"`
	File      string  `json:"file"`
	Runs      int     `json:"runs"`
	Failed    int     `json:"failed"`
	MedianMS  float64 `json:"median_ms"`
	P95MS     float64 `json:"p95_ms"` // 95 % of the runs took at most so long
	LongestMS float64 `json:"longest_ms"`
	Points    []Point `json:"points"` // the oldest first
}

// Point is one run of a series.
type Point struct {
	Run        string  `json:"run"`
	Time       string  `json:"time"`
	DurationMS float64 `json:"duration_ms"`
	Outcome    string  `json:"outcome"`
}

// SeriesOf returns a series for each tool among runs, by the names of the tools. The newest run is the
// first of rows. Runs that revert others are series of their own.
func SeriesOf(rows []executor.ListedRun) []Series {
	byTool := map[[2]string]Series{}
	for _, r := range slices.Backward(rows) {
		if r.Outcome == executor.OutcomeNotRun || r.Outcome == executor.OutcomeNoEnd {
			continue
		}
		name := r.Tool
		if r.Reverts != "" {
			name += " (undo)"
		}
		s := byTool[[2]string{name, r.File}]
		s.Tool, s.File = name, r.File
		s.Points = append(s.Points, Point{r.Run, r.Time, r.DurationMS, r.Outcome})
		byTool[[2]string{name, r.File}] = s
	}
	all := []Series{}
	for s := range maps.Values(byTool) {
		s.summarize()
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b Series) int { return cmp.Or(cmp.Compare(a.Tool, b.Tool), cmp.Compare(a.File, b.File)) })
	return all
}

// summarize sets what can be computed from the points.
func (s *Series) summarize() {
	took := make([]float64, len(s.Points))
	for i, p := range s.Points {
		took[i] = p.DurationMS
		if p.Outcome == executor.OutcomeFailed {
			s.Failed++
		}
	}
	slices.Sort(took)
	at := func(share float64) float64 { return took[min(len(took)-1, int(share*float64(len(took))))] }
	s.Runs, s.MedianMS, s.P95MS, s.LongestMS = len(took), at(0.5), at(0.95), took[len(took)-1]
}

// Mark is how a run is drawn.
type Mark rune

// The marks of runs.
const (
	MarkOK     Mark = '•'
	MarkFailed Mark = '×'
	MarkOther  Mark = '○' // it was refused or cancelled
)

// Legend says what the marks mean.
const Legend = "• a run   × a run that failed   ○ a run that was refused or cancelled"

func markOf(outcome string) Mark {
	switch outcome {
	case executor.OutcomeOK:
		return MarkOK
	case executor.OutcomeFailed:
		return MarkFailed
	}
	return MarkOther
}

// Drawing says how to draw series.
type Drawing struct {
	Width   int                            // in columns; the least is 40
	Heading func(tool, file string) string // returns the line above the runs of a tool in a file
	Mark    func(m Mark) string            // returns a mark as it is shown
}

const leastWidth = 40

// Draw draws series below each other, over the same time: a mark for each run, the higher the longer
// it took, on a logarithmic scale. Below them is the legend.
func (d Drawing) Draw(out io.Writer, all []Series) error {
	d.Width = max(d.Width, leastWidth)
	var b strings.Builder
	first, last := timesOf(all)
	for _, s := range all {
		fmt.Fprintln(&b, d.Heading(s.Tool, filepath.Base(s.File)))
		b.WriteString(s.summary(d.Width))
		d.drawChart(&b, s, first, last)
		b.WriteByte('\n')
	}
	b.WriteString(wrapWords(strings.Split(Legend, "   "), "   ", d.Width))
	_, err := io.WriteString(out, b.String())
	return err
}

// timesOf returns when the first and the last run of all series began.
func timesOf(all []Series) (first, last time.Time) {
	for _, s := range all {
		for _, p := range s.Points {
			if at := timeOf(p); first.IsZero() || at.Before(first) {
				first = at
			}
			if at := timeOf(p); at.After(last) {
				last = at
			}
		}
	}
	return first, last
}

func timeOf(p Point) time.Time {
	at, _ := time.Parse(time.RFC3339, p.Time) // the executor has written it
	return at
}

// summary says how many runs there are, and how long they took.
func (s *Series) summary(width int) string {
	runs, failed := fmt.Sprintf("%d runs", s.Runs), fmt.Sprintf("%d failed", s.Failed)
	if s.Runs == 1 {
		runs = "1 run"
	}
	if s.Failed == 0 {
		failed = "none failed"
	}
	return wrapWords([]string{runs, failed, "median " + formatMS(s.MedianMS), "95 % at most " + formatMS(s.P95MS), "longest " + formatMS(s.LongestMS)}, ", ", width)
}

func formatMS(ms float64) string {
	return executor.FormatDuration(time.Duration(ms * float64(time.Millisecond)))
}

// wrapWords joins words to lines of at most width columns, each with its end.
func wrapWords(words []string, separator string, width int) string {
	var b strings.Builder
	used := 0
	for i, word := range words {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case used+len(separator)+n > width:
			b.WriteString(strings.TrimRight(separator, " ") + "\n")
			used = 0
		default:
			b.WriteString(separator)
			used += len(separator)
		}
		b.WriteString(word)
		used += n
	}
	return b.String() + "\n"
}

// drawChart draws one series: its marks, the durations beside them, and the time below.
func (d Drawing) drawChart(b *strings.Builder, s Series, first, last time.Time) {
	low, high := bounds(s.Points)
	decades := int(math.Round(math.Log10(high / low)))
	each := 1 // rows for each power of ten
	if decades <= 3 {
		each = 2
	}
	rows := decades*each + 1
	labels := make([]string, rows)
	margin := 0
	for i := 0; i < rows; i += each {
		labels[i] = formatMS(low * math.Pow10(i/each))
		margin = max(margin, len(labels[i]))
	}
	width := d.Width - margin - len(" | ")
	cells := s.cells(rows, width, low, high, first, last)
	for i := rows - 1; i >= 0; i-- {
		line := fmt.Sprintf("%*s | ", margin, labels[i])
		for _, m := range cells[i] {
			if m == 0 {
				line += " "
			} else {
				line += d.Mark(m)
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	for _, line := range timeAxis(first, last, width+2) {
		b.WriteString(strings.Repeat(" ", margin+1) + line + "\n")
	}
}

// cells returns the marks of a chart, by rows from the lowest and by columns. In a place with several
// runs a failure is shown.
func (s *Series) cells(rows, width int, low, high float64, first, last time.Time) [][]Mark {
	cells := make([][]Mark, rows)
	for i := range cells {
		cells[i] = make([]Mark, width)
	}
	span := last.Sub(first).Seconds()
	for _, p := range s.Points {
		x := 0
		if span > 0 {
			x = int(math.Round(timeOf(p).Sub(first).Seconds() / span * float64(width-1)))
		}
		share := math.Log10(max(p.DurationMS, low)/low) / math.Log10(high/low)
		cell := &cells[min(rows-1, int(math.Round(share*float64(rows-1))))][x]
		if m := markOf(p.Outcome); *cell == 0 || m == MarkFailed || m == MarkOther && *cell == MarkOK {
			*cell = m
		}
	}
	return cells
}

// bounds returns the powers of ten around durations, from 1 ms up.
func bounds(points []Point) (low, high float64) {
	low, high = math.Inf(1), 1
	for _, p := range points {
		low, high = min(low, max(p.DurationMS, 1)), max(high, p.DurationMS)
	}
	low = math.Pow(10, math.Floor(math.Log10(low)))
	return low, max(low*10, math.Pow(10, math.Ceil(math.Log10(high))))
}

// timeAxis returns when the first and the last run began, at the ends of a line, or of two if the
// width is too small for one.
func timeAxis(first, last time.Time, width int) []string {
	const layout = "2006-01-02 15:04"
	from, to := first.Local().Format(layout), last.Local().Format(layout)
	switch room := width - len(from) - len(to); {
	case from == to:
		return []string{from}
	case room < 1:
		return []string{from, fmt.Sprintf("%*s", width, to)}
	default:
		return []string{from + strings.Repeat(" ", room) + to}
	}
}
