package check

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// extension: a file that is to be published ABL uses nothing that this tool set adds: no property,
// word, type or kind of its own, and no foreign files.
var extension = Check{
	Code:         "extension",
	OnlyStandard: true,
	Entry: func(out *findings, e Entry) {
		if e.InTools() && e.Root.Kind() == syntax.Import {
			foreignImport(out, e.Root)
		}
		inside := map[syntax.Node]bool{}
		for _, m := range e.Maps {
			extensionsIn(out, m, inside)
		}
		for i := range e.Tools {
			signatureTypes(out, e.Tools[i].Node)
			fieldTypes(out, &e.Tools[i])
		}
	},
}

func reportExtension(out *findings, n syntax.Node, what string) {
	out.err(firstLine(n), "%s is an extension of this tool set, and not published ABL.", what)
}

func foreignImport(out *findings, n syntax.Node) {
	at := n.Child(syntax.FieldPath)
	if name := at.UnquotedText(); path.Ext(name) != "" && !strings.EqualFold(path.Ext(name), ".abl") {
		reportExtension(out, at, "To import a `"+path.Ext(name)+"` file")
	}
}

// extensionsIn reports the keys of a map that are extensions, and the words of other keys. What is
// below a reported key is added to inside, and is not reported itself.
func extensionsIn(out *findings, m model.Map, inside map[syntax.Node]bool) {
	isReported := inside[m.Node] || m.Field != nil && m.Field.Edition == tool.Extension
	for _, p := range m.Properties {
		switch {
		case isReported || isExtension(m, p):
			inside[p.Node] = true
			if !isReported {
				reportExtension(out, p.Key, "`"+p.Name()+"`")
			}
		case p.ValueField != nil && p.ValueField.Type == tool.WordType:
			if w, ok := tool.LookupWord(p.ValueField.Values, p.Value.UnquotedText()); ok && w.Edition == tool.Extension {
				reportExtension(out, p.Value, "`"+w.Name+"`")
			}
		}
	}
}

func isExtension(m model.Map, p model.Property) bool {
	if p.ValueField == nil {
		return m.Node.Kind() == syntax.Tool && isOfExtensions(p.Name())
	}
	return p.ValueField.Edition == tool.Extension
}

// isOfExtensions reports whether a property of other kinds of tools is an extension in all of them.
func isOfExtensions(name string) bool {
	kinds := tool.BindingOnly(name)
	return kinds != nil && !slices.ContainsFunc(kinds, func(k tool.Kind) bool {
		f, _, _ := tool.Lookup(tool.Fields(k), name)
		return f.Edition != tool.Extension
	})
}

// signatureTypes looks at the types of parameters and results.
func signatureTypes(out *findings, t syntax.Node) {
	for part := range t.Children() {
		if part.Field() != syntax.FieldParameters && part.Field() != syntax.FieldReturns {
			continue
		}
		for n := range part.Preorder() {
			if n.Kind() == syntax.TypeIdentifier && isExtendedType(n.Text()) {
				reportExtension(out, n, "The type `"+n.Text()+"`")
			}
		}
	}
}

func isExtendedType(name string) bool {
	words := tool.ReturnTypes()
	i := slices.IndexFunc(words, func(w tool.Word) bool { return w.Name == name })
	return i >= 0 && words[i].Edition == tool.Extension
}

// fieldTypes looks at the types in `parameters:`.
func fieldTypes(out *findings, t *model.ToolDecl) {
	if p, ok := t.Property("parameters"); ok {
		typesBelow(out, p)
	}
}

func typesBelow(out *findings, p model.Property) {
	for _, q := range p.Properties() {
		if q.ValueField != nil && (q.ValueField.Type == tool.AnyType || q.ValueField.Edition == tool.Extension) {
			continue
		}
		if isType := q.IsAuthorName || q.ValueField != nil && q.ValueField.Type == tool.TypeType; isType {
			if name := extendedTypeIn(model.ParseType(q.Value.UnquotedText())); name != "" {
				reportExtension(out, q.Value, "The type `"+name+"`")
			}
		}
		typesBelow(out, q)
	}
}

// extendedTypeIn returns the name of the first type in t that published ABL does not have; "" if t
// is nil or has none.
func extendedTypeIn(t *tool.Type) string {
	if t == nil {
		return ""
	}
	if isExtendedType(t.Name) {
		return t.Name
	}
	name := extendedTypeIn(t.Elem)
	for _, f := range t.Fields {
		name = cmp.Or(name, extendedTypeIn(f.Type))
	}
	for _, u := range t.Union {
		name = cmp.Or(name, extendedTypeIn(u))
	}
	return name
}
