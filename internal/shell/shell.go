// Package shell writes calls as lines that a person can paste into a POSIX shell. What
// is quoted means itself; a secret is a variable, "$NAME", and never a value.
package shell

import (
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor/secrets"
)

// plain are words that need no quotes.
var plain = regexp.MustCompile(`^[A-Za-z0-9_./:@%+=,-]+$`)

// mark is what stands where a secret stood.
var mark = regexp.MustCompile(regexp.QuoteMeta(secrets.MarkPrefix) + `([^)]*)\)`)

// Quote is a text as one word.
func Quote(text string) string {
	if plain.MatchString(text) {
		return text
	}
	var word strings.Builder
	end := 0
	for _, m := range mark.FindAllStringSubmatchIndex(text, -1) {
		word.WriteString(single(text[end:m[0]]))
		word.WriteString(`"$` + variable(text[m[2]:m[3]]) + `"`)
		end = m[1]
	}
	word.WriteString(single(text[end:]))
	if word.Len() == 0 {
		return "''"
	}
	return word.String()
}

func single(text string) string {
	if text == "" {
		return ""
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// variable is the name of a secret as that of a variable.
func variable(name string) string {
	name = strings.ToUpper(notInNames.ReplaceAllString(name, "_"))
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "_" + name
	}
	return name
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9_]`)

// Line is a command with its words.
func Line(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = Quote(w)
	}
	return strings.Join(quoted, " ")
}

// ErrNoRequest is that of a call that is no request over HTTP.
var ErrNoRequest = errors.New("this tool is no HTTP request, so there is no curl line for it; copy it as a command instead")

// Curl is a request, as a preview shows it, as a line for curl.
func Curl(preview json.RawMessage) (string, error) {
	var r struct {
		Method  string            `json:"method"`
		URL     string            `json:"url"`
		Headers map[string]string `json:"headers"`
		Body    json.RawMessage   `json:"body"`
	}
	if json.Unmarshal(preview, &r) != nil || r.Method == "" || r.URL == "" {
		return "", ErrNoRequest
	}
	words := []string{"curl", "-X", r.Method, r.URL}
	for _, name := range slices.Sorted(maps.Keys(r.Headers)) {
		words = append(words, "-H", name+": "+r.Headers[name])
	}
	if body := bodyOf(r.Body); body != "" {
		words = append(words, "--data-raw", body)
	}
	return Line(words...), nil
}

// bodyOf is what is sent: a text, or JSON.
func bodyOf(raw json.RawMessage) string {
	var text string
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return ""
	case json.Unmarshal(raw, &text) == nil:
		return text
	}
	return string(raw)
}
