package shell

import (
	"encoding/json"
	"errors"
	"maps"
	"mime"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// The reasons why a call cannot be written as a curl command.
var (
	ErrNoRequest = errors.New("this tool is no HTTP request, so there is no curl line for it; copy it as a command instead")
	ErrNotText   = errors.New("the request has a byte 0, which no shell can pass on; copy it as a command instead")
)

// How a secret is written as part of a shell word, by where it is in the request. The
// escapes are those that a run applies. The shell applies them, since only the shell knows
// the value.
const (
	rawSecret = `"$NAME"`
	inURL     = `"$(printf %s "$NAME" | od -An -v -tx1 | tr -d ' \n' | sed 's/../%&/g')"`
	inJSON    = `"$(printf '%s\n' "$NAME" | sed -e 's/[\\"]/\\&/g' -e "s/$(printf '\t')/\\\\t/g" -e "s/$(printf '\r')/\\\\r/g" -e '$b' -e 's/$/\\n/' | tr -d '\n')"`
	inXML     = `"$(printf %s "$NAME" | sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/>/\&gt;/g' -e 's/"/\&quot;/g' -e "s/'/\\&apos;/g")"`
	formMedia = "application/x-www-form-urlencoded"
)

// Curl returns the curl command of the request in preview, which is JSON as a preview of
// the executor has it. The error is ErrNoRequest if preview is no HTTP request, and
// ErrNotText if the body has a byte 0.
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
	words := []string{"curl", "-X", Quote(r.Method)}
	if strings.ContainsAny(r.URL, "[]{}") {
		words = append(words, "--globoff")
	}
	if dotSegment.MatchString(r.URL) {
		words = append(words, "--path-as-is")
	}
	words = append(words, quoteURL(r.URL))
	for _, name := range slices.Sorted(maps.Keys(r.Headers)) {
		words = append(words, "-H", Quote(headerArgument(name, r.Headers[name])))
	}
	media, _, _ := mime.ParseMediaType(r.Headers["Content-Type"])
	body := bodyOf(r.Body)
	switch {
	case strings.ContainsRune(body, 0):
		return "", ErrNotText
	case body != "":
		words = append(words, "--data-raw", quoteWithSecret(body, secretInBody(media)))
	}
	return strings.Join(words, " "), nil
}

// quoteURL returns a URL as one word. Secrets in its host are not escaped.
func quoteURL(url string) string {
	host := hostPart.FindString(url)
	if !secretMark.MatchString(host) || host == url {
		return quoteWithSecret(url, inURL)
	}
	return Quote(host) + quoteWithSecret(url[len(host):], inURL)
}

var (
	hostPart   = lazyregexp.New(`^[a-z]+://[^/?]*`)
	dotSegment = lazyregexp.New(`/\.\.?(/|\?|$)`) // which curl would resolve
)

// headerArgument returns a header in the form of curl; without a value it ends in a semicolon.
func headerArgument(name, value string) string {
	if value == "" {
		return name + ";"
	}
	return name + ": " + value
}

// bodyOf returns the body of a request: a text, or JSON.
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

func isJSON(media string) bool {
	return media == "application/json" || strings.HasSuffix(media, "+json")
}

// secretInBody returns how a secret is written in a body of the media type media: one of
// the constants from rawSecret on.
func secretInBody(media string) string {
	switch {
	case isJSON(media):
		return inJSON
	case media == formMedia:
		return inURL
	case strings.HasSuffix(media, "xml"):
		return inXML
	}
	return rawSecret
}
