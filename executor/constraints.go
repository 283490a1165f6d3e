package executor

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"regexp"
	"strings"

	"github.com/abl-lsp/abl-lsp/tool"
)

// checkParam says where a value is not of a parameter's type, or is none of those
// that it may have. Of an array each element is held to that.
func checkParam(p tool.Param, v any) error {
	if err := check(p.Type, v, p.Name); err != nil {
		return err
	}
	return constrain(p, v, p.Name)
}

func constrain(p tool.Param, v any, path string) error {
	if list, ok := v.([]any); ok {
		for i, x := range list {
			if err := constrain(p, x, fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
		return nil
	}
	switch {
	case v == nil:
		return nil
	case len(p.AllowedValues) > 0 && !among(p.AllowedValues, v):
		return &mismatch{path: path, want: "one of " + listed(p.AllowedValues), got: v, beyond: true}
	case among(p.ExcludedValues, v):
		return &mismatch{path: path, want: "none of " + listed(p.ExcludedValues), got: v, beyond: true}
	case beyond(v, p.MinValue, -1):
		return &mismatch{path: path, want: "at least " + string(p.MinValue), got: v, beyond: true}
	case beyond(v, p.MaxValue, 1):
		return &mismatch{path: path, want: "at most " + string(p.MaxValue), got: v, beyond: true}
	}
	return nil
}

// among reports whether a value is one of a list. A text there that has the signs
// of a regular expression is one, which fits any part of the value's text.
func among(list []json.RawMessage, v any) bool {
	for _, raw := range list {
		one, err := decode(raw)
		if err != nil {
			continue
		}
		if equal(one, v) || fitsPattern(one, v) {
			return true
		}
	}
	return false
}

func equal(a, b any) bool {
	x, isNumber := a.(json.Number)
	y, also := b.(json.Number)
	if isNumber && also {
		return compare(x, y) == 0
	}
	return reflect.DeepEqual(a, b)
}

func fitsPattern(one, v any) bool {
	pattern, ok := one.(string)
	if !ok || regexp.QuoteMeta(pattern) == pattern {
		return false
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return false
	}
	text, isText := v.(string)
	if !isText {
		text = string(encode(v))
	}
	return re.MatchString(text)
}

func listed(values []json.RawMessage) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = strings.Trim(string(v), `"`)
	}
	return Shorten(strings.Join(texts, ", "), 200)
}

// beyond reports whether a number lies on that side of a limit.
func beyond(v any, limit tool.Number, side int) bool {
	n, ok := v.(json.Number)
	if !ok || limit == "" {
		return false
	}
	_, isNumber := limit.Float()
	return isNumber && compare(n, json.Number(limit)) == side
}

// precision holds every digit that a person writes.
const precision = 1024

func compare(a, b json.Number) int { return exactly(a).Cmp(exactly(b)) }

// exactly is a number; beyond all exponents it is 0 or infinite.
func exactly(n json.Number) *big.Float {
	f, _, err := big.ParseFloat(string(n), 10, precision, big.ToNearestEven)
	switch {
	case err == nil:
		return f
	case strings.ContainsAny(string(n), "eE") && strings.Contains(string(n[1:]), "-"):
		return new(big.Float)
	}
	return new(big.Float).SetInf(n[0] == '-')
}
