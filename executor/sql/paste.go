package sql

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/sqltext"
)

// pasteParam writes the value of a template parameter into the statement. around is the quote that
// surrounds it in the statement; 0: none.
func (c *composer) pasteParam(p tool.Param, array bool, around byte) error {
	if wrong := p.Mispasted(array); wrong != "" {
		return executor.DefinitionError("template", "statement: %s", wrong)
	}
	v, given := c.call.Scope.Args[p.Name]
	list, isList := v.([]any)
	switch {
	case !given:
		return nil // it was optional
	case !isList:
		list = []any{v}
	case len(list) == 0:
		return executor.Errorf(executor.KindArguments, "not-allowed", "%s: is empty, and nothing can be pasted into the statement for it; give at least one", p.Name)
	}
	for i, one := range list {
		path := p.Name
		if isList {
			path = fmt.Sprintf("%s[%d]", p.Name, i)
		}
		text, err := c.pastedText(p, path, one, around)
		if err != nil {
			return err
		}
		if i > 0 {
			c.out.WriteString(", ")
		}
		c.out.WriteString(text)
	}
	return nil
}

func (c *composer) pastedText(p tool.Param, path string, v any, around byte) (string, error) {
	switch v := v.(type) {
	case json.Number:
		if strings.HasPrefix(string(v), "-") && around == 0 {
			return "(" + string(v) + ")", nil // two signs would begin a comment
		}
		return string(v), nil
	case bool:
		return strings.ToUpper(string(encode(v))), nil
	case string:
		return c.checkPasted(p, path, v, around)
	}
	return "", executor.Errorf(executor.KindArguments, "wrong-type", "%s: only texts, numbers and booleans can be pasted into a statement", path)
}

func (c *composer) checkPasted(p tool.Param, path, v string, around byte) (string, error) {
	switch {
	case p.Escape != "" && around != 0:
		return "", executor.DefinitionError("template", "statement: {{.%s}} %s", p.Name, sqltext.QuotedTwice)
	case p.Escape != "":
		return c.quotePasted(p, path, v)
	case tool.ListsText(p.AllowedValues, v), c.isHarmless(v, around):
		return v, nil
	}
	what := "must be a name such as flights or public.flights"
	if around != 0 && around != '$' {
		what = "may not hold quotes, backslashes, $ and brackets between the quotes there"
	}
	e := executor.Errorf(executor.KindArguments, "not-allowed", "%s: %q is pasted into the statement, and %s", path, executor.Shorten(v, 60), what)
	e.Details = map[string]any{"path": path}
	return "", e.WithHint("Other texts are bound ($1, ?), quoted by `escape`, or listed in `allowed_values`.")
}

// isHarmless reports whether a text cannot have another meaning than itself at its place. Text between
// dollar quotes may be a program, as in DO.
func (c *composer) isHarmless(v string, around byte) bool {
	switch around {
	case 0:
		return c.isName(v)
	case '$':
		return sqltext.IsPlainName(v)
	}
	return sqltext.FitsQuotes(v)
}

func (c *composer) isName(v string) bool {
	if sqltext.IsPlainName(v) {
		return true
	}
	return sqltext.IsQuotedName(v) && (v[0] == '\'' || strings.IndexByte(c.dialect.quotes, v[0]) >= 0)
}

// escapeQuotes are the opening and closing quotes for each word of `escape`.
var escapeQuotes = map[string][2]string{
	"single-quotes": {"'", "'"}, "double-quotes": {`"`, `"`}, "backticks": {"`", "`"}, "square-brackets": {"[", "]"},
}

func (c *composer) quotePasted(p tool.Param, path, v string) (string, error) {
	if !slices.Contains(c.dialect.escapes, p.Escape) {
		return "", executor.DefinitionError("template", "template_parameters.%s.escape: %s does not quote with %s", p.Name, c.dialect.name, p.Escape).
			WithHint("It knows %s.", strings.Join(c.dialect.escapes, ", "))
	}
	open, shut := escapeQuotes[p.Escape][0], escapeQuotes[p.Escape][1]
	if strings.Contains(v, "\x00") || shut == "]" && strings.Contains(v, "]") {
		return "", executor.Errorf(executor.KindArguments, "not-allowed", "%s: %q cannot be quoted with %s", path, executor.Shorten(v, 60), p.Escape)
	}
	v = strings.ReplaceAll(v, shut, shut+shut)
	if c.dialect.escapesIn(shut[0]) {
		v = strings.ReplaceAll(v, `\`, `\\`)
	}
	return open + v + shut, nil
}
