package tool

import (
	"encoding/json"
	"math/big"
	"reflect"
	"regexp"
	"strings"

	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// ViolatedLimit returns the limit that a single value violates, such as "at least 1"; "" if the
// value is allowed. The value is as encoding/json decodes it with UseNumber.
func (p Param) ViolatedLimit(v any) (want string) {
	switch {
	case v == nil:
		return ""
	case len(p.AllowedValues) > 0 && !among(p.AllowedValues, v):
		return "one of " + listedValues(p.AllowedValues)
	case among(p.ExcludedValues, v):
		return "none of " + listedValues(p.ExcludedValues)
	case outside(v, p.MinValue, -1):
		return "at least " + string(p.MinValue)
	case outside(v, p.MaxValue, 1):
		return "at most " + string(p.MaxValue)
	}
	return ""
}

// ViolatedDefaultLimit is [Param.ViolatedLimit] for the default. For an array it returns the limit
// that the first wrong item violates.
func (p *Param) ViolatedDefaultLimit() (want string) {
	if !p.hasLimits() {
		return ""
	}
	v, err := exactjson.Decode[any](p.Default)
	if err != nil {
		return ""
	}
	items, isList := v.([]any)
	if !isList {
		items = []any{v}
	}
	for _, item := range items {
		if want = p.ViolatedLimit(item); want != "" {
			return want
		}
	}
	return ""
}

// hasLimits reports whether the parameter restricts the values of its type.
func (p *Param) hasLimits() bool {
	return len(p.AllowedValues) > 0 || len(p.ExcludedValues) > 0 || p.MinValue != "" || p.MaxValue != ""
}

// NoneBetween reports whether the smallest number allowed is greater than the largest one.
func (p Param) NoneBetween() bool {
	_, isNumber := p.MinValue.Float()
	return isNumber && outside(json.Number(p.MinValue), p.MaxValue, 1)
}

// among reports whether v equals a value in list. A text in list that looks like a regular
// expression is one, and matches any part of v's text.
func among(list []json.RawMessage, v any) bool {
	for _, raw := range list {
		one, err := exactjson.Decode[any](raw)
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

// IsPattern reports whether an allowed or excluded text is a regular expression.
func IsPattern(text string) bool { return regexp.QuoteMeta(text) != text }

func fitsPattern(one, v any) bool {
	pattern, ok := one.(string)
	if !ok || !IsPattern(pattern) {
		return false
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return false
	}
	text, isText := v.(string)
	if !isText {
		text = string(exactjson.EncodeOrNil(v))
	}
	return re.MatchString(text)
}

func listedValues(values []json.RawMessage) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = strings.Trim(string(v), `"`)
	}
	return strings.Join(texts, ", ")
}

// outside reports whether v is a number beyond limit: greater if side is 1, less if side is -1. It
// is false if limit is missing or a placeholder.
func outside(v any, limit Number, side int) bool {
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

// exactly parses n. If the exponent of n is too small or too large, the result is 0 or infinite.
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
