package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// yamlInvalid: the value of a key has the form that its field says, and is one of the words of a
// closed set. A placeholder may be any single value, and an empty value is not written yet.
func yamlInvalid(out *findings, f File) {
	absentFiles(out, f)
	misplaced := misplacedTexts(f)
	for v := range yamlValues(f) {
		switch {
		case v.IsEmpty(), v.Kind == yaml.Null && v.Field.Name != "case":
		case v.Key == nil && v.Kind != yaml.Map:
			out.err(headOf(f, v.Node), "This file is a map: it has keys at the left edge.")
		case !projectfile.HasShape(v.Field, v.Node) || misplaced[v.Node]:
			out.warn(headOf(f, v.Node), "`%s` is %s, and this is %s.", v.Field.Name, shapeNames[v.Field.Type], v.Kind)
		case v.IsScalar() && !strings.Contains(v.Text, "{{"):
			v.wrongScalar(out)
		case v.Kind == yaml.Map && v.Field.Name == "deny":
			v.idleDenial(f, out)
		case v.Kind == yaml.Map && v.Field.Type == tool.MapType && f.Project != nil:
			v.notTexts(f, out)
		}
	}
	unknownEnvironment(out, f)
	unreadableExpressions(out, f)
}

// shapeNames are the shapes of values in a message.
var shapeNames = map[tool.FieldType]string{
	tool.Block: "a map", tool.MapType: "a map", tool.ListType: "a list", tool.BlockList: "a list",
	tool.String: "a single value", tool.WordType: "a word", tool.NumberType: "a number",
	tool.BooleanType: "`true` or `false`", tool.Expr: "an expression",
}

func (v yamlValue) wrongScalar(out *findings) {
	switch s := v.scalar(); {
	case len(v.Field.Values) > 0:
		s.wrongWord(out)
	case v.Field.Type == tool.NumberType:
		s.wrongNumber(out)
	case v.Field.Type == tool.BooleanType:
		s.wrongBoolean(out)
	case v.Field.Type == tool.Expr && (v.Kind == yaml.Int || v.Kind == yaml.Float):
		out.warn(v.Span, "`%s` is an expression that is true or false, and this is %s.", v.Field.Name, v.Kind)
	default:
		s.wrongForm(out)
	}
}

// idleDenial: a denied access that matches nothing stops runs.
func (v yamlValue) idleDenial(f File, out *findings) {
	text := func(key string) string {
		if n := v.Get(key); n.IsScalar() {
			return n.Text
		}
		return ""
	}
	key, why := projectfile.IdleDenial(tool.Permission{Kind: text("kind"), Op: text("op"), Resource: text("resource")})
	if n := v.Get(key); n != nil {
		out.warn(n.Span, "`%s` would deny nothing here: %s.%s", n.Text, why, stoppedRuns(f, n.Span))
	}
}

// notTexts: the values of the author's own names in an abl.yaml are texts.
func (v yamlValue) notTexts(f File, out *findings) {
	for _, m := range v.OwnMembers() {
		if !m.Value.IsScalar() && m.Value.Kind != yaml.Null && m.Value.Alias == "" && len(*out) < maxFindings {
			out.warn(headOf(f, m.Value), "`%s` is %s, and this is %s.", m.Key.Text, shapeNames[tool.String], m.Value.Kind)
		}
	}
}
