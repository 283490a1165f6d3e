package rest

import (
	"bytes"
	"mime"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

var declaredInXML = lazyregexp.New(`^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']`)

// decodeToUTF8 returns a body as UTF-8. It decodes a body that is not valid UTF-8, or that
// contains zero bytes, by the charset of its content type or XML declaration. If that does not
// help, it returns the body as it is.
func decodeToUTF8(contentType string, body []byte) []byte {
	if utf8.Valid(body) && !bytes.Contains(body, []byte{0}) {
		return body
	}
	_, parameters, _ := mime.ParseMediaType(contentType)
	name := parameters["charset"]
	if m := declaredInXML.FindSubmatch(body); name == "" && m != nil {
		name = string(m[1])
	}
	encoding, _ := charset.Lookup(name)
	if encoding == nil {
		return body
	}
	text, err := encoding.NewDecoder().Bytes(body)
	if err != nil {
		return body
	}
	return text
}
