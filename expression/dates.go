package expression

import (
	"fmt"
	"strings"
	"time"
	_ "time/tzdata" // of systems that have none

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// dateLayouts are the layouts in which a date may be written.
var dateLayouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", time.DateOnly, time.RFC1123Z, time.RFC1123,
}

// dateParts replaces the placeholders of a format by Go's.
var dateParts = strings.NewReplacer("YYYY", "2006", "MM", "01", "DD", "02", "HH", "15", "mm", "04", "ss", "05")

// datePart matches a placeholder of a format. Everything else in a format is literal text.
var datePart = lazyregexp.New(`YYYY|MM|DD|HH|mm|ss`)

// formatDate writes a date in a format, YYYY-MM-DD by default, and in the named time zone, by
// default that of the date.
func formatDate(p []any) (any, error) {
	at, err := parseDate(p[0])
	if err != nil {
		return nil, err
	}
	if len(p) > 2 && p[2] != nil {
		zone, err := time.LoadLocation(toText(p[2]))
		if err != nil {
			return nil, fmt.Errorf("%s is no time zone, such as Europe/Paris", describe(p[2]))
		}
		at = at.In(zone)
	}
	format := "YYYY-MM-DD"
	if len(p) > 1 && p[1] != nil {
		format = toText(p[1])
	}
	return datePart.ReplaceAllStringFunc(format, func(part string) string { return at.Format(dateParts.Replace(part)) }), nil
}

// parseDate reads a date from a text in one of dateLayouts. A number is milliseconds since 1970,
// UTC.
func parseDate(v any) (time.Time, error) {
	if ms, ok := toInt(v); ok {
		return time.UnixMilli(int64(ms)).UTC(), nil
	}
	if at, ok := v.(time.Time); ok {
		return at, nil
	}
	for _, layout := range dateLayouts {
		if at, err := time.Parse(layout, toText(v)); err == nil {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf("%s is no date", describe(v))
}
