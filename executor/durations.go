package executor

import (
	"fmt"
	"strconv"
	"time"
)

// FormatDuration returns a duration as people read it, such as "0.4 ms", "312 ms", "14.7 s", "2 min 5 s" and
// "3 h 20 min".
func FormatDuration(d time.Duration) string {
	switch {
	case d < 10*time.Millisecond:
		return formatFraction(d, time.Millisecond) + " ms"
	case d.Round(time.Millisecond) < time.Second:
		return fmt.Sprintf("%d ms", d.Round(time.Millisecond).Milliseconds())
	case d.Round(100*time.Millisecond) < time.Minute:
		return formatFraction(d, time.Second) + " s"
	case d.Round(time.Second) < time.Hour:
		return formatParts(d.Round(time.Second), time.Minute, "min", time.Second, "s")
	}
	return formatParts(d.Round(time.Minute), time.Hour, "h", time.Minute, "min")
}

// formatFraction returns how many units a duration has, with at most one digit after the point.
func formatFraction(d, unit time.Duration) string {
	tenths := float64(d.Round(unit/10)) / float64(unit)
	return strconv.FormatFloat(tenths, 'f', -1, 64)
}

// formatParts returns a duration in a large and a small unit, without the small one if it is 0.
func formatParts(d, large time.Duration, largeName string, small time.Duration, smallName string) string {
	text := fmt.Sprintf("%d %s", d/large, largeName)
	if rest := d % large / small; rest > 0 {
		text += fmt.Sprintf(" %d %s", rest, smallName)
	}
	return text
}
