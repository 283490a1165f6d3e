package edit

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// AddParameter returns the fix that adds a parameter to the end of the signature, or of the block
// of a tool in map form, so that calls by position stay right. Its edit is relative to the tool's
// entry. If the name is a path, its head becomes the parameter. ok is false if the name cannot be
// that of a parameter.
func AddParameter(d *model.ToolDecl, name, written string) (fix model.Fix, ok bool) {
	head := placeholder.RootName(name)
	list := d.Node.Child(syntax.FieldParameters)
	if model.CheckName(model.Symbol{Kind: model.ParameterSymbol}, head) != nil || d.Param(head) != nil {
		return model.Fix{}, false
	}
	switch rest := name[len(head):]; {
	case strings.HasPrefix(rest, "."):
		written = "object"
	case rest != "":
		written = "array"
	}
	param := head + ": " + written
	fix = model.Fix{Title: "Add the parameter `" + param + "` to `" + d.Name + "`"} // not the best: its type is a guess
	edits, ok := model.AppendMember(d, param)
	if !list.IsZero() {
		edits, ok = appendParam(d, param), true
	}
	fix.Edits = model.EditsIn("", edits...)
	return fix, ok
}

// appendParam returns the edits, relative to the entry, that add a parameter after the others: on
// the next line if the last one has a line of its own.
func appendParam(d *model.ToolDecl, param string) []text.Edit {
	if len(d.Params) == 0 {
		return []text.Edit{text.Insertion(d.Node.Child(syntax.FieldParameters).Span().Start+1, param)}
	}
	source, last := d.Node.Entry().Text(), d.Params[len(d.Params)-1].Node.Span()
	begin := strings.LastIndexAny(source[:last.Start], "\r\n") + 1
	indent := source[begin:last.Start]
	rest := source[last.End : last.End+strings.IndexAny(source[last.End:]+"\n", "\r\n")]
	after := strings.TrimLeft(rest, " \t")
	if strings.Trim(indent, " \t") != "" || after != "" && !strings.HasPrefix(after, "#") {
		return []text.Edit{text.Insertion(last.End, ", "+param)}
	}
	if after == "" {
		return []text.Edit{text.Insertion(last.End, ",\n"+indent+param)}
	}
	return []text.Edit{text.Insertion(last.End, ","), text.Insertion(last.End+len(rest), "\n"+indent+param)}
}

// typesByName are the likely types of parameters by their names.
var typesByName = []struct {
	names   *lazyregexp.Regexp
	written string
}{
	{lazyregexp.New(`^(?:is|has|can|with|include|allow)_|^(?:enabled|active|verbose)$`), "boolean"},
	{lazyregexp.New(`(?:^|_)date$|^date_`), "date"},
	{lazyregexp.New(`(?:^|_)(?:count|limit|offset|page|amount|price|total|quantity|size|year|age|days|nights|hours|minutes|seconds|guests|latitude|longitude|lat|lon)$`), "number"},
}

// TypeByName returns the type that a parameter of this name has most likely.
func TypeByName(name string) string {
	for _, t := range typesByName {
		if t.names.MatchString(strings.ToLower(name)) {
			return t.written
		}
	}
	return "string"
}

// literalTypes are the types of literals by their nouns in messages.
var literalTypes = map[string]string{"a number": "number", "a boolean": "boolean", "a list": "array", "a map": "object"}

// ArgumentType returns the likely type of the parameter called name, to which a call gives value:
// the type of a literal, that of a variable if f tells it, or the type that name suggests.
func ArgumentType(f *model.File, name string, value syntax.Node) string {
	if t, ok := literalTypes[model.LiteralNoun(value)]; ok {
		return t
	}
	from := strings.TrimSpace(value.UnquotedText())
	if v, ok := f.Variable(from); ok && v.Name == from && slices.Contains(plainTypes, v.Type) {
		return v.Type
	}
	return TypeByName(name)
}

// plainTypes are the types that signatures and variables spell alike.
var plainTypes = []string{"string", "number", "boolean", "date", "datetime", "object", "array"}
