package projectfile

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
)

// implicitKinds are the kinds of resources that runs access by themselves. Of other kinds, which
// tools declare, nothing is known.
var implicitKinds = []string{"", "*", "web", "mcp", "process", "lambda", "sql", "redis", "secret"}

var (
	oneWord = lazyregexp.New(`^[\w*-]*$`)
	webForm = lazyregexp.New(`^([\w*]+://)?([\w.:*-]*[\w:*-]|\[[\w.:*]+\](:[\d*]+)?)?(/[!"$->@-~]*)?$`)
)

// IdleDenial returns the key of p, an access under `deny`, because of which p can match nothing and
// so would deny nothing, and why. Both are "" if p may match something.
func IdleDenial(p tool.Permission) (key, why string) {
	kind, resource := strings.ToLower(p.Kind), p.Resource
	switch {
	case !slices.Contains(implicitKinds, kind):
		return "", ""
	case !oneWord.MatchString(p.Op):
		return "op", "an op is a single word: write an access for each, or * for any"
	case kind == "web" && !webForm.MatchString(resource):
		return "resource", "of the kind web it is a host such as api.example.com or a URL without its query, in ASCII"
	case kind == "mcp" && resource != "" && !strings.ContainsAny(resource, "/*"):
		return "resource", "of the kind mcp it is SERVER/TOOL, such as " + resource + "/*"
	case kind == "process" && strings.ContainsAny(resource, " \t") && !strings.ContainsAny(resource, `/\*`):
		return "resource", "of the kind process it is the program alone, without its arguments"
	}
	return "", ""
}
