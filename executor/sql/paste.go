package sql

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// paste writes the value of a template parameter into the statement. Quoted says
// that the author has put quotes around it.
func (c *composer) paste(p tool.Param, array, inQuotes bool) error {
	v, given := c.call.Scope.Args[p.Name]
	list, isList := v.([]any)
	switch {
	case !given:
		return nil // it was optional
	case isList && !array:
		return definition("template", "statement: {{.%s}} is an array; write {{array .%s}}", p.Name, p.Name)
	case !isList:
		list = []any{v}
	}
	for i, one := range list {
		text, err := c.pasteable(p, one, inQuotes)
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

// What may be pasted as it is: a name, with others before it, or one thing in quotes
// that hold nothing which could end them.
var (
	plainName  = regexp.MustCompile(`^[\pL_][\pL\pN_]{0,127}(\.[\pL_][\pL\pN_]{0,127}){0,3}$`)
	quotedName = regexp.MustCompile("^(\"[^\"\\\\\\x00-\\x1f]+\"|`[^`\\\\\\x00-\\x1f]+`|'[^'\\\\\\x00-\\x1f]*')$")
	inQuotesOK = regexp.MustCompile("^[^'\"`\\\\$\\[\\]\\x00-\\x1f]*$")
)

func (c *composer) pasteable(p tool.Param, v any, inQuotes bool) (string, error) {
	switch v := v.(type) {
	case json.Number:
		if strings.HasPrefix(string(v), "-") && !inQuotes {
			return "(" + string(v) + ")", nil // two signs would begin a comment
		}
		return string(v), nil
	case bool:
		return strings.ToUpper(string(encode(v))), nil
	case string:
		return c.text(p, v, inQuotes)
	}
	return "", executor.Errorf(executor.KindArguments, "wrong-type", "%s: only texts, numbers and booleans can be pasted into a statement", p.Name)
}

func (c *composer) text(p tool.Param, v string, inQuotes bool) (string, error) {
	switch {
	case p.Escape != "" && inQuotes:
		return "", definition("template", "statement: {{.%s}} stands inside quotes, and has `escape` besides; one of the two is enough", p.Name)
	case p.Escape != "":
		return c.escaped(p, v)
	case named(p.AllowedValues, v), inQuotes && inQuotesOK.MatchString(v), !inQuotes && c.isName(v):
		return v, nil
	}
	e := executor.Errorf(executor.KindArguments, "not-allowed", "%s: %q is pasted into the statement, and must be a name such as flights or public.flights", p.Name, executor.Shorten(v, 60))
	e.Details = map[string]any{"path": p.Name}
	return "", e.WithHint("Other texts are bound ($1, ?), quoted by `escape`, or listed in `allowed_values`.")
}

func (c *composer) isName(v string) bool {
	if plainName.MatchString(v) {
		return true
	}
	return quotedName.MatchString(v) && (v[0] == '\'' || strings.IndexByte(c.dialect.quotes, v[0]) >= 0)
}

// named reports whether the author has listed that very value.
func named(list []json.RawMessage, v string) bool {
	return slices.ContainsFunc(list, func(raw json.RawMessage) bool {
		var one string
		return json.Unmarshal(raw, &one) == nil && one == v
	})
}

// escapeQuotes are what the words of `escape` put around a value.
var escapeQuotes = map[string][2]string{
	"single-quotes": {"'", "'"}, "double-quotes": {`"`, `"`}, "backticks": {"`", "`"}, "square-brackets": {"[", "]"},
}

func (c *composer) escaped(p tool.Param, v string) (string, error) {
	if !slices.Contains(c.dialect.escapes, p.Escape) {
		return "", definition("template", "template_parameters.%s.escape: %s does not quote with %s", p.Name, c.dialect.name, p.Escape).
			WithHint("It knows %s.", strings.Join(c.dialect.escapes, ", "))
	}
	open, shut := escapeQuotes[p.Escape][0], escapeQuotes[p.Escape][1]
	if strings.Contains(v, "\x00") || shut == "]" && strings.Contains(v, "]") {
		return "", executor.Errorf(executor.KindArguments, "not-allowed", "%s: %q cannot be quoted with %s", p.Name, executor.Shorten(v, 60), p.Escape)
	}
	v = strings.ReplaceAll(v, shut, shut+shut)
	if c.dialect.backslash && shut != "`" {
		v = strings.ReplaceAll(v, `\`, `\\`)
	}
	return open + v + shut, nil
}
