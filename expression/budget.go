package expression

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm/runtime"
)

// The bounds of one expression.
const (
	maxText       = 10 << 20        // bytes of one text
	maxAllocated  = 64 << 20        // bytes of all the texts and lists that it makes
	maxLoopOutput = 512 << 20       // weight of all that its loops give
	timeLimit     = 2 * time.Second // of what loops
)

var (
	errText       = fmt.Errorf("a text of more than %d MB", maxText>>20)
	errAllocated  = fmt.Errorf("the texts and lists that it makes have more than %d MB", maxAllocated>>20)
	errLoopOutput = fmt.Errorf("its loops give more than %d MB", maxLoopOutput>>20)
	errTime       = fmt.Errorf("it takes longer than %v", timeLimit)
)

// budget is the memory and the time that one evaluation may still use. It is for one goroutine.
type budget struct {
	allocated, loopOutput int // that are left
	end                   time.Time
	clock                 clock
	ctx                   context.Context // of this one evaluation
}

func newBudget(ctx context.Context) *budget {
	start := time.Now()
	return &budget{maxAllocated, maxLoopOutput, start.Add(timeLimit), clock{presentTime(ctx, start)}, ctx}
}

// exprOptions returns the functions of one evaluation: those of the language, those that the
// patcher calls, and replacements for functions of expr-lang that have no limits.
func (b *budget) exprOptions() []expr.Option {
	all := []expr.Option{
		expr.Function(getFunction, func(p ...any) (any, error) { return memberOf(p[0], p[1]), nil }),
		expr.Function(iterationFunction, func(p ...any) (any, error) { return p[0], b.chargeLoopOutput(p[0]) }),
		expr.Function(chargeFunction, func(p ...any) (any, error) { return p[0], b.chargeAllocation(p[0]) }),
		expr.Function("has", isPresent),
		expr.Function(sortFunction, sortKeys),
		expr.Function(pairValuesFunction, pairValues),
		expr.Function(clockFunction, b.clock.local),
	}
	for source, o := range computedOperators {
		all = append(all, expr.Function(operatorFunction(source), func(p ...any) (any, error) { return o.apply(b, p) }))
	}
	for _, f := range prefixedFunctions() {
		all = append(all, expr.Function(f.Name, b.exprFunction(f.function, f.Name)))
	}
	for _, table := range []map[string]function{callableFunctions(), b.boundedFunctions(), b.clock.functions()} {
		for name, f := range table {
			all = append(all, expr.Function(name, b.exprFunction(f, name)))
		}
	}
	return all
}

func isPresent(p ...any) (any, error) {
	if len(p) != 1 {
		return nil, errors.New("has takes one value")
	}
	return p[0] != nil, nil
}

// checkTime returns an error if the time is up or the context has ended.
func (b *budget) checkTime() error {
	if err := b.ctx.Err(); err != nil {
		return err
	}
	if time.Now().After(b.end) {
		return errTime
	}
	return nil
}

// exprFunction wraps a function for the evaluator: it checks the number of arguments and their
// weight, and puts the function's name into errors.
func (b *budget) exprFunction(f function, name string) func(p ...any) (any, error) {
	return func(p ...any) (any, error) {
		switch {
		case len(p) < f.minArgs:
			return nil, fmt.Errorf("%s needs %d arguments, not %d", name, f.minArgs, len(p))
		case f.maxArgs >= 0 && len(p) > f.maxArgs:
			return nil, fmt.Errorf("%s takes %d arguments, not %d", name, f.maxArgs, len(p))
		}
		for i := range p {
			var err error
			if p[i], err = b.asArgument(p[i]); err != nil {
				return nil, err
			}
		}
		v, err := f.call(p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return v, nil
	}
}

// asArgument checks the weight of an argument, and turns a list of any type into a []any.
func (b *budget) asArgument(v any) (any, error) {
	if err := b.checkWeight(v); err != nil {
		return nil, err
	}
	list, ok := toList(v)
	if !ok {
		return v, nil
	}
	return list, b.chargeAllocation(list)
}

// checkWeight returns an error if a value weighs too much or the time is up.
func (b *budget) checkWeight(v any) error {
	if remainingWeight(v, maxWeight) < 0 {
		return errWeight
	}
	return b.checkTime()
}

// chargeLoopOutput charges the weight of a loop's result for one element, since all of them may end
// in one list.
func (b *budget) chargeLoopOutput(v any) error {
	if b.loopOutput = remainingWeight(v, b.loopOutput); b.loopOutput < 0 {
		return errLoopOutput
	}
	return b.checkWeight(v)
}

// chargeAllocation charges the size of a text or a list that was made.
func (b *budget) chargeAllocation(v any) error {
	const element = 16 // bytes
	switch v := v.(type) {
	case string:
		if len(v) > maxText {
			return errText
		}
		b.allocated -= len(v)
	case []any:
		b.allocated -= element * len(v)
	}
	if b.allocated < 0 {
		return errAllocated
	}
	return b.checkWeight(v)
}

func (b *budget) addValues(p []any) (any, error) {
	x, left := p[0].(string)
	y, right := p[1].(string)
	if !left || !right {
		return sum(p[0], p[1])
	}
	if len(x)+len(y) > maxText {
		return nil, errText
	}
	sum := x + y
	return sum, b.chargeAllocation(sum)
}

// memberOf returns a member of v: the value of a key in an object, or an element of a list by its
// index, which counts from the end if it is negative. It is nil if there is none.
func memberOf(v, key any) any {
	switch v := v.(type) {
	case nil:
		return nil
	case map[string]any:
		if k, ok := key.(string); ok {
			return v[k]
		}
	case []any:
		if i, ok := toInt(key); ok {
			if i < 0 {
				i += len(v)
			}
			if i >= 0 && i < len(v) {
				return v[i]
			}
			return nil
		}
		if key == "length" {
			return len(v)
		}
	case string:
		if i, ok := toInt(key); ok {
			r := []rune(v)
			if i >= 0 && i < len(r) {
				return string(r[i])
			}
			return nil
		}
		if key == "length" {
			return len([]rune(v))
		}
	default:
		return runtime.Fetch(v, key)
	}
	return nil
}

func toInt(v any) (int, bool) {
	switch v := v.(type) {
	case int:
		return v, true
	case float64:
		return int(v), v == float64(int(v))
	}
	return 0, false
}
