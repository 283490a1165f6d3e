package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Number is a numeric property as written: decimal digits, a {{…}}
// placeholder that a run fills in, or "" where nothing is said.
type Number string

// Int is the number's whole part. ok is false where nothing is said or a
// placeholder stands.
func (n Number) Int() (v int64, ok bool) {
	f, err := strconv.ParseFloat(string(n), 64)
	return int64(f), err == nil
}

// Float is the number. ok is false where nothing is said or a placeholder
// stands.
func (n Number) Float() (v float64, ok bool) {
	f, err := strconv.ParseFloat(string(n), 64)
	return f, err == nil
}

// UnmarshalJSON takes a JSON number, or a string that holds a placeholder or
// a quoted number.
func (n *Number) UnmarshalJSON(b []byte) error {
	s, err := scalar(b)
	if err != nil {
		return err
	}
	if _, err := strconv.ParseFloat(s, 64); err != nil && !strings.Contains(s, "{{") {
		return fmt.Errorf("%q is not a number", s)
	}
	*n = Number(s)
	return nil
}

// Flag is a yes-or-no property: "true", "false", a {{…}} placeholder, or ""
// where nothing is said.
type Flag string

// Is reports whether the flag says v outright.
func (f Flag) Is(v bool) bool { return string(f) == strconv.FormatBool(v) }

// UnmarshalJSON takes a JSON boolean, or a string that holds one or a
// placeholder.
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
		if !strings.Contains(s, "{{") {
			return fmt.Errorf("%q is neither true nor false", s)
		}
		*f = Flag(s)
	}
	return nil
}

// scalar is the text of a JSON string, number or boolean.
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
