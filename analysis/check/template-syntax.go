package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// templateSyntax: in one value, which may be a text of many lines, a `{{` is closed, and `{{#if}}`
// and `{{#each}}` have their ends. A `}}` too many is text. So are all braces in source code, in
// bodies, and in text that looks like JSON. The fillers of a voice have no placeholders.
var templateSyntax = Check{
	Code: "template-syntax",
	Entry: func(out *findings, e Entry) {
		info, _ := model.LookupSection(e.Section)
		isLine := info.Shape == model.TextShape && !e.Head // the lines of the section are one value
		if e.Section != "TESTS" && !isLine {
			templatesBelow(out, e.Root)
		}
		for _, m := range e.Maps {
			embeddedSecrets(out, m)
		}
		if e.Section == "MESSAGES" && isFiller(e.Root.Key()) {
			plainFiller(out, e.Root.Value())
		}
	},
	File: func(out *findings, f File) {
		for _, s := range f.Doc.Sections() {
			if info, _ := model.LookupSection(s.Name()); info.Shape == model.TextShape {
				var v openTemplate
				for _, e := range s.Entries {
					v.readPart(withoutComments(e.Root()), e.Offset)
				}
				v.report(out)
			}
		}
	},
	YAML: yamlTemplateSyntax,
}

// isFiller matches a key of MESSAGES whose text a voice says during a pause, by what it waits for
// and perhaps the language.
var isFiller = lazyregexp.New(`(?i)^filler_(general|tool_call|reasoning|handoff|delegation|extraction|constraint_check)(_[a-z]{2,3}(-[a-z0-9]+)*)?$`).MatchString

var wholePlaceholder = lazyregexp.New(placeholder.Any)

// plainFiller finds a placeholder in such a text, which the voice would say as written.
func plainFiller(out *findings, v syntax.Node) {
	if at := wholePlaceholder.FindStringIndex(v.Text()); at != nil {
		span := text.Span{Start: at[0], End: at[1]}.Shift(v.Span().Start)
		out.warn(span, "A filler is plain text: `%s` is not replaced.", v.Text()[at[0]:at[1]])
	}
}

// yamlTemplateSyntax looks at the values of an abl.yaml.
func yamlTemplateSyntax(out *findings, f File) {
	if !model.IsProjectFile(f.Path) {
		return
	}
	for n := range scalars(f) {
		var v openTemplate
		v.readPart(f.Doc.Text()[n.Span.Start:n.Span.End], n.Span.Start)
		v.report(out)
	}
}

// Keys whose values, and those below which all values, have braces of their own.
var (
	rawValues = []string{
		"code", "body", "body_template", "body_schema", "statement", "query_template", "soap_headers", "schema",
		"adaptive_card", "slack", "ag_ui", "whatsapp",
	}
	rawBlocks = []string{"input_schema", "output_schema", "props", "renderables"}
)

// templatesBelow looks at the values below a node.
func templatesBelow(out *findings, n syntax.Node) {
	key := strings.ToLower(n.Key())
	if !strings.Contains(n.Text(), "{{") || slices.Contains(rawBlocks, key) {
		return
	}
	switch n.Kind() {
	case syntax.Comment:
		return
	case syntax.String, syntax.Text, syntax.PipeBlock:
		templateValue(out, n)
		return
	case syntax.Block:
		if !n.ChildOf(syntax.Scalar).IsZero() { // lines of prose are one text
			templateValue(out, n)
			return
		}
	}
	for c := range n.Children() {
		if c.Field() != syntax.FieldValue || !slices.Contains(rawValues, key) {
			templatesBelow(out, c)
		}
	}
}

func templateValue(out *findings, n syntax.Node) {
	var v openTemplate
	v.readPart(withoutComments(n), n.Span().Start)
	v.report(out)
}

// withoutComments returns a node's text with blanks for the comments in it.
func withoutComments(n syntax.Node) string {
	s := []byte(n.Text())
	for c := range n.Preorder() {
		if c.Kind() == syntax.Comment {
			from := c.Span().Start - n.Span().Start
			copy(s[from:], strings.Repeat(" ", c.Span().Len()))
		}
	}
	return string(s)
}

// openTemplate is what one value has opened and not closed so far.
type openTemplate struct {
	begun, json bool
	braces      []text.Span
	helpers     []blockHelper
}

// blockHelper is a `{{#if}}` or `{{#each}}`.
type blockHelper struct {
	name string
	text.Span
}

var (
	beginsJSON = lazyregexp.New(`^[|"'\s]*(?:\{\s*\\?["'}]|\{\s*\{\{|\[\s*(?:\\?["'\[\]]|\{[^{]))`)
	doubles    = lazyregexp.New(`\{\{|\}\}`)
	helperWord = lazyregexp.New(`^\s*([#/])(if|each)\b`)
)

// readPart reads the next part of the value, which is at an offset.
func (v *openTemplate) readPart(s string, offset int) {
	if !v.begun {
		v.begun, v.json = true, beginsJSON.MatchString(s)
	}
	for _, m := range doubles.FindAllStringIndex(s, -1) {
		span := text.Span{Start: m[0], End: m[1]}.Shift(offset)
		last := len(v.braces) - 1
		switch {
		case s[m[0]] == '{':
			v.braces = append(v.braces, span)
		case last >= 0:
			open := v.braces[last]
			v.braces = v.braces[:last]
			if open.Start >= offset {
				v.closePlaceholder(s[open.End-offset:m[0]], text.Span{Start: open.Start, End: span.End})
			}
		}
	}
}

// closePlaceholder reads a complete placeholder.
func (v *openTemplate) closePlaceholder(inner string, span text.Span) {
	m := helperWord.FindStringSubmatch(inner)
	switch {
	case m == nil:
	case m[1] == "#":
		v.helpers = append(v.helpers, blockHelper{m[2], span})
	default:
		for i := range slices.Backward(v.helpers) {
			if v.helpers[i].name == m[2] {
				v.helpers = slices.Delete(v.helpers, i, i+1)
				return
			}
		}
	}
}

func (v *openTemplate) report(out *findings) {
	if v.json {
		return
	}
	for _, span := range v.braces[:min(len(v.braces), maxFindings)] {
		out.warn(span, "The `{{` is not closed: end the placeholder with `}}`.")
	}
	for _, h := range v.helpers[:min(len(v.helpers), maxFindings)] {
		out.warn(h.Span, "`{{#%s}}` has no `{{/%s}}` in this value.", h.name, h.name)
	}
}
