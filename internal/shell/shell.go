// Package shell writes calls as lines that a person can paste into a shell such as bash
// or zsh. Quoted text is literal; a secret is a variable, "$NAME", and never a value.
package shell

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/abl-lsp/abl-lsp/executor/secrets"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// plainWord matches words that need no quotes.
var plainWord = lazyregexp.New(`^[A-Za-z0-9_./:@%+,-][A-Za-z0-9_./:@%+=,-]*$`)

// secretMark matches the mark that replaces a secret.
var secretMark = lazyregexp.New(regexp.QuoteMeta(secrets.MarkPrefix) + `([^)]*)\)`)

// Quote returns a text as one word.
func Quote(text string) string { return quoteWithSecret(text, rawSecret) }

// quoteWithSecret returns text as one word of a shell. Each mark of a secret in text is
// replaced by the parameter secret, in which NAME stands for the name of the secret's
// variable.
func quoteWithSecret(text, secret string) string {
	if plainWord.MatchString(text) {
		return text
	}
	var word strings.Builder
	end := 0
	for _, m := range secretMark.FindAllStringSubmatchIndex(text, -1) {
		word.WriteString(singleQuote(text[end:m[0]]))
		word.WriteString(strings.ReplaceAll(secret, "NAME", variableName(text[m[2]:m[3]])))
		end = m[1]
	}
	word.WriteString(singleQuote(text[end:]))
	if word.Len() == 0 {
		return "''"
	}
	return word.String()
}

// singleQuote returns a text in single quotes. Control characters other than line breaks are
// escaped, since a terminal would act on pasted ones.
func singleQuote(text string) string {
	switch {
	case text == "":
		return ""
	case !strings.ContainsFunc(text, isControl):
		return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case isControl(r):
			for _, c := range []byte(string(r)) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		case r == '\'' || r == '\\':
			b.WriteString(`\` + string(r))
		default:
			b.WriteRune(r)
		}
	}
	return "$'" + b.String() + "'"
}

func isControl(r rune) bool { return r != '\n' && unicode.IsControl(r) }

// variableName returns the name of the variable for a secret: the secret's name, if a variable
// can have it.
func variableName(name string) string {
	if isVariable.MatchString(name) {
		return name
	}
	name = strings.ToUpper(notInNames.ReplaceAllString(name, "_"))
	if !isVariable.MatchString(name) {
		name = "_" + name
	}
	return name
}

var (
	isVariable = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)
	notInNames = lazyregexp.New(`[^A-Za-z0-9_]`)
)

// Line returns the line of a command with its words, quoted where needed.
func Line(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = Quote(w)
	}
	return strings.Join(quoted, " ")
}
