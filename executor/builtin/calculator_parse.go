package builtin

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// maxDepth is how deeply parentheses, signs and powers may nest.
const maxDepth = 100

// parser parses an expression and evaluates it at the same time.
type parser struct {
	text  string
	at    int
	depth int
}

func (p *parser) parseAll() (*big.Rat, error) {
	v, err := p.parseSum()
	if err == nil && p.peek() != "" {
		return nil, p.unexpectedError()
	}
	return v, err
}

// operator computes the value of two operands.
type operator func(a, b *big.Rat) (*big.Rat, error)

// The operators by precedence: products bind more tightly than sums.
var (
	sums     = map[string]operator{"+": add, "-": subtract}
	products = map[string]operator{"*": multiply, "/": divide, "%": modulo}
)

// parseSum parses products with + and - between them.
func (p *parser) parseSum() (*big.Rat, error) { return p.parseChain(p.parseProduct, sums) }

// parseProduct parses signed values with *, / and % between them.
func (p *parser) parseProduct() (*big.Rat, error) { return p.parseChain(p.parseSigned, products) }

func (p *parser) parseChain(part func() (*big.Rat, error), operators map[string]operator) (*big.Rat, error) {
	v, err := part()
	for err == nil {
		word := p.peek()
		do := operators[word]
		if do == nil {
			return v, nil
		}
		p.at += len(word)
		var right *big.Rat
		if right, err = part(); err != nil {
			return nil, err
		}
		v, err = limitBits(do(v, right))
	}
	return nil, err
}

// parseSigned parses a power, or a signed value after + or -: -2 ** 2 is -4.
func (p *parser) parseSigned() (*big.Rat, error) {
	defer p.leave()
	if err := p.enter(); err != nil {
		return nil, err
	}
	sign := p.peek()
	if sign != "+" && sign != "-" {
		return p.parsePower()
	}
	p.at++
	v, err := p.parseSigned()
	if err == nil && sign == "-" {
		v = new(big.Rat).Neg(v)
	}
	return v, err
}

// parsePower parses powers, which group from right to left: 2 ** 3 ** 2 is 2 ** 9.
func (p *parser) parsePower() (*big.Rat, error) {
	v, err := p.parseValue()
	if err != nil || p.peek() != "**" {
		return v, err
	}
	p.at += len("**")
	exponent, err := p.parseSigned()
	if err != nil {
		return nil, err
	}
	return limitBits(power(v, exponent))
}

func (p *parser) parseValue() (*big.Rat, error) {
	word := p.peek()
	c, _ := utf8.DecodeRuneInString(word)
	switch {
	case word == "(":
		p.at++
		v, err := p.parseSum()
		if err != nil {
			return nil, err
		}
		return v, p.expect(")")
	case '0' <= c && c <= '9', c == '.':
		p.at += len(word)
		return parseNumber(word)
	case isLetter(c):
		p.at += len(word)
		return p.parseName(word)
	}
	return nil, p.unexpectedError()
}

// parseName returns the value of a constant, or parses and evaluates a function call.
func (p *parser) parseName(word string) (*big.Rat, error) {
	if v, ok := constants[word]; ok {
		return v, nil
	}
	f, ok := functions[word]
	if !ok {
		return nil, expressionError("there is nothing called %s here; the functions are %s, and pi and e are known", word, functionNames())
	}
	if err := p.expect("("); err != nil {
		return nil, err
	}
	args, err := p.parseArguments()
	if err != nil {
		return nil, err
	}
	if len(args) < f.least || len(args) > f.most {
		return nil, expressionError("%s takes %s, not %d", word, f.arityText(), len(args))
	}
	return limitBits(f.do(args))
}

// parseArguments parses the arguments of a call, including the closing parenthesis.
func (p *parser) parseArguments() ([]*big.Rat, error) {
	var args []*big.Rat
	for p.peek() != ")" {
		if len(args) > 0 {
			if err := p.expect(","); err != nil {
				return nil, err
			}
		}
		v, err := p.parseSum()
		if err != nil {
			return nil, err
		}
		args = append(args, v)
	}
	return args, p.expect(")")
}

// peek returns the next word without consuming it. It is "" at the end.
func (p *parser) peek() string {
	p.at += len(p.text[p.at:]) - len(strings.TrimLeft(p.text[p.at:], " \t\r\n"))
	rest := p.text[p.at:]
	c, size := utf8.DecodeRuneInString(rest)
	switch {
	case rest == "":
		return ""
	case strings.HasPrefix(rest, "**"):
		return "**"
	case isLetter(c):
		return rest[:prefixLength(rest, func(c rune) bool { return isLetter(c) || unicode.IsDigit(c) })]
	case '0' <= c && c <= '9', c == '.':
		return numberForm.FindString(rest)
	}
	return rest[:size]
}

func isLetter(c rune) bool { return c == '_' || unicode.IsLetter(c) }

// prefixLength returns the length of the longest beginning whose runes all satisfy holds.
func prefixLength(text string, holds func(rune) bool) int {
	if i := strings.IndexFunc(text, func(c rune) bool { return !holds(c) }); i >= 0 {
		return i
	}
	return len(text)
}

// numberForm matches 12, 1.5, .5 or 1.5e-3.
var numberForm = lazyregexp.New(`^[0-9.]+(?:[eE][+-]?[0-9]+)?`)

// parseNumber returns the exact value of digits. A huge exponent is an error.
func parseNumber(word string) (*big.Rat, error) {
	const most = 1000
	if _, exponent, ok := strings.Cut(strings.ToLower(word), "e"); ok {
		switch n, err := strconv.Atoi(exponent); {
		case strings.HasPrefix(exponent, "-") && (err != nil || n < -most):
			return nil, tooSmall()
		case err != nil || n > most:
			return nil, tooLarge()
		}
	}
	v, ok := new(big.Rat).SetString(word)
	if !ok {
		return nil, expressionError("%s is no number", executor.Shorten(word, 80))
	}
	return limitBits(v, nil)
}

func (p *parser) expect(word string) error {
	if p.peek() != word {
		return p.unexpectedError()
	}
	p.at += len(word)
	return nil
}

func (p *parser) enter() error {
	p.depth++
	if p.depth > maxDepth {
		return executor.Errorf(executor.KindLimit, "expression-depth", "expression: it nests more than %d deep", maxDepth)
	}
	return nil
}

func (p *parser) leave() { p.depth-- }

// unexpectedError returns the error that the next word must not be there.
func (p *parser) unexpectedError() error {
	word := p.peek()
	place := fmt.Sprintf(" at character %d", utf8.RuneCountInString(p.text[:p.at])+1)
	switch word {
	case "":
		return expressionError("it ends too early")
	case "^":
		return expressionError("%s cannot stand%s; a power is written **", word, place)
	}
	return expressionError("%s cannot stand%s", strconv.Quote(executor.Shorten(word, 40)), place)
}

// expressionError returns the error for an invalid expression.
func expressionError(format string, args ...any) *executor.Error {
	return executor.Errorf(executor.KindArguments, "expression", "expression: %s", fmt.Sprintf(format, args...))
}
