package sqltext

import (
	"errors"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool/gotemplate"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// HasActions reports whether a statement has conditions or loops of Go's templates.
func HasActions(statement string) bool { return action.MatchString(statement) }

// IsAction reports whether a placeholder is a part of such a condition or loop.
func IsAction(placeholder string) bool { return anyAction.MatchString(placeholder) }

var (
	action    = lazyregexp.New(`\{\{(- )?\s*(if|range|with)\b`)
	anyAction = lazyregexp.New(`^\{\{(\s*((if|range|with|else|end|break|continue)\b|/\*|\$|\.\s*\}\}|array\s+\$)|- )|\s-\}\}$`)
)

// Template is a statement with conditions and loops.
type Template struct{ parsed *gotemplate.Template }

// ParseTemplate reads a statement with conditions and loops. The names in their braces, and what is
// pasted between them, are template parameters; `{{x}}` is bound as in any statement.
func ParseTemplate(statement string) (*Template, error) {
	if strings.ContainsAny(statement, boundOpen+boundClose) {
		return nil, errors.New("it contains control characters")
	}
	parsed, err := gotemplate.Parse(bound.ReplaceAllStringFunc(statement, hideBound), arrayFunction)
	if err != nil {
		return nil, err
	}
	return &Template{parsed}, nil
}

// arrayFunction is the function of `{{array .x}}`.
const arrayFunction = "array"

// The characters that stand for the braces of what is bound, while Go's templates read a statement.
const (
	boundOpen  = "\x01"
	boundClose = "\x02"
)

var bound = lazyregexp.New(placeholder.Open + `[\pL_][\pL\pN_.\[\]-]*` + placeholder.Close)

func hideBound(placeholder string) string {
	name := strings.TrimSpace(placeholder[2 : len(placeholder)-2])
	if slices.Contains([]string{"else", "end", "break", "continue", "nil", "true", "false"}, name) {
		return placeholder
	}
	return boundOpen + name + boundClose
}

// Fields returns the names of the template parameters that the statement reads, sorted.
func (t *Template) Fields() []string { return t.parsed.Fields() }

// Expand returns the statement without conditions and loops. What it pastes is still a placeholder:
// `{{.x}}` and `{{array .x}}` for a parameter, and for an element of a list what element returns for
// the list's name and the element. So no value is in the text yet.
func (t *Template) Expand(values map[string]any, element func(name string, value any) string) (string, error) {
	text, err := t.parsed.Fill(values, func(from gotemplate.Origin, value any) (string, error) {
		switch {
		case from.Name == "":
			return "", errors.New("only a template parameter, or an element of one, can be pasted, and nothing that a function makes")
		case from.IsPart && from.Function != "":
			return "", errors.New("an element of " + from.Name + " is no array")
		case from.IsPart:
			return element(from.Name, value), nil
		case from.Function != "":
			return "{{" + from.Function + " ." + from.Name + "}}", nil
		}
		return "{{." + from.Name + "}}", nil
	})
	return strings.NewReplacer(boundOpen, "{{", boundClose, "}}").Replace(text), err
}
