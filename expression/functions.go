package expression

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/expr-lang/expr/vm/runtime"
)

// function is the implementation of a function.
type function struct {
	minArgs, maxArgs int // arguments; most is -1 where there may be any number
	call             func(p []any) (any, error)
}

// toList turns a list of any type into a []any; false if v is no list.
func toList(v any) ([]any, bool) {
	r := reflect.ValueOf(v)
	if _, ok := v.([]any); ok || r.Kind() != reflect.Slice {
		return nil, false
	}
	list := make([]any, r.Len())
	for i := range list {
		list[i] = r.Index(i).Interface()
	}
	return list, true
}

func isList(p []any) (any, error) { _, ok := p[0].([]any); return ok, nil }
func isText(p []any) (any, error) { _, ok := p[0].(string); return ok, nil }

func isNumber(v any) bool {
	switch v.(type) {
	case int, int64, float64, json.Number:
		return true
	}
	return false
}

// checkNumbers returns an error if one of the values is no number to compute with.
func checkNumbers(p []any) error {
	for _, v := range p {
		switch v.(type) {
		case int, int64, float64:
		default:
			return fmt.Errorf("%s is no number", describe(v))
		}
	}
	return nil
}

func describe(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case map[string]any:
		return "an object"
	case []any:
		return "a list"
	}
	return strconv.Quote(toText(v))
}

func findElement(p []any) (int, any, error) {
	list, ok := p[0].([]any)
	if !ok {
		return -1, nil, fmt.Errorf("%s is no list", describe(p[0]))
	}
	for i, v := range list {
		at := v
		if len(p) == 3 {
			at = memberOf(v, p[1])
		}
		if runtime.Equal(at, p[len(p)-1]) {
			return i, v, nil
		}
	}
	return -1, nil, nil
}

func length(p []any) (any, error) {
	switch v := p[0].(type) {
	case nil:
		return 0, nil
	case string:
		return len([]rune(v)), nil
	case []any:
		return len(v), nil
	case map[string]any:
		return len(v), nil
	}
	return nil, fmt.Errorf("%s has no length", describe(p[0]))
}

func toObject(v any) (map[string]any, error) {
	o, ok := v.(map[string]any)
	if !ok && v != nil {
		return nil, fmt.Errorf("%s is no object", describe(v))
	}
	return o, nil
}

// objectKeys returns the keys in sorted order, since a JSON object has no order.
func objectKeys(p []any) (any, error) {
	o, err := toObject(p[0])
	keys := []any{}
	for _, k := range slices.Sorted(maps.Keys(o)) {
		keys = append(keys, k)
	}
	return keys, err
}

func objectValues(p []any) (any, error) {
	o, err := toObject(p[0])
	values := []any{}
	for _, k := range slices.Sorted(maps.Keys(o)) {
		values = append(values, o[k])
	}
	return values, err
}

func objectMerge(p []any) (any, error) {
	all := map[string]any{}
	for _, v := range p {
		o, err := toObject(v)
		if err != nil {
			return nil, err
		}
		maps.Copy(all, o)
	}
	return all, nil
}

// firstMatching makes a function that returns the first argument that satisfies a condition, nil if
// none does.
func firstMatching(good func(any) bool) func(p []any) (any, error) {
	return func(p []any) (any, error) {
		if i := slices.IndexFunc(p, good); i >= 0 {
			return p[i], nil
		}
		return nil, nil
	}
}

func isEmptyValue(v any) bool {
	n, err := length([]any{v})
	return err == nil && n == 0
}

func ifElse(p []any) (any, error) {
	held, ok := p[0].(bool)
	switch {
	case !ok && p[0] != nil:
		return nil, errors.New("the condition is neither true nor false")
	case held:
		return p[1], nil
	case len(p) == 3:
		return p[2], nil
	}
	return nil, nil
}
