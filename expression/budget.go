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

// budget is what one evaluation may still use.
type budget struct {
	allocated, loopOutput int // that are left
	end                   time.Time
	ctx                   context.Context // of this one evaluation
}

func newBudget(ctx context.Context) *budget {
	return &budget{maxAllocated, maxLoopOutput, time.Now().Add(timeLimit), ctx}
}

// exprOptions are those of the language, the patcher's own, and in the place of those
// of expr-lang that know no bounds ours.
func (b *budget) exprOptions() []expr.Option {
	all := []expr.Option{
		expr.Function(getFunction, func(p ...any) (any, error) { return memberOf(p[0], p[1]), nil }),
		expr.Function(iterationFunction, func(p ...any) (any, error) { return p[0], b.chargeLoopOutput(p[0]) }),
		expr.Function(chargeFunction, func(p ...any) (any, error) { return p[0], b.chargeAllocation(p[0]) }),
		expr.Function("has", isPresent),
	}
	for source, o := range computedOperators {
		all = append(all, expr.Function(operatorFunction(source), func(p ...any) (any, error) { return o.apply(b, p) }))
	}
	for _, f := range prefixedFunctions() {
		all = append(all, expr.Function(f.Name, b.exprFunction(f.function, f.Name)))
	}
	for _, table := range []map[string]function{callableFunctions(), b.boundedFunctions()} {
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

// checkTime is an error where the time is up, or nobody waits any more.
func (b *budget) checkTime() error {
	if err := b.ctx.Err(); err != nil {
		return err
	}
	if time.Now().After(b.end) {
		return errTime
	}
	return nil
}

// exprFunction is a function as the evaluator calls it.
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

// asArgument is an argument, a list of any type as one of values.
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

// checkWeight is an error where a value weighs too much.
func (b *budget) checkWeight(v any) error {
	if remainingWeight(v, maxWeight) < 0 {
		return errWeight
	}
	return b.checkTime()
}

// chargeLoopOutput takes the weight of what a turn of a loop gives: all of them may end in one
// list.
func (b *budget) chargeLoopOutput(v any) error {
	if b.loopOutput = remainingWeight(v, b.loopOutput); b.loopOutput < 0 {
		return errLoopOutput
	}
	return b.checkWeight(v)
}

// chargeAllocation takes the size of a text or a list that was made.
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

// memberOf is a member of v: a field, or an element; nil where there is none.
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
