package expression

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// currencies are those that are written by a sign.
var currencies = map[string]string{
	"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "CNY": "CN¥", "INR": "₹", "KRW": "₩", "BRL": "R$", "CAD": "CA$",
	"AUD": "A$", "MXN": "MX$", "NZD": "NZ$", "ILS": "₪", "VND": "₫", "PHP": "₱", "HKD": "HK$", "TWD": "NT$",
}

// wholeCurrencies have no smaller unit.
var wholeCurrencies = map[string]bool{"JPY": true, "KRW": true, "VND": true}

// numberFormat is how a language writes an amount of money.
type numberFormat struct {
	group, point string
	after        bool // the sign of the currency follows the amount
	spaced       bool // a blank is between an amount and a sign before it
	indian       bool // only the last group has three digits, the others have two
}

const noBreak = "\u00a0"

// numberFormats are known by a locale, else by its language; English is what is left.
var numberFormats = map[string]numberFormat{
	"en": {group: ",", point: "."}, "en-in": {group: ",", point: ".", indian: true}, "hi": {group: ",", point: ".", indian: true},
	"de": {group: ".", point: ",", after: true}, "de-ch": {group: "’", point: ".", spaced: true}, "de-at": {group: ".", point: ",", spaced: true},
	"fr": {group: "\u202f", point: ",", after: true}, "es": {group: ".", point: ",", after: true}, "es-mx": {group: ",", point: "."},
	"it": {group: ".", point: ",", after: true}, "nl": {group: ".", point: ",", spaced: true}, "pl": {group: noBreak, point: ",", after: true},
	"pt": {group: noBreak, point: ",", after: true}, "pt-br": {group: ".", point: ",", spaced: true}, "ru": {group: noBreak, point: ",", after: true},
	"sv": {group: noBreak, point: ",", after: true}, "da": {group: ".", point: ",", after: true}, "fi": {group: noBreak, point: ",", after: true},
	"ja": {group: ",", point: "."}, "zh": {group: ",", point: "."}, "ko": {group: ",", point: "."},
}

func formatOf(locale string) numberFormat {
	locale = strings.ToLower(strings.ReplaceAll(locale, "_", "-"))
	language, _, _ := strings.Cut(locale, "-")
	for _, name := range []string{locale, language} {
		if f, ok := numberFormats[name]; ok {
			return f
		}
	}
	return numberFormats["en"]
}

// formatCurrency writes an amount as a locale does; as American English does without
// one.
func formatCurrency(p []any) (any, error) {
	if err := numbers(p[:1]); err != nil {
		return nil, err
	}
	code, locale := "USD", "en"
	if len(p) > 1 {
		code = strings.ToUpper(text(p[1]))
	}
	if len(p) > 2 {
		locale = text(p[2])
	}
	if len(code) != 3 {
		return nil, errors.New("a currency has three letters, as in EUR")
	}
	digits := 2
	if wholeCurrencies[code] {
		digits = 0
	}
	amount, err := strconv.ParseFloat(text(p[0]), 64)
	if err != nil {
		return nil, err
	}
	rounded, err := round([]any{math.Abs(amount), digits})
	if err != nil {
		return nil, err
	}
	written := formatOf(locale).money(fixed(rounded, digits), code)
	if amount < 0 {
		return "-" + written, nil
	}
	return written, nil
}

// money puts an amount together with its currency.
func (f numberFormat) money(amount, code string) string {
	sign, ok := currencies[code]
	if !ok {
		sign = code
	}
	switch amount = f.grouped(amount); {
	case f.after:
		return amount + noBreak + sign
	case f.spaced || !ok:
		return sign + noBreak + amount
	}
	return sign + amount
}

// fixed is a number with so many digits after its point.
func fixed(v any, digits int) string {
	if i, ok := v.(int); ok {
		return strconv.Itoa(i)
	}
	return fmt.Sprintf("%.*f", digits, v)
}

// grouped divides the digits of a number into groups.
func (f numberFormat) grouped(s string) string {
	whole, fraction, _ := strings.Cut(s, ".")
	var out strings.Builder
	for i, c := range whole {
		left := len(whole) - i
		starts := left%3 == 0
		if f.indian {
			starts = left == 3 || left > 3 && left%2 == 1
		}
		if i > 0 && starts {
			out.WriteString(f.group)
		}
		out.WriteRune(c)
	}
	if fraction != "" {
		out.WriteString(f.point + fraction)
	}
	return out.String()
}
