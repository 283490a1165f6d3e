package expression

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// currencies are the currencies that are written as a sign.
var currencies = map[string]string{
	"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "CNY": "CN¥", "INR": "₹", "KRW": "₩", "BRL": "R$", "CAD": "CA$",
	"AUD": "A$", "MXN": "MX$", "NZD": "NZ$", "ILS": "₪", "VND": "₫", "PHP": "₱", "HKD": "HK$", "TWD": "NT$",
}

// wholeCurrencies have no smaller unit.
var wholeCurrencies = map[string]bool{"JPY": true, "KRW": true, "VND": true}

// numberFormat is how a language writes an amount of money.
type numberFormat struct {
	group, point string
	signAfter    bool // the sign of the currency follows the amount
	spaced       bool // a blank is between an amount and a sign before it
	indian       bool // only the last group has three digits, the others have two
}

const noBreakSpace = "\u00a0"

// numberFormats are found by a locale, else by its language; the default is English.
var numberFormats = map[string]numberFormat{
	"en": {group: ",", point: "."}, "en-in": {group: ",", point: ".", indian: true}, "hi": {group: ",", point: ".", indian: true},
	"de": {group: ".", point: ",", signAfter: true}, "de-ch": {group: "’", point: ".", spaced: true}, "de-at": {group: ".", point: ",", spaced: true},
	"fr": {group: "\u202f", point: ",", signAfter: true}, "es": {group: ".", point: ",", signAfter: true}, "es-mx": {group: ",", point: "."},
	"it": {group: ".", point: ",", signAfter: true}, "nl": {group: ".", point: ",", spaced: true}, "pl": {group: noBreakSpace, point: ",", signAfter: true},
	"pt": {group: noBreakSpace, point: ",", signAfter: true}, "pt-br": {group: ".", point: ",", spaced: true}, "ru": {group: noBreakSpace, point: ",", signAfter: true},
	"sv": {group: noBreakSpace, point: ",", signAfter: true}, "da": {group: ".", point: ",", signAfter: true}, "fi": {group: noBreakSpace, point: ",", signAfter: true},
	"ja": {group: ",", point: "."}, "zh": {group: ",", point: "."}, "ko": {group: ",", point: "."},
}

func numberFormatOf(locale string) numberFormat {
	locale = strings.ToLower(strings.ReplaceAll(locale, "_", "-"))
	language, _, _ := strings.Cut(locale, "-")
	for _, name := range []string{locale, language} {
		if f, ok := numberFormats[name]; ok {
			return f
		}
	}
	return numberFormats["en"]
}

// formatCurrency writes an amount as a locale does, American English by default.
func formatCurrency(p []any) (any, error) {
	if err := checkNumbers(p[:1]); err != nil {
		return nil, err
	}
	code, locale := "USD", "en"
	if len(p) > 1 {
		code = strings.ToUpper(toText(p[1]))
	}
	if len(p) > 2 {
		locale = toText(p[2])
	}
	if len(code) != 3 {
		return nil, errors.New("a currency has three letters, as in EUR")
	}
	digits := 2
	if wholeCurrencies[code] {
		digits = 0
	}
	amount, err := strconv.ParseFloat(toText(p[0]), 64)
	if err != nil {
		return nil, err
	}
	rounded, err := round([]any{math.Abs(amount), digits})
	if err != nil {
		return nil, err
	}
	written := numberFormatOf(locale).formatMoney(formatFixed(rounded, digits), code)
	if amount < 0 {
		return "-" + written, nil
	}
	return written, nil
}

// formatMoney joins an amount and its currency.
func (f numberFormat) formatMoney(amount, code string) string {
	sign, ok := currencies[code]
	if !ok {
		sign = code
	}
	switch amount = f.groupDigits(amount); {
	case f.signAfter:
		return amount + noBreakSpace + sign
	case f.spaced || !ok:
		return sign + noBreakSpace + amount
	}
	return sign + amount
}

// formatFixed writes a number with the given number of digits after the point.
func formatFixed(v any, digits int) string {
	if i, ok := v.(int); ok {
		return strconv.Itoa(i)
	}
	return fmt.Sprintf("%.*f", digits, v)
}

// groupDigits divides the digits of a number into groups.
func (f numberFormat) groupDigits(s string) string {
	whole, fraction, _ := strings.Cut(s, ".")
	var out strings.Builder
	for i, c := range whole {
		remaining := len(whole) - i
		starts := remaining%3 == 0
		if f.indian {
			starts = remaining == 3 || remaining > 3 && remaining%2 == 1
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
