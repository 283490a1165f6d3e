package rest

import (
	"bytes"
	"mime"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

var declaredInXML = lazyregexp.New(`^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']`)

// decodeToUTF8 is a body in UTF-8. One that is none, as ISO-8859-1, or has bytes of zero, as
// UTF-16, is read by the name that its type, or its XML, gives of its characters. What no
// name helps stays as it is.
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
