package sql

import (
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/gotemplate"
	"github.com/abl-lsp/abl-lsp/tool/sqltext"
)

// element is an element of a template parameter that is an array. It is pasted by the same rules as
// the whole array.
type element struct {
	param tool.Param
	value any
}

// elementPrefix begins the names of elements in an expanded statement. They cannot be names of
// parameters.
const elementPrefix = "-element-"

// expand returns a statement without its conditions and loops, for the arguments of the call. All
// values are placeholders in it: they are pasted and bound later, as in any statement.
func (c *composer) expand(text string) (string, error) {
	t, err := sqltext.ParseTemplate(text)
	if err != nil {
		return "", executor.DefinitionError("template", "statement: it is no template of Go: %w", err)
	}
	values := map[string]any{}
	for _, name := range t.Fields() {
		if _, ok := c.templateParam(name); !ok {
			return "", executor.DefinitionError("template", "statement: there is no template parameter %q", name).
				WithHint("Declare it under template_parameters: conditions and loops can read nothing else.")
		}
		values[name] = gotemplate.Value(c.call.Scope.Args[name])
	}
	expanded, err := t.Expand(values, c.addElement)
	if err != nil {
		return "", executor.DefinitionError("template", "statement: %w", err)
	}
	return expanded, nil
}

// addElement notes an element of the template parameter called name, and returns its placeholder.
func (c *composer) addElement(name string, value any) string {
	p, _ := c.templateParam(name) // there is one: expand checks it
	c.elements = append(c.elements, element{p, value})
	return "{{." + elementPrefix + strconv.Itoa(len(c.elements)-1) + "}}"
}

// element returns the element that has a name in an expanded statement.
func (c *composer) element(name string) (e element, ok bool) {
	number, ok := strings.CutPrefix(name, elementPrefix)
	i, err := strconv.Atoi(number)
	if !ok || err != nil || i >= len(c.elements) {
		return element{}, false
	}
	return c.elements[i], true
}

// pasteElement writes an element into the statement. around is as for [composer.pasteParam].
func (c *composer) pasteElement(e element, around byte) error {
	text, err := c.pastedText(e.param, e.param.Name, e.value, around)
	c.out.WriteString(text)
	return err
}
