package tool

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

var (
	headerName      = lazyregexp.New("^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$")
	reservedHeaders = []string{"authorization", "proxy-authorization", "cookie", "set-cookie", "host", "content-type", "content-length",
		"transfer-encoding", "connection", "soapaction"}
)

// IdempotencyFault says why no key is sent in the header called name, which `idempotency_header`
// names; "" if a key is sent. The text is the end of a sentence that begins with the name.
func IdempotencyFault(name string) string {
	lower := strings.ToLower(name)
	switch {
	case !headerName.MatchString(name):
		return "is no name of a header, so no key is sent"
	case slices.Contains(reservedHeaders, lower) || strings.HasPrefix(lower, "x-amz-"):
		return "is a header of the request itself, so no key is sent; take another name"
	}
	return ""
}
