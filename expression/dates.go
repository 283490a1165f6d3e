package expression

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// dateLayouts are the forms in which a date may come.
var dateLayouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", time.DateOnly, time.RFC1123Z, time.RFC1123,
}

// dateParts are the parts of a form, as FORMAT_DATE takes it.
var dateParts = map[string]string{
	"YYYY": "2006", "YY": "06", "MMMM": "January", "MMM": "Jan", "MM": "01", "M": "1", "DD": "02", "D": "2",
	"dddd": "Monday", "ddd": "Mon", "HH": "15", "hh": "03", "h": "3", "mm": "04", "m": "4", "ss": "05", "s": "5",
	"A": "PM", "a": "pm", "Z": "Z07:00",
}

var datePart = regexp.MustCompile(`\[[^\]]*\]|YYYY|YY|MMMM|MMM|MM|M|DD|D|dddd|ddd|HH|hh|h|mm|m|ss|s|A|a|Z`)

// formatDate writes a date, its form being YYYY-MM-DD unless it is said. What
// stands in brackets there is text.
func formatDate(p []any) (any, error) {
	at, err := date(p[0])
	if err != nil {
		return nil, err
	}
	form := "YYYY-MM-DD"
	if len(p) > 1 {
		form = text(p[1])
	}
	return datePart.ReplaceAllStringFunc(form, func(part string) string {
		if strings.HasPrefix(part, "[") {
			return strings.Trim(part, "[]")
		}
		return at.Format(dateParts[part])
	}), nil
}

// date reads a date; a number is the milliseconds since 1970.
func date(v any) (time.Time, error) {
	if ms, ok := whole(v); ok {
		return time.UnixMilli(int64(ms)).UTC(), nil
	}
	if at, ok := v.(time.Time); ok {
		return at, nil
	}
	for _, layout := range dateLayouts {
		if at, err := time.Parse(layout, text(v)); err == nil {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf("%s is no date", describe(v))
}
