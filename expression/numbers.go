package expression

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/constant"
	"go/token"
	"math"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/vm/runtime"
)

// arithmetic makes a function that computes with two numbers.
func arithmetic(do func(a, b any) (any, error)) func(p []any) (any, error) {
	return func(p []any) (any, error) {
		if err := checkNumbers(p); err != nil {
			return nil, err
		}
		v, err := do(p[0], p[1])
		if err != nil {
			return nil, err
		}
		return v, checkFinite(v)
	}
}

// quotient divides two numbers; it is null if the divisor is zero.
func quotient(p []any) (any, error) {
	if runtime.Equal(p[1], 0) {
		return nil, checkNumbers(p)
	}
	return arithmetic(divide)(p)
}

func absolute(p []any) (any, error) {
	if err := checkNumbers(p); err != nil {
		return nil, err
	}
	return minOrMax(runtime.More)([]any{p[0], runtime.Negate(p[0])})
}

var errWhole = errors.New("the result is a whole number of more than 64 bits")

// exactArithmetic makes an operation that is exact for integers, with an error if the result does
// not fit into 64 bits; for other numbers it computes with floats.
func exactArithmetic(operator token.Token, floats func(a, b any) any) func(a, b any) (any, error) {
	return func(a, b any) (any, error) {
		x, left := a.(int)
		y, right := b.(int)
		if !left || !right {
			return floats(a, b), nil
		}
		result := constant.BinaryOp(constant.MakeInt64(int64(x)), operator, constant.MakeInt64(int64(y)))
		whole, exact := constant.Int64Val(result)
		if !exact {
			return nil, errWhole
		}
		return int(whole), nil
	}
}

var (
	sum      = exactArithmetic(token.ADD, runtime.Add)
	subtract = exactArithmetic(token.SUB, runtime.Subtract)
	multiply = exactArithmetic(token.MUL, runtime.Multiply)
)

func divide(a, b any) (any, error) { return runtime.Divide(a, b), nil }

// minOrMax makes a function that returns the argument that is more than all others. If the only
// argument is a list, it uses the list's elements; the result for an empty list is null.
func minOrMax(more func(a, b any) bool) func(p []any) (any, error) {
	return func(p []any) (any, error) {
		if list, ok := p[0].([]any); ok && len(p) == 1 {
			p = list
		}
		if err := checkNumbers(p); err != nil || len(p) == 0 {
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

// round rounds the decimal digits of the number as it is written, halves away from zero: 1.005 to
// two digits is 1.01.
func round(p []any) (any, error) {
	if err := checkNumbers(p); err != nil {
		return nil, err
	}
	digits, err := wholeArgument(p, 1, 0)
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

// wholeArgument returns argument i as an integer; usual if it is missing or null.
func wholeArgument(p []any, i, usual int) (int, error) {
	if i >= len(p) || p[i] == nil {
		return usual, nil
	}
	n, ok := toInt(p[i])
	if !ok {
		return 0, fmt.Errorf("%s is no whole number", describe(p[i]))
	}
	return n, nil
}

// toNumber returns a number, or the number in a text, or 1 and 0 for true and false. It returns
// null for any other value.
func toNumber(p []any) (any, error) {
	switch v := p[0].(type) {
	case bool:
		return map[bool]int{true: 1}[v], nil
	case string:
		s := strings.TrimSpace(v)
		if !json.Valid([]byte(s)) || strings.ContainsAny(s, `"[{tfn`) {
			return nil, nil
		}
		return toNative(json.Number(s)), nil
	}
	if !isNumber(p[0]) {
		return nil, nil
	}
	return p[0], nil
}

func ordinal(p []any) (any, error) {
	n, ok := toInt(p[0])
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
