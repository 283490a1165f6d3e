package tool

import (
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

var absolute = lazyregexp.New(`^([A-Za-z][A-Za-z0-9+.-]*:|` + placeholder.Open + `(env|config)\.)`)

// IsAbsolute reports whether an endpoint brings its own scheme, or has it in a variable of
// the environment, so that no base URL is put before it.
func IsAbsolute(endpoint string) bool { return absolute.MatchString(endpoint) }
