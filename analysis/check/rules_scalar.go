package check

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// scalar is a single value with its schema field, in a line of ABL or in a YAML file.
type scalar struct {
	field  *tool.Field
	key    string
	text   string    // without quotes
	shown  string    // its beginning, for a message
	span   text.Span // with quotes
	inner  text.Span // without them
	quoted bool
	float  bool // YAML reads a number that is no integer
	exact  bool // YAML knows words in one casing only, and no other booleans
}

// scalarOf returns a value of a key in ABL, or one item of its list.
func scalarOf(key string, v syntax.Node, field *tool.Field) scalar {
	s := scalar{field: field, key: key, text: strings.TrimSpace(v.UnquotedText()), shown: firstWords(v), span: v.Span(), quoted: v.Kind() == syntax.String}
	s.inner = s.span
	if s.quoted && s.span.Len() > 1 {
		s.inner = text.Span{Start: s.span.Start + 1, End: s.span.End - 1}
	}
	return s
}

// scalar returns v, which is neither a list nor a map, as a scalar.
func (v yamlValue) scalar() scalar {
	return scalar{
		field: v.Field, key: v.Field.Name, text: v.Text, shown: clipLine(v.Text), span: v.Span, inner: v.TextSpan(),
		quoted: v.Kind == yaml.String, float: v.Kind == yaml.Float, exact: true,
	}
}

// wrongNumber reports a value that is no number, or none that the field allows.
func (s scalar) wrongNumber(out *findings) {
	number, isNumber := tool.Number(s.text).Float()
	switch {
	case s.field.Pattern != nil && s.field.Pattern.MatchString(s.text):
	case !isNumber:
		out.warn(s.span, "`%s` wants a number, not `%s`.", s.key, s.shown)
	case s.quoted:
		s.needlessQuotes(out)
	case s.field.Integer && (s.float || number != math.Trunc(number)):
		out.warn(s.span, "`%s` wants a whole number, not `%s`.", s.key, s.text)
	default:
		s.wrongRange(out, number)
	}
}

// wrongRange reports a number outside the range that its field allows.
func (s scalar) wrongRange(out *findings, number float64) {
	switch limits := s.field.Range; {
	case limits != nil && (number < limits.Min || number > limits.Max):
		out.warn(s.span, "`%s` is a number from %s to %s.", s.key, shortest(limits.Min), shortest(limits.Max))
	case number < 0 && !s.field.Signed:
		out.warn(s.span, "`%s` cannot be less than 0.", s.key)
	}
}

func shortest(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// booleanWords are what other languages write for each boolean.
var booleanWords = map[string][]string{"true": {"yes", "on"}, "false": {"no", "off"}}

// wrongBoolean reports a value that is no boolean. In ABL `yes` and `no` are booleans.
func (s scalar) wrongBoolean(out *findings) {
	word := strings.ToLower(s.text)
	switch {
	case word == "true" || word == "false":
		if s.quoted {
			s.needlessQuotes(out)
		}
		return
	case !s.exact && (word == "yes" || word == "no"):
		return
	}
	d := out.warn(s.span, "`%s` wants `true` or `false`, not `%s`.", s.key, s.shown)
	for boolean, others := range booleanWords {
		if slices.Contains(others, word) {
			d.Fixes = append(d.Fixes, model.ReplaceFix("Change to `"+boolean+"`", s.span, boolean))
			return
		}
	}
	offerNear(d, s.inner, s.text, []string{"true", "false"})
}

// needlessQuotes reports a number or a boolean in quotes.
func (s scalar) needlessQuotes(out *findings) {
	d := out.warn(s.span, "`%s` is a %s; write `%s` without quotes.", s.key, s.field.Type, s.text)
	d.Fixes = append(d.Fixes, model.ReplaceFix("Remove the quotes", s.span, s.text))
}

// wrongWord reports a value that is none of the words of the field.
func (s scalar) wrongWord(out *findings) {
	known := tool.WordNames(s.field.Values)
	_, ok := tool.LookupWord(s.field.Values, s.text)
	if s.exact {
		ok = slices.Contains(known, s.text)
	}
	if ok || len(known) == 0 || s.text == "" && !s.exact || s.field.Pattern != nil && s.field.Pattern.MatchString(s.text) || s.field.Quoted && s.quoted {
		return
	}
	all := "`" + strings.Join(known, "`, `") + "`"
	if s.field.Form != "" {
		all += ", or " + s.field.Form
	}
	d := out.add(severityOf(s.field), s.span, "`%s` cannot be `%s`; %s", s.key, s.shown, model.DidYouMean(s.text, known, "it is one of "+all+"."))
	offerNear(d, s.inner, s.text, known)
}

// wrongForm reports a text that has another form than the field requires.
func (s scalar) wrongForm(out *findings) {
	if s.field.Form != "" && !s.field.Pattern.MatchString(s.text) {
		out.add(severityOf(s.field), s.span, "`%s` cannot be `%s`: it is %s.", s.key, s.shown, s.field.Form)
	}
}
