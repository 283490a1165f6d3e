package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Number is a numeric property as written: decimal digits, a {{…}} placeholder that a run fills in,
// or "" if it is missing.
type Number string

// Int returns the integer part of the number. ok is false if the property is missing or a
// placeholder, or an int64 cannot hold the number.
func (n Number) Int() (v int64, ok bool) {
	if v, err := strconv.ParseInt(string(n), 10, 64); err == nil {
		return v, true
	}
	f, ok := n.Float()
	if !ok || math.Abs(f) >= math.MaxInt64 {
		return 0, false
	}
	return int64(f), true
}

// Float returns the number. ok is false if the property is missing or a placeholder.
func (n Number) Float() (v float64, ok bool) {
	if !isNumber(string(n)) {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(n), 64)
	return f, err == nil
}

// UnmarshalJSON reads a JSON number, or a string that holds a placeholder or a quoted number.
func (n *Number) UnmarshalJSON(b []byte) error {
	s, err := scalar(b)
	if err != nil {
		return err
	}
	if !isNumber(s) && !hasPlaceholder(s) {
		return fmt.Errorf("%q is not a number", s)
	}
	*n = Number(s)
	return nil
}

// isNumber reports whether s is a decimal number as JSON writes them, leading
// zeros allowed.
func isNumber(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || digits[0] < '0' || digits[0] > '9' {
		return false
	}
	digits = strings.TrimLeft(digits, "0")
	if digits == "" || digits[0] < '0' || digits[0] > '9' {
		digits = "0" + digits
	}
	return json.Valid([]byte(digits))
}

func hasPlaceholder(s string) bool { return strings.Contains(s, "{{") }

// Flag is a yes-or-no property: "true", "false", a {{…}} placeholder, or "" if it is missing.
type Flag string

// Is reports whether the flag explicitly has the value v.
func (f Flag) Is(v bool) bool { return string(f) == strconv.FormatBool(v) }

// UnmarshalJSON reads a JSON boolean, or a string that holds one or a placeholder.
func (f *Flag) UnmarshalJSON(b []byte) error {
	s, err := scalar(b)
	if err != nil {
		return err
	}
	switch strings.ToLower(s) {
	case "true", "yes":
		*f = "true"
	case "false", "no":
		*f = "false"
	default:
		if !hasPlaceholder(s) {
			return fmt.Errorf("%q is neither true nor false", s)
		}
		*f = Flag(s)
	}
	return nil
}

// scalar returns the text of a JSON string, number or boolean.
func scalar(b []byte) (string, error) {
	b = bytes.TrimSpace(b)
	if len(b) > 0 && b[0] == '"' {
		var s string
		err := json.Unmarshal(b, &s)
		return s, err
	}
	if len(b) == 0 || b[0] == '{' || b[0] == '[' {
		return "", fmt.Errorf("a single value is wanted, not %s", b)
	}
	return string(b), nil
}
