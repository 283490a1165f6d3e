package abl

import (
	"math/big"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

var (
	plainNumber = lazyregexp.New(`^-?\d+(\.\d+)?$`)
	plainWord   = lazyregexp.New(`^[A-Za-z_][\w-]*$`)
	plainKey    = lazyregexp.New(`^[A-Za-z_][\w.-]*$`)
	unprintable = lazyregexp.New(`[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\x{2028}\x{2029}\x{feff}]`)
	farExponent = lazyregexp.New(`[eE][+-]?\d{4,}`)
	trailing    = lazyregexp.New(`(?m)[ \t]+$`)
)

// reserved words mean more than their letters.
var reserved = []string{"true", "false", "null", "yes", "no"}

// isUnquotedWord reports whether s, written without quotes, is read as the text s.
func isUnquotedWord(s string) bool {
	return plainWord.MatchString(s) && !slices.Contains(reserved, strings.ToLower(s))
}

func wordText(s string) string {
	if isUnquotedWord(s) {
		return s
	}
	return quote(s)
}

func keyText(s string) string {
	if plainKey.MatchString(s) {
		return s
	}
	return quote(s)
}

var quoting = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

func quote(s string) string { return `"` + quoting.Replace(s) + `"` }

// isBlock reports whether s, written as a block of text, is read as the text s.
func isBlock(s string) bool {
	if s == "" || strings.ContainsRune(s, '\r') || unprintable.MatchString(s) || trailing.MatchString(s) ||
		strings.HasPrefix(s, "\n") || strings.HasSuffix(s, "\n") {
		return false
	}
	for line := range strings.SplitSeq(s, "\n") {
		if line != "" && line[0] != ' ' && line[0] != '\t' {
			return true // the common indentation is none
		}
	}
	return false
}

// ablInline writes a value in ABL on one line.
func ablInline(n foreign.Node) string {
	return inlineValue(n, func(n foreign.Node) string {
		switch n.Kind {
		case foreign.String:
			return quote(unprintable.ReplaceAllString(n.Text, " "))
		case foreign.Number:
			return plainNumeral(n.Text)
		case foreign.Bool:
			return n.Text
		}
		return "null"
	})
}

// inlineValue writes a value on one line; scalar writes a value without parts.
func inlineValue(n foreign.Node, scalar func(foreign.Node) string) string {
	switch n.Kind {
	case foreign.List:
		items := make([]string, len(n.Items))
		for i, item := range n.Items {
			items[i] = inlineValue(item, scalar)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case foreign.Map:
		items := make([]string, len(n.Members))
		for i, m := range n.Members {
			items[i] = keyText(m.Key) + ": " + inlineValue(m.Value, scalar)
		}
		return "{" + strings.Join(items, ", ") + "}"
	}
	return scalar(n)
}

// plainNumeral writes a number without an exponent, which ABL does not have.
func plainNumeral(s string) string {
	if plainNumber.MatchString(s) {
		return s
	}
	const enough = 400 // digits
	if len(s) > enough || farExponent.MatchString(s) {
		return quote(s)
	}
	f, ok := new(big.Rat).SetString(s)
	if !ok || len(f.Num().String()) > enough || len(f.Denom().String()) > enough {
		return quote(s)
	}
	return strings.TrimSuffix(strings.TrimRight(f.FloatString(enough), "0"), ".")
}
