package expression

import (
	"errors"
	"fmt"
	"math"
	"reflect"
)

// maxWeight limits the weight of a value, which is about the size of its JSON in bytes. A part that
// is in it twice counts twice, so that a short expression cannot double a list again and again.
const maxWeight = 64 << 20

var (
	errWeight = fmt.Errorf("a value of more than %d MB", maxWeight>>20)
	errFinite = errors.New("the result is no number: is something divided by zero?")
)

// remainingWeight subtracts the weight of a value from left; the result is negative if the value is
// too heavy.
func remainingWeight(v any, left int) int {
	left -= 2
	if left < 0 {
		return left
	}
	switch v := v.(type) {
	case string:
		return left - len(v)
	case []any:
		for _, x := range v {
			if left = remainingWeight(x, left); left < 0 {
				return left
			}
		}
	case map[string]any:
		for k, x := range v {
			if left = remainingWeight(x, left-len(k)); left < 0 {
				return left
			}
		}
	default:
		if r := reflect.ValueOf(v); r.Kind() == reflect.Slice { // of one type, as 1..9 makes it
			return left - 2*r.Len()
		}
	}
	return left
}

// checkFinite returns an error for a number that JSON cannot express.
func checkFinite(v any) error {
	switch v := v.(type) {
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return errFinite
		}
	case []any:
		for _, x := range v {
			if err := checkFinite(x); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, x := range v {
			if err := checkFinite(x); err != nil {
				return err
			}
		}
	}
	return nil
}
