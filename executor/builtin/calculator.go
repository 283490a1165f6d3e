package builtin

import (
	"context"
	"encoding/json"
	"math/big"
	"strconv"

	"github.com/abl-lsp/abl-lsp/executor"
)

// calculator evaluates an arithmetic expression. Sums, products and powers with whole
// exponents are exact; functions have the precision of a floating-point number.
type calculator struct{}

func (calculator) Parameters() Parameters { return Parameters{Required: []string{"expression"}} }

func (calculator) Run(_ context.Context, call executor.Call) (executor.Result, error) {
	text, err := requiredText(call, "expression")
	if err != nil {
		return executor.Result{}, err
	}
	value, err := calculate(text)
	if err != nil {
		return executor.Result{}, err
	}
	return executor.Result{Value: value, ContentType: "application/json"}, nil
}

// calculate returns the value of an expression as a JSON number.
func calculate(text string) (json.RawMessage, error) {
	const longest = 10_000
	if len(text) > longest {
		return nil, executor.Errorf(executor.KindLimit, "expression-size", "expression: it has %d bytes, %d are the limit", len(text), longest)
	}
	p := parser{text: text}
	v, err := p.parseAll()
	if err != nil {
		return nil, err
	}
	return formatDecimal(v), nil
}

// formatDecimal returns a number as JSON. It has all its digits if the fraction ends soon, else the
// precision of a floating-point number, however large or small it is.
func formatDecimal(v *big.Rat) json.RawMessage {
	const soon, digits = 30, 17
	if v.IsInt() {
		return json.RawMessage(v.Num().String())
	}
	if n, exact := v.FloatPrec(); exact && n <= soon {
		return json.RawMessage(v.FloatString(n))
	}
	if f, err := toFloat(v); err == nil && f != 0 {
		return json.RawMessage(strconv.FormatFloat(f, 'g', -1, 64))
	}
	return json.RawMessage(new(big.Float).SetRat(v).Text('g', digits))
}
