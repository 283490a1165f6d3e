package tool

import (
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

var absolute = lazyregexp.New(`^([A-Za-z][A-Za-z0-9+.-]*:|` + placeholder.Open + `(env|config)\.)`)

// IsAbsolute reports whether an endpoint has its own scheme, or gets it from an environment
// variable, so that no base URL precedes it.
func IsAbsolute(endpoint string) bool { return absolute.MatchString(endpoint) }
