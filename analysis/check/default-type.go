package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// defaultType: a parameter's default has the parameter's type, and is within its limits. null, a
// placeholder and a call fit every type; a type of the author's own fits anything.
var defaultType = Check{
	Code: "default-type",
	Entry: eachTool(func(out *findings, _ Entry, t *model.ToolDecl) {
		statement, _ := t.Property("statement")
		sql := tool.SQL{Statement: statement.Value.EmbeddedText().Text}
		for _, p := range t.Defaults() {
			n := p.At
			switch {
			case p.Type == nil || opensString(n.Text()) || opensBracket(n.Text(), true):
			case !suitsType(n, p.Type):
				if !p.Enriched {
					d := out.warn(n.Span(), "The default of `%s` is %s, but its type is `%s`; change one of the two.", p.Name, literalName(n), p.Type)
					offerQuotes(d, n, p.Type)
				}
			case !partOfMap(n, p.Type).IsZero():
				out.warn(partOfMap(n, p.Type).Span(), "A value in the default of `%s` has parts; the values of a `map` are texts, numbers, true and false.", p.Name)
			case p.ViolatedDefaultLimit() != "" && !isComputed(n):
				out.warn(n.Span(), "The default of `%s` must be %s; change one of the two.", p.Name, p.ViolatedDefaultLimit())
			case p.Pasted && sql.Unpasteable(p.Param):
				out.warn(n.Span(), "The default of `%s` cannot be pasted into the statement; write a name, or give `%s` an `escape` or `allowed_values`.", p.Name, p.Name)
			}
		}
	}),
}

// isComputed reports whether a default is a placeholder or a call, whose value is unknown here.
func isComputed(n syntax.Node) bool {
	return strings.Contains(n.Text(), "{{") || n.Kind() == syntax.Text && strings.HasSuffix(n.Text(), ")")
}

// offerQuotes offers to remove the quotes around a number or a boolean, or to add those that a text
// lacks.
func offerQuotes(d *model.Diagnostic, n syntax.Node, t *tool.Type) {
	unquoted := n.UnquotedText()
	_, isNumber := tool.Number(unquoted).Float()
	switch isWord := strings.EqualFold(unquoted, "true") || strings.EqualFold(unquoted, "false"); {
	case n.Kind() == syntax.String && (isNumber && model.IsNumeric(t) || isWord && t.Name == "boolean"):
		d.Fixes = append(d.Fixes, model.ReplaceFix("Remove the quotes", n.Span(), unquoted))
	case t.Name == "string" && (n.Kind() == syntax.Number || n.Kind() == syntax.Boolean):
		d.Fixes = append(d.Fixes, model.ReplaceFix("Put it in quotes", n.Span(), `"`+n.Text()+`"`))
	}
}

var isDate = lazyregexp.New(`^\d{4}-\d\d-\d\d$`).MatchString

func suitsType(n syntax.Node, t *tool.Type) bool {
	if n.Kind() == syntax.Null || isComputed(n) || len(t.Union) > 0 {
		return true
	}
	isText := n.Kind() == syntax.String || n.Kind() == syntax.Text
	if _, isNumber := tool.Number(n.Text()).Float(); isNumber && model.IsNumeric(t) {
		return true
	}
	switch t.Name {
	case "string":
		return isText
	case "number", "integer", "float", "int":
		return false
	case "boolean", "bool":
		word := strings.ToLower(n.Text())
		return n.Kind() == syntax.Boolean || word == "yes" || word == "no"
	case "date":
		return isText && isDate(n.UnquotedText())
	case "datetime":
		return isText
	case "array":
		return n.Kind() == syntax.List
	case "object", "map":
		return n.Kind() == syntax.Map
	}
	return true
}

// literalName returns the noun for the kind of a default.
func literalName(n syntax.Node) string {
	switch n.Kind() {
	case syntax.String:
		return "a string"
	case syntax.Number:
		return "a number"
	case syntax.Boolean:
		return "a boolean"
	case syntax.List:
		return "a list"
	case syntax.Map:
		return "a map"
	default:
		return "the word `" + n.Text() + "`"
	}
}
