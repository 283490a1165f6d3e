package builtin

import (
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
)

// maxBits is the most bits that a number may have, about 1,200 digits.
const maxBits = 4096

// limitBits returns v, or an error if it is too long. A fraction that is too long is rounded to a
// floating-point number.
func limitBits(v *big.Rat, err error) (*big.Rat, error) {
	switch {
	case err != nil:
		return nil, err
	case v.Num().BitLen() <= maxBits && v.Denom().BitLen() <= maxBits:
		return v, nil
	case v.IsInt():
		return nil, tooLarge()
	}
	f, err := toFloat(v)
	switch {
	case err != nil:
		return nil, err
	case f == 0:
		return nil, tooSmall()
	}
	return new(big.Rat).SetFloat64(f), nil
}

func tooLarge() error {
	return executor.Errorf(executor.KindLimit, "too-large", "expression: a number in it gets too large")
}

// tooSmall returns the error for a number that is too close to 0. To round it to 0 would be wrong,
// and could lead to a division by zero.
func tooSmall() error {
	return executor.Errorf(executor.KindLimit, "too-small", "expression: a number in it gets too small, and is not 0")
}

// toFloat returns the nearest floating-point number.
func toFloat(v *big.Rat) (float64, error) {
	f, _ := v.Float64()
	if math.IsInf(f, 0) {
		return 0, tooLarge()
	}
	return f, nil
}

func add(a, b *big.Rat) (*big.Rat, error)      { return new(big.Rat).Add(a, b), nil }
func subtract(a, b *big.Rat) (*big.Rat, error) { return new(big.Rat).Sub(a, b), nil }
func multiply(a, b *big.Rat) (*big.Rat, error) { return new(big.Rat).Mul(a, b), nil }

func divide(a, b *big.Rat) (*big.Rat, error) {
	if b.Sign() == 0 {
		return nil, expressionError("it divides by zero")
	}
	return new(big.Rat).Quo(a, b), nil
}

// modulo returns the remainder with the sign of the divisor, as in Python: -7 % 3 is 2.
func modulo(a, b *big.Rat) (*big.Rat, error) {
	q, err := divide(a, b)
	if err != nil {
		return nil, err
	}
	return new(big.Rat).Sub(a, q.Mul(b, floor(q))), nil
}

// power returns a to the power of b. It is exact for a whole exponent, unless the number gets too
// long.
func power(a, b *big.Rat) (*big.Rat, error) {
	if !b.IsInt() {
		return approximately(math.Pow, a, b)
	}
	if a.Sign() == 0 && b.Sign() < 0 {
		return nil, expressionError("it divides by zero")
	}
	longest := max(a.Num().BitLen(), a.Denom().BitLen()) - 1
	n := new(big.Int).Abs(b.Num())
	switch size := new(big.Int).Mul(n, big.NewInt(int64(longest))); {
	case longest == 0 && n.Bit(0) == 0: // an even power of 0, 1 or -1
		n.SetInt64(min(2, int64(n.BitLen())))
	case longest == 0:
		n.SetInt64(1)
	case size.Cmp(big.NewInt(maxBits)) > 0 && a.IsInt() && b.Sign() > 0:
		return nil, tooLarge()
	case size.Cmp(big.NewInt(maxBits)) > 0:
		v, err := approximately(math.Pow, a, b)
		if err == nil && v.Sign() == 0 {
			return nil, tooSmall()
		}
		return v, err
	}
	num, den := new(big.Int).Exp(a.Num(), n, nil), new(big.Int).Exp(a.Denom(), n, nil)
	if b.Sign() < 0 {
		num, den = den, num
	}
	return new(big.Rat).SetFrac(num, den), nil
}

// approximately returns the value of a function of floating-point numbers.
func approximately(f func(a, b float64) float64, a, b *big.Rat) (*big.Rat, error) {
	x, err := toFloat(a)
	if err != nil {
		return nil, err
	}
	y, err := toFloat(b)
	if err != nil {
		return nil, err
	}
	v := f(x, y)
	switch {
	case math.IsNaN(v):
		return nil, expressionError("it has no value among the real numbers")
	case math.IsInf(v, 0):
		return nil, tooLarge()
	}
	return new(big.Rat).SetFloat64(v), nil
}

var constants = map[string]*big.Rat{"pi": new(big.Rat).SetFloat64(math.Pi), "e": new(big.Rat).SetFloat64(math.E)}

// function is a function that an expression may call.
type function struct {
	least, most int // the number of arguments
	do          func([]*big.Rat) (*big.Rat, error)
}

// arityText describes how many arguments a function takes.
func (f function) arityText() string {
	switch {
	case f.most > manyArguments-1:
		return "one argument or more"
	case f.least == f.most && f.least == 1:
		return "one argument"
	case f.least == f.most:
		return strconv.Itoa(f.least) + " arguments"
	}
	return strconv.Itoa(f.least) + " or " + strconv.Itoa(f.most) + " arguments"
}

const manyArguments = 10_000

var functions = map[string]function{
	"abs":   {1, 1, func(p []*big.Rat) (*big.Rat, error) { return new(big.Rat).Abs(p[0]), nil }},
	"round": {1, 2, round},
	"floor": {1, 1, func(p []*big.Rat) (*big.Rat, error) { return floor(p[0]), nil }},
	"ceil":  {1, 1, func(p []*big.Rat) (*big.Rat, error) { return ceil(p[0]), nil }},
	"min":   {1, manyArguments, func(p []*big.Rat) (*big.Rat, error) { return slices.MinFunc(p, (*big.Rat).Cmp), nil }},
	"max":   {1, manyArguments, func(p []*big.Rat) (*big.Rat, error) { return slices.MaxFunc(p, (*big.Rat).Cmp), nil }},
	"sqrt":  {1, 1, sqrt},
	"pow":   {2, 2, func(p []*big.Rat) (*big.Rat, error) { return power(p[0], p[1]) }},
	"log":   {1, 2, logarithm},
	"log10": {1, 1, log10},
	"exp":   unaryFunction(math.Exp),
	"sin":   unaryFunction(math.Sin),
	"cos":   unaryFunction(math.Cos),
	"tan":   unaryFunction(math.Tan),
}

func functionNames() string {
	return strings.Join(slices.Sorted(maps.Keys(functions)), ", ")
}

// unaryFunction returns a function of one floating-point number.
func unaryFunction(f func(float64) float64) function {
	return function{1, 1, func(p []*big.Rat) (*big.Rat, error) {
		return approximately(func(x, _ float64) float64 { return f(x) }, p[0], new(big.Rat))
	}}
}

func floor(v *big.Rat) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Div(v.Num(), v.Denom())) // Div rounds towards minus infinity, because no denominator is negative
}

func ceil(v *big.Rat) *big.Rat {
	down := floor(new(big.Rat).Neg(v))
	return down.Neg(down)
}

// round rounds halves away from zero, to a number of decimal digits.
func round(p []*big.Rat) (*big.Rat, error) {
	const most = 300
	scale := big.NewRat(1, 1)
	if len(p) > 1 {
		digits, exact := p[1].Float64()
		if !exact || !p[1].IsInt() || math.Abs(digits) > most {
			return nil, expressionError("round takes a whole number of digits, from -%d to %d", most, most)
		}
		var err error
		if scale, err = power(big.NewRat(10, 1), p[1]); err != nil {
			return nil, err
		}
	}
	v := new(big.Rat).Mul(new(big.Rat).Abs(p[0]), scale)
	v = floor(v.Add(v, big.NewRat(1, 2)))
	v.Quo(v, scale)
	if p[0].Sign() < 0 {
		v.Neg(v)
	}
	return v, nil
}

// sqrt returns the square root. It is exact if the root is rational.
func sqrt(p []*big.Rat) (*big.Rat, error) {
	if p[0].Sign() >= 0 {
		num, den := new(big.Int).Sqrt(p[0].Num()), new(big.Int).Sqrt(p[0].Denom())
		root := new(big.Rat).SetFrac(num, den)
		if new(big.Rat).Mul(root, root).Cmp(p[0]) == 0 {
			return root, nil
		}
	}
	return unaryFunction(math.Sqrt).do(p)
}

// logarithm returns the natural logarithm, or the logarithm to a base.
func logarithm(p []*big.Rat) (*big.Rat, error) {
	v, err := ofPositive(math.Log, p[:1])
	if err != nil || len(p) == 1 {
		return v, err
	}
	base, err := ofPositive(math.Log, p[1:])
	if err != nil {
		return nil, err
	}
	if base.Sign() == 0 {
		return nil, expressionError("there is no logarithm to the base 1")
	}
	return approximately(func(a, b float64) float64 { return a / b }, v, base)
}

// log10 returns the logarithm to the base 10. It is exact for powers of ten.
func log10(p []*big.Rat) (*big.Rat, error) {
	v, err := ofPositive(math.Log10, p)
	if err != nil {
		return nil, err
	}
	f, _ := v.Float64()
	whole := new(big.Rat).SetFloat64(math.Round(f))
	if back, err := power(big.NewRat(10, 1), whole); err == nil && back.Cmp(p[0]) == 0 {
		return whole, nil
	}
	return v, nil
}

func ofPositive(f func(float64) float64, p []*big.Rat) (*big.Rat, error) {
	if p[0].Sign() <= 0 {
		return nil, expressionError("only a number above zero has a logarithm")
	}
	return unaryFunction(f).do(p)
}
