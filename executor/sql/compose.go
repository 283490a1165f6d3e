package sql

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
	"github.com/abl-lsp/abl-lsp/tool/sqltext"
)

// statement is a tool's statement for one call: the text that the database gets, and the names of
// the values that are bound to it.
type statement struct {
	text            string
	place           string   // the property that holds it, or the parameter that is all of it
	refs            []string // the bound values in order, by their names in a template
	isCallerWritten bool     // the caller wrote all of it
}

// composer builds the statement of a call.
type composer struct {
	dialect   *dialect
	call      executor.Call
	templates []tool.Param
	bound     []tool.Param // the parameters that are bound, in order
	marks     int          // the number of ? so far
	elements  []element    // of template parameters, which loops paste
	out       strings.Builder
	refs      []string
}

// compose pastes the template parameters into a statement and finds the values to bind.
// Pasted text is not searched for placeholders.
func compose(d *dialect, call executor.Call, s *tool.SQL) (statement, error) {
	c := &composer{dialect: d, call: call, templates: s.Templates()}
	for _, p := range call.Tool.Params {
		if !slices.ContainsFunc(c.templates, func(t tool.Param) bool { return t.Name == p.Name }) {
			c.bound = append(c.bound, p)
		}
	}
	text := strings.TrimSpace(s.Statement)
	if p, ok := c.statementParam(text); ok {
		v, _ := call.Scope.Args[p.Name].(string)
		return statement{text: v, place: p.Name, isCallerWritten: true}, nil
	}
	hasActions := sqltext.HasActions(text)
	if hasActions {
		var err error
		if text, err = c.expand(text); err != nil {
			return statement{}, err
		}
	}
	for _, t := range d.lex(text) {
		if err := c.addToken(t); err != nil {
			return statement{}, err
		}
	}
	if hasActions && c.marks > 0 && c.marks != len(c.bound) {
		return statement{}, executor.DefinitionError("parameters", "statement: with these arguments it has %d ? for %d parameters", c.marks, len(c.bound)).
			WithHint("Bind by name or number where a condition or loop may leave one out: {{%s}}.", c.bound[0].Name)
	}
	return statement{text: c.out.String(), place: "statement", refs: c.refs}, nil
}

// statementParam returns the template parameter that is the entire statement in text. In that case
// the caller writes SQL and is not limited to names. It returns false for any other text.
func (c *composer) statementParam(text string) (tool.Param, bool) {
	name, array, ok := sqltext.TemplatePlaceholder(text)
	if !ok || array {
		return tool.Param{}, false
	}
	p, ok := c.templateParam(name)
	return p, ok && p.Type.Name == "string" && p.Escape == ""
}

func (c *composer) templateParam(name string) (tool.Param, bool) {
	i := slices.IndexFunc(c.templates, func(p tool.Param) bool { return p.Name == name })
	if i < 0 {
		return tool.Param{}, false
	}
	return c.templates[i], true
}

func (c *composer) addToken(t token) error {
	switch t.shape {
	case filled:
		return c.fillPlaceholder(t.text)
	case quoted:
		return c.fillQuoted(t.text)
	case mark:
		return c.bindMark(t.text)
	}
	c.out.WriteString(t.text)
	return nil
}

// fillPlaceholder pastes a template parameter, or binds any other value.
func (c *composer) fillPlaceholder(text string) error {
	name, array, isTemplate := sqltext.TemplatePlaceholder(text)
	if e, ok := c.element(name); ok {
		return c.pasteElement(e, 0)
	}
	if p, ok := c.templateParam(name); ok {
		return c.pasteParam(p, array, 0)
	}
	if isTemplate {
		return executor.DefinitionError("template", "statement: %s: there is no template parameter %q", text, name).
			WithHint("Declare it under template_parameters; what is bound is written {{%s}}, or $1 and ? in the order of the parameters.", name)
	}
	switch {
	case c.isValue(name):
	case !sqltext.IsPlaceholder(name):
		return executor.DefinitionError("template", "statement: %s %s", text, sqltext.NoPlaceholder)
	default:
		_, err := c.call.Scope.Lookup(name)
		return executor.TemplateError("statement", err)
	}
	c.bindName(name)
	return nil
}

// fillQuoted fills in the placeholders inside a string or a quoted name.
func (c *composer) fillQuoted(text string) error {
	filledIn, err := placeholder.Fill(text, false, func(p placeholder.Lookup) (string, error) {
		written := "{{" + p.Name + "}}"
		name, array, isTemplate := sqltext.TemplatePlaceholder(written)
		inner := &composer{dialect: c.dialect, call: c.call}
		if e, ok := c.element(name); ok {
			err := inner.pasteElement(e, text[0])
			return inner.out.String(), err
		}
		t, ok := c.templateParam(name)
		if !ok && !isTemplate && c.isValue(name) {
			return "", executor.DefinitionError("template", "statement: %s %s", written, sqltext.BoundInQuotes).
				WithHint("Take it out of the quotes: '%%' || %s || '%%'.", written)
		}
		if !ok {
			return written, nil // plain text, such as a format string of the database
		}
		err := inner.pasteParam(t, array, text[0])
		return inner.out.String(), err
	})
	c.out.WriteString(filledIn)
	return err
}

// isValue reports whether a placeholder names a value that can be bound.
func (c *composer) isValue(name string) bool {
	_, err := c.call.Scope.Lookup(name)
	return err == nil || strings.HasPrefix(name, "secrets.")
}

// bindName writes the database's placeholder for a name.
func (c *composer) bindName(ref string) {
	if !c.dialect.dollarQuotes {
		c.refs = append(c.refs, ref)
		c.out.WriteByte('?')
		return
	}
	i := slices.Index(c.refs, ref)
	if i < 0 {
		i = len(c.refs)
		c.refs = append(c.refs, ref)
	}
	fmt.Fprintf(&c.out, "$%d", i+1)
}

// bindMark binds the parameter that a placeholder of the database means: ? is the next one, $1 the
// first one, and :name the one of that name.
func (c *composer) bindMark(text string) error {
	digits := strings.TrimLeft(text, "?$:@")
	if digits == "" {
		c.marks++
		digits = strconv.Itoa(c.marks)
	}
	n, err := strconv.Atoi(digits)
	numbered := err == nil
	if !numbered {
		n = 1 + slices.IndexFunc(c.bound, func(p tool.Param) bool { return p.Name == digits })
	}
	if n < 1 || n > len(c.bound) {
		return c.noParameter(text, n, numbered)
	}
	c.bindName(c.bound[n-1].Name)
	return nil
}

func (c *composer) noParameter(text string, n int, numbered bool) error {
	if !numbered {
		return executor.DefinitionError("parameters", "statement: %s: %s has no parameter of that name", text, c.call.Tool.Name)
	}
	has := "no parameters"
	switch len(c.bound) {
	case 0:
	case 1:
		has = "one parameter"
	default:
		has = strconv.Itoa(len(c.bound)) + " parameters"
	}
	if text == "?" {
		text = fmt.Sprintf("the %s ?", ordinal(n))
	}
	return executor.DefinitionError("parameters", "statement: %s has no parameter: %s has %s", text, c.call.Tool.Name, has).
		WithHint("Parameters are bound in the order in which they are declared.")
}

func ordinal(n int) string {
	if words := []string{"first", "second", "third"}; n >= 1 && n <= len(words) {
		return words[n-1]
	}
	return strconv.Itoa(n) + "th"
}
