package toolbox

import (
	"encoding/json"
	"strconv"
	"time"
)

// milliseconds reads a duration of Go, such as 30s. ok is false if it is none, negative or not a
// whole number of milliseconds.
func milliseconds(text string) (ms json.Number, ok bool) {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || d%time.Millisecond != 0 {
		return "", false
	}
	return json.Number(strconv.FormatInt(d.Milliseconds(), 10)), true
}

// duration writes milliseconds as a duration of Go, in one unit.
func duration(ms int64) string {
	const second, minute = 1000, 60 * 1000
	switch {
	case ms%minute == 0 && ms > 0:
		return strconv.FormatInt(ms/minute, 10) + "m"
	case ms%second == 0:
		return strconv.FormatInt(ms/second, 10) + "s"
	}
	return strconv.FormatInt(ms, 10) + "ms"
}
