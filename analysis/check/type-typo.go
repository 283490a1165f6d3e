package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// typeTypo: a type in lower case is not one typing slip away from one of the language's own, nor
// one that other languages have and this one does not. Types are not declared, so any other name is
// accepted.
var typeTypo = Check{
	Code: "type-typo",
	Entry: eachTool(func(out *findings, _ Entry, t *model.ToolDecl) {
		typesIn(out, t.Node.Child(syntax.FieldParameters), 0)
		typesIn(out, t.Node.Child(syntax.FieldReturns), 0)
		typosBelow(out, t.PropertiesOfAnyKind())
	}),
}

// languageTypes are the types of the language.
var languageTypes = []string{"string", "number", "boolean", "date", "datetime", "object", "array"}

// foreignTypes are types of other languages, each with the type of this language; "" if the author
// has to choose.
var foreignTypes = map[string]string{"int": "number", "bool": "boolean", "any": "", "void": ""}

// typesIn looks at the names of types below a node whose spans are relative to an offset.
func typesIn(out *findings, n syntax.Node, offset int) {
	for c := range n.Preorder() {
		isWord := c.Parent().Kind() == syntax.TypeList && c.Parent().Parent().Child(syntax.FieldName).Text() == "enum"
		if c.Kind() == syntax.TypeIdentifier && !isWord && len(*out) < maxFindings {
			typeName(out, c.Text(), c.Span().Shift(offset))
		}
	}
}

func typeName(out *findings, name string, at text.Span) {
	if name != strings.ToLower(name) || slices.Contains(languageTypes, name) {
		return
	}
	instead, foreign := foreignTypes[name]
	if !foreign {
		instead = model.Nearest(name, languageTypes)
	}
	switch {
	case instead != "":
		d := out.hint(at, "`%s` is no type of the language; did you mean `%s`?", name, instead)
		d.Fixes = append(d.Fixes, model.ReplaceFix("Change to `"+instead+"`", at, instead))
	case foreign:
		out.hint(at, "`%s` is no type of the language; write what it is, such as `string` or `object`.", name)
	}
}

// typosBelow looks at types that are in properties.
func typosBelow(out *findings, props []model.Property) {
	for _, p := range props {
		switch {
		case p.IsAuthorName && !p.Describes():
			typeValue(out, p.Value)
			typosOfFields(out, p)
		case p.Field != nil && p.Field.Type == tool.TypeType:
			typeValue(out, p.Value)
		case p.IsAuthorName, p.Field != nil && p.Field.Open && p.Field.Each != nil:
			typosOfFields(out, p)
		}
	}
}

func typosOfFields(out *findings, p model.Property) {
	typosBelow(out, p.Properties())
	for _, o := range p.OptionalFields() {
		typeText(out, o.Type.Text, o.Type.Span.Start)
	}
}

// typeValue looks at a value that is a type, quoted or not.
func typeValue(out *findings, v syntax.Node) {
	s, start := v.Text(), v.Span().Start
	switch v.Kind() {
	case syntax.String:
		typeText(out, s[1:len(s)-1], start+1)
	case syntax.Text:
		typeText(out, s, start)
	}
}

func typeText(out *findings, s string, start int) {
	n := model.TypeNode(s)
	typesIn(out, n, start+strings.Index(s, n.Text())-n.Span().Start)
}
