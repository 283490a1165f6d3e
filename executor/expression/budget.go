package expression

import (
	"errors"
	"fmt"
	"time"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm/runtime"
)

// The bounds of one expression.
const (
	maxText  = 10 << 20        // bytes of one text
	maxTexts = 64 << 20        // bytes of all the texts that it makes
	maxTime  = 2 * time.Second // of what loops
)

var (
	errText = fmt.Errorf("a text of more than %d MB", maxText>>20)
	errWork = fmt.Errorf("the texts that it makes have more than %d MB", maxTexts>>20)
	errTime = fmt.Errorf("it takes longer than %v", maxTime)
)

// budget is what one evaluation may still use.
type budget struct {
	left int
	end  time.Time
}

func newBudget() *budget { return &budget{maxTexts, time.Now().Add(maxTime)} }

// functions are those of the language, the patcher's own, and in the place of those
// of expr-lang that could make a text of any length ours.
func (b *budget) functions() []expr.Option {
	all := []expr.Option{
		expr.Function(getFunction, func(p ...any) (any, error) { return get(p[0], p[1]), nil }),
		expr.Function(addFunction, b.add),
		expr.Function(stepFunction, func(p ...any) (any, error) { return p[0], b.check() }),
		expr.Function(billFunction, func(p ...any) (any, error) { return p[0], b.bill(p[0]) }),
		expr.Function("has", has),
	}
	for name, f := range builtIns {
		all = append(all, expr.Function(name, f.named(name)))
	}
	for name, f := range helpers {
		name = helperSpace + "." + name
		all = append(all, expr.Function(name, f.named(name)))
	}
	for name, of := range map[string]string{"repeat": "REPEAT", "replace": "REPLACE", "join": "JOIN"} {
		all = append(all, expr.Function(name, builtIns[of].named(name)))
	}
	return all
}

func has(p ...any) (any, error) {
	if len(p) != 1 {
		return nil, errors.New("has takes one value")
	}
	return p[0] != nil, nil
}

// check is an error where the time is up.
func (b *budget) check() error {
	if time.Now().After(b.end) {
		return errTime
	}
	return nil
}

// bill takes the size of a text that was made.
func (b *budget) bill(v any) error {
	if s, ok := v.(string); ok {
		if len(s) > maxText {
			return errText
		}
		if b.left -= len(s); b.left < 0 {
			return errWork
		}
	}
	return b.check()
}

func (b *budget) add(p ...any) (any, error) {
	x, left := p[0].(string)
	y, right := p[1].(string)
	if !left || !right {
		return runtime.Add(p[0], p[1]), nil
	}
	if len(x)+len(y) > maxText {
		return nil, errText
	}
	sum := x + y
	return sum, b.bill(sum)
}

// get is a member of v: a field, or an element; nil where there is none.
func get(v, key any) any {
	switch v := v.(type) {
	case nil:
		return nil
	case map[string]any:
		if k, ok := key.(string); ok {
			return v[k]
		}
	case []any:
		if i, ok := whole(key); ok {
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
		if i, ok := whole(key); ok {
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

func whole(v any) (int, bool) {
	switch v := v.(type) {
	case int:
		return v, true
	case float64:
		return int(v), v == float64(int(v))
	}
	return 0, false
}
