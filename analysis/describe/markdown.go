// Package describe writes Markdown about tools, parameters, variables and servers,
// for hovers and for the documentation of completion items.
package describe

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// FieldMarkdown documents a field of the schema table. If only some kinds use it, by is the key
// whose word decides the kind.
func FieldMarkdown(f tool.Field, by string) string {
	title := []string{"**" + f.Name + "**", f.Type.String()}
	if f.Required {
		title = append(title, "required")
	}
	if f.Default != "" {
		title = append(title, "default `"+f.Default+"`")
	}
	if f.Range != nil {
		title = append(title, fmt.Sprintf("%s to %s", plainNumber(f.Range.Min), plainNumber(f.Range.Max)))
	}
	parts := []string{strings.Join(title, " · "), f.Doc}
	if f.Elsewhere != "" {
		parts = append(parts, "It does nothing here: it belongs "+f.Elsewhere+".")
	}
	if len(f.Values) > 0 {
		parts = append(parts, wordList(f.Values, f.Edition))
	}
	if f.Form != "" {
		parts = append(parts, "Takes "+f.Form+".")
	}
	if !slices.Equal(f.With, f.Needs) {
		parts = append(parts, kindsMarkdown("Used", by, f.With))
	}
	parts = append(parts, kindsMarkdown("Needed", by, f.Needs))
	if len(f.Fields) > 0 {
		parts = append(parts, "Keys: "+FieldList(f.Fields)+".")
	}
	return Paragraphs(append(parts, EditionNote(f.Edition))...)
}

// kindsMarkdown says with which words of a key a field is used.
func kindsMarkdown(what, by string, kinds []string) string {
	if len(kinds) == 0 {
		return ""
	}
	return what + " with `" + by + ": " + strings.Join(kinds, "`, `") + "`."
}

func plainNumber(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// wordList returns a closed set, one word a line. Words of the set's own edition have no mark.
func wordList(words []tool.Word, edition tool.Edition) string {
	var b strings.Builder
	for _, w := range words {
		fmt.Fprintf(&b, "- `%s`", w.Name)
		if w.Doc != "" {
			b.WriteString(": " + w.Doc)
		}
		if note := EditionNote(w.Edition); note != "" && w.Edition != edition {
			b.WriteString(" " + note)
		}
		b.WriteByte('\n')
	}
	return strings.TrimRight(b.String(), "\n")
}

// FieldList lists the names of documented fields as code, with commas between them.
func FieldList(fields []tool.Field) string {
	var names []string
	for _, f := range fields {
		if !f.Undocumented && f.Elsewhere == "" {
			names = append(names, "`"+f.Name+"`")
		}
	}
	return strings.Join(names, ", ")
}

// EditionNote returns the note for a word that the published language does not have; "" if it has
// it.
func EditionNote(e tool.Edition) string {
	switch e {
	case tool.Later:
		return "[later edition]"
	case tool.Extension:
		return "[extension of abl-lsp, not published ABL]"
	}
	return ""
}

// ValueMarkdown documents w, one of the words that the property may have. For `type` it also lists
// the properties of that kind of tool.
func ValueMarkdown(property string, w tool.Word) string {
	text := WordMarkdown(property, w)
	if property != "type" {
		return text
	}
	var required, optional []tool.Field
	for _, f := range tool.Fields(tool.Kind(w.Name)) {
		if f.Required {
			required = append(required, f)
		} else {
			optional = append(optional, f)
		}
	}
	if len(required) > 0 {
		text += "\n\nRequired: " + FieldList(required) + "."
	}
	if len(optional) > 0 {
		text += "\n\nOptional: " + FieldList(optional) + "."
	}
	return text
}

// WordMarkdown documents a value of a property without saying what else it requires.
func WordMarkdown(property string, w tool.Word) string {
	return Paragraphs("**"+property+": "+w.Name+"**", w.Doc, EditionNote(w.Edition))
}

// Paragraphs joins the texts that are not empty.
func Paragraphs(parts ...string) string {
	parts = slices.DeleteFunc(slices.Clone(parts), func(s string) bool { return s == "" })
	return strings.Join(parts, "\n\n")
}

// VariableMarkdown documents a variable.
func VariableMarkdown(v model.Variable) string {
	title := "**" + v.Name + "** · " + v.Kind.String()
	if v.Type != "" {
		title += " · " + CodeSpan(v.Type)
	}
	from := ""
	if v.Tool != "" {
		from = "What " + CodeSpan(v.Tool) + " answered."
	}
	return Paragraphs(title, v.Doc, from)
}

// FunctionMarkdown documents a function.
func FunctionMarkdown(f expression.Function) string { return Paragraphs(Fenced(f.Signature()), f.Doc) }

// TemplateMarkdown documents a template: its name and its text.
func TemplateMarkdown(n model.NamedDeclaration) string {
	text := ""
	if n.Doc != "" {
		text = FencedAs("", n.Doc)
	}
	return Paragraphs("**"+n.Name+"** · template", text)
}

// MaxDoc is how many characters of a text documentation shows.
const MaxDoc = 300

// DeclaredIn says that a declaration is at the place at of the file in; "" if that is the file
// from, whose reader is told.
func DeclaredIn(from, in *model.File, at text.Span) string {
	if in == from {
		return ""
	}
	return "Defined in " + model.DescribePlace(from, in, at) + "."
}

// ExpandedType returns an object type with one field a line; "" for any other type.
func ExpandedType(t *tool.Type) string {
	if t == nil || len(t.Fields) == 0 {
		return ""
	}
	var b strings.Builder
	writeFields(&b, t, "")
	return Fenced(strings.TrimSuffix(b.String(), "\n"))
}

func writeFields(b *strings.Builder, t *tool.Type, indent string) {
	for _, f := range t.Fields {
		inner := f.Type
		array := ""
		for inner != nil && inner.Elem != nil && inner.Name == "array" {
			inner, array = inner.Elem, array+"[]"
		}
		if inner == nil || len(inner.Fields) == 0 {
			b.WriteString(indent + f.String() + "\n")
			continue
		}
		mark := ":"
		if f.Optional {
			mark = "?:"
		}
		b.WriteString(indent + f.Name + mark + " {\n")
		writeFields(b, inner, indent+"  ")
		b.WriteString(indent + "}" + array + "\n")
	}
}
