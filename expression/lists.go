package expression

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/expr-lang/expr/vm/runtime"
)

// maxElements is the most elements that a list may get.
const maxElements = 1_000_000

var errElements = fmt.Errorf("a list of more than %d elements", maxElements)

// boundedFunctions replace functions of expr-lang that could take any time, make a value of any
// size or round a number.
func (b *budget) boundedFunctions() map[string]function {
	return map[string]function{
		"repeat":   {2, 2, repeat},
		"replace":  {3, 3, replace},
		"join":     {1, 2, join},
		"split":    {2, 3, splitText},
		"string":   callableFunctions()["TO_STRING"],
		"toJSON":   {1, 1, toJSON},
		"fromJSON": {1, 1, fromJSON},
		"concat":   {1, -1, concat},
		"flatten":  {1, 1, func(p []any) (any, error) { return appendFlattened([]any{}, p[0]) }},
		"uniq":     {1, 1, b.uniqueElements},
	}
}

func toJSON(p []any) (any, error) {
	raw, err := json.Marshal(p[0])
	return string(raw), err
}

// fromJSON parses a text. Its numbers become what the arguments of an expression are.
func fromJSON(p []any) (any, error) {
	s, ok := p[0].(string)
	switch {
	case !ok:
		return nil, fmt.Errorf("%s is no text", describe(p[0]))
	case strings.Count(s, ",") > maxElements:
		return nil, errElements
	}
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if d.More() {
		return nil, errors.New("something follows the value")
	}
	return toNative(v), nil
}

func concat(p []any) (any, error) {
	out := []any{}
	for _, v := range p {
		list, ok := v.([]any)
		switch {
		case !ok:
			return nil, fmt.Errorf("%s is no list", describe(v))
		case len(out)+len(list) > maxElements:
			return nil, errElements
		}
		out = append(out, list...)
	}
	return out, nil
}

// appendFlattened appends the elements of a list, and of the lists in it.
func appendFlattened(out []any, v any) ([]any, error) {
	list, ok := elementsOf(v)
	if !ok {
		return nil, fmt.Errorf("%s is no list", describe(v))
	}
	for _, x := range list {
		if _, ok := elementsOf(x); ok {
			var err error
			if out, err = appendFlattened(out, x); err != nil {
				return nil, err
			}
			continue
		}
		if out = append(out, x); len(out) > maxElements {
			return nil, errElements
		}
	}
	return out, nil
}

func elementsOf(v any) ([]any, bool) {
	if list, ok := v.([]any); ok {
		return list, true
	}
	return toList(v)
}

// uniqueElements returns the elements of a list; of equal ones, only the first.
func (b *budget) uniqueElements(p []any) (any, error) {
	list, ok := p[0].([]any)
	if !ok {
		return nil, fmt.Errorf("%s is no list", describe(p[0]))
	}
	out := []any{}
	for _, v := range list {
		if err := b.checkTime(); err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(out, func(one any) bool { return runtime.Equal(v, one) }) {
			out = append(out, v)
		}
	}
	return out, nil
}
