package expression

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/vm/runtime"
)

// arithmetic computes with two numbers.
func arithmetic(do func(a, b any) (any, error)) func(p []any) (any, error) {
	return func(p []any) (any, error) {
		if err := numbers(p); err != nil {
			return nil, err
		}
		v, err := do(p[0], p[1])
		if err != nil {
			return nil, err
		}
		return v, finite(v)
	}
}

// quotient is null where something is divided by zero.
func quotient(p []any) (any, error) {
	if runtime.Equal(p[1], 0) {
		return nil, numbers(p)
	}
	return arithmetic(divide)(p)
}

func absolute(p []any) (any, error) {
	if err := numbers(p); err != nil {
		return nil, err
	}
	return extreme(runtime.More)([]any{p[0], runtime.Negate(p[0])})
}

var errWhole = errors.New("the result is a whole number of more than 64 bits")

// sum, subtract and multiply give no whole number that is another one.
func sum(a, b any) (any, error) {
	x, y, whole := integers(a, b)
	if s := x + y; whole && (s > x) != (y > 0) {
		return nil, errWhole
	}
	return runtime.Add(a, b), nil
}

func subtract(a, b any) (any, error) {
	x, y, whole := integers(a, b)
	if d := x - y; whole && (d < x) != (y > 0) {
		return nil, errWhole
	}
	return runtime.Subtract(a, b), nil
}

func multiply(a, b any) (any, error) {
	x, y, whole := integers(a, b)
	if m := x * y; whole && x != 0 && (m/x != y || x == -1 && y == math.MinInt) {
		return nil, errWhole
	}
	return runtime.Multiply(a, b), nil
}

func divide(a, b any) (any, error) { return runtime.Divide(a, b), nil }

// integers are two whole numbers; false where one is something else.
func integers(a, b any) (x, y int, ok bool) {
	x, left := a.(int)
	y, right := b.(int)
	return x, y, left && right
}

// extreme gives the number that is more so than all others. A list stands for its
// elements.
func extreme(more func(a, b any) bool) func(p []any) (any, error) {
	return func(p []any) (any, error) {
		if list, ok := p[0].([]any); ok && len(p) == 1 {
			p = list
		}
		if err := numbers(p); err != nil || len(p) == 0 {
			return nil, err
		}
		best := p[0]
		for _, v := range p[1:] {
			if more(v, best) {
				best = v
			}
		}
		return best, nil
	}
}

// round rounds by the decimal digits that the number shows, halves away from zero:
// 1.005 to two digits is 1.01.
func round(p []any) (any, error) {
	if err := numbers(p); err != nil {
		return nil, err
	}
	digits, err := count(p, 1, 0)
	if err != nil {
		return nil, err
	}
	f, ok := p[0].(float64)
	if !ok || digits > 300 {
		return p[0], nil
	}
	scaled, err := strconv.ParseFloat(strconv.FormatFloat(f, 'f', -1, 64)+"e"+strconv.Itoa(digits), 64)
	if err != nil {
		return nil, err
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(math.Round(scaled), 'f', -1, 64)+"e"+strconv.Itoa(-digits), 64)
	if digits <= 0 && math.Abs(rounded) < 1<<53 {
		return int(rounded), err
	}
	return rounded, err
}

// count is a whole number among the arguments.
func count(p []any, i, usual int) (int, error) {
	if i >= len(p) || p[i] == nil {
		return usual, nil
	}
	n, ok := whole(p[i])
	if !ok {
		return 0, fmt.Errorf("%s is no whole number", describe(p[i]))
	}
	return n, nil
}

// toNumber is null for what is no number.
func toNumber(p []any) (any, error) {
	switch v := p[0].(type) {
	case bool:
		return map[bool]int{true: 1}[v], nil
	case string:
		s := strings.TrimSpace(v)
		if !json.Valid([]byte(s)) || strings.ContainsAny(s, `"[{tfn`) {
			return nil, nil
		}
		return native(json.Number(s)), nil
	}
	if !isNumber(p[0]) {
		return nil, nil
	}
	return p[0], nil
}

func ordinal(p []any) (any, error) {
	n, ok := whole(p[0])
	if !ok {
		return nil, fmt.Errorf("%s is no whole number", describe(p[0]))
	}
	suffix := "th"
	if last, tens := abs(n)%10, abs(n)/10%10; tens != 1 && last >= 1 && last <= 3 {
		suffix = [...]string{1: "st", 2: "nd", 3: "rd"}[last]
	}
	return strconv.Itoa(n) + suffix, nil
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
