package model

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// indirectArgument matches what follows `args` or `input` in an expression if the argument is not
// named after a dot: `?.x`, `["x"]`, `?.['x']`. Quotes may be escaped.
var indirectArgument = lazyregexp.New(`^\s*(?:\?\.\s*([A-Za-z_]\w*)|(?:\?\.)?\[\s*\\*["']([A-Za-z_]\w*)\\*["']\s*\])`)

// indirectNames returns the places of the arguments that s, an expression, names by an index or
// after `?.`, see indirectArgument. Strings in s are left out.
func indirectNames(s string) (found []text.Span) {
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '"' || c == '\'' || c == '`':
			if end := strings.IndexByte(s[i+1:], c); end >= 0 {
				i += end + 1
			}
			i++
		case isName(c):
			n, end := nameAt(s, i, len(s))
			ofMember := i > 0 && s[i-1] == '.'
			if i = end; ofMember || len(n.Parts) > 1 || s[n.Head().Start:end] != "args" && s[n.Head().Start:end] != FreeForm {
				continue
			}
			if m := indirectArgument.FindStringSubmatchIndex(s[end:]); m != nil {
				name := text.Span{Start: max(m[2], m[4]), End: max(m[3], m[5])}.Shift(end)
				found = append(found, name)
				i = end + m[1]
			}
		default:
			i++
		}
	}
	return found
}
