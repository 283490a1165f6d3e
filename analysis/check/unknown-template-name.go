package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// unknownTemplateName: `TEMPLATE(x)` names a template of the file. In a tool's binding `{{x}}`
// begins with a parameter, a namespace, or a name from `process` or `context_access`. Elsewhere any
// name is permitted, but a path whose first part is one letter away from a namespace is a hint,
// unless the file uses that name for something else. Expressions of `verify`, `revert` and saved
// cases name only what they can see.
var unknownTemplateName = Check{
	Code: "unknown-template-name",
	Entry: func(out *findings, e Entry) {
		for i := range e.Tools {
			unknownInTemplates(out, &e.Tools[i])
		}
		for _, m := range e.Maps {
			unknownSecureFields(out, m)
		}
	},
	YAML: unknownExpected,
	File: func(out *findings, f File) {
		unknownTemplates(out, f)
		nearNamespaces(out, f)
	},
}

func unknownInTemplates(out *findings, t *model.ToolDecl) {
	if hasParams(t) {
		namesInBinding(out, t)
		namesInSteps(out, t)
	}
	for x := range toolExpressionsIn(t) {
		x.reportUnknown(out)
	}
}

// notTemplates are the properties of a tool in which braces are text.
var notTemplates = []string{"description", "code", "statement", "body_schema", "search_instructions"}

func isNoTemplate(key string) bool { return slices.Contains(notTemplates, strings.ToLower(key)) }

func namesInBinding(out *findings, t *model.ToolDecl) {
	for _, p := range t.PropertiesOfAnyKind() {
		if tool.BindingOnly(p.Name()) == nil && p.Name() != "permissions" || !strings.Contains(p.Node.Text(), "{{") {
			continue
		}
		for n := range p.Node.Preorder() {
			switch n.Kind() {
			case syntax.String, syntax.Text, syntax.BlockText:
				if !isNoTemplate(keyAbove(n)) {
					namesInValue(out, t, n.Text(), n.Span().Start)
				}
			}
		}
	}
}

// keyAbove returns the key of the pair whose value contains a node.
func keyAbove(n syntax.Node) string {
	for ; !n.IsZero(); n = n.Parent() {
		if k := n.Kind(); k == syntax.Pair || k == syntax.MapPair {
			return n.Key()
		}
	}
	return ""
}

// plainName matches a placeholder that has a name or a path and nothing else.
var plainName = lazyregexp.New(`^\s*([A-Za-z_]\w*)(?:\.\w+|\[\d+\])*\s*$`)

// namesInValue looks at a text of a binding at an offset.
func namesInValue(out *findings, t *model.ToolDecl, s string, offset int) {
	each := 0 // how many `{{#each}}` are open: there names are those of an item
	for _, p := range model.Placeholders(s, false) {
		inner := s[p.Inner.Start:p.Inner.End]
		switch h := helperWord.FindStringSubmatch(inner); {
		case h == nil || h[2] != "each":
		case h[1] == "#":
			each++
		default:
			each--
		}
		m := plainName.FindStringSubmatchIndex(inner)
		if m == nil || !p.Closed || each > 0 || len(*out) == maxFindings {
			continue
		}
		name := inner[m[2]:m[3]]
		if isKnownHere(t, name) {
			continue
		}
		at := text.Span{Start: m[2], End: m[3]}.Shift(offset + p.Inner.Start)
		known := append(t.ParamNames(), model.Namespaces()...)
		d := out.warn(at, "`%s` has no parameter `%s`, and there is no such namespace; %s", t.Name, name,
			model.DidYouMean(name, known, "add it to the signature."))
		offerNear(d, at, name, known)
		offerParameter(d, t, strings.TrimSpace(inner))
	}
}

// isKnownHere reports whether a placeholder of the tool's binding may begin with the name.
func isKnownHere(t *model.ToolDecl, name string) bool {
	words := []string{"else", "this", "true", "false", "null", "undefined"}
	return slices.Contains(model.Namespaces(), name) || slices.Contains(words, name) || isParam(t, name) || t.ReadsContext(name)
}

var templateCall = lazyregexp.New(`^TEMPLATE\(\s*["']?([A-Za-z_][\w.-]*)["']?\s*\)$`)

// unknownTemplates looks at files that may have templates of their own.
func unknownTemplates(out *findings, f File) {
	if f.Kind == model.Library || f.Kind == model.Profile {
		return
	}
	const call = "TEMPLATE("
	var names []string
	source := f.Doc.Text()
	for at := strings.Index(source, call); at >= 0 && len(*out) < maxFindings; {
		n := f.valueAt(at)
		if m := templateCall.FindStringSubmatchIndex(n.UnquotedText()); m != nil {
			if names == nil {
				names = templateNames(f)
			}
			unknownTemplate(out, n, m, names)
		}
		next := strings.Index(source[at+len(call):], call)
		if next < 0 {
			return
		}
		at += len(call) + next
	}
}

func unknownTemplate(out *findings, n model.PositionedNode, m []int, names []string) {
	name := n.UnquotedText()[m[2]:m[3]]
	if slices.Contains(names, name) {
		return
	}
	start := n.Span().Start + strings.Index(n.Text(), name)
	at := text.Span{Start: start, End: start + len(name)}
	d := out.warn(at, "The file has no template `%s`; %s", name,
		model.DidYouMean(name, names, "declare it below `TEMPLATES:`."))
	offerNear(d, at, name, names)
}

// valueAt returns the value around an offset; zero in a comment and in a block of text.
func (f File) valueAt(offset int) model.PositionedNode {
	n := f.NodeAt(offset)
	for ; !n.IsZero() && n.Kind() != syntax.Comment; n.Node = n.Parent() {
		if n.Field() == syntax.FieldValue {
			return n
		}
	}
	return model.PositionedNode{}
}

// templateNames returns the templates that the file declares; never nil.
func templateNames(f File) []string {
	names := []string{}
	for _, s := range f.Doc.Sections() {
		keyword, name, _ := strings.Cut(s.Head.Root().Key(), " ")
		switch {
		case s.Name() == "TEMPLATES":
			for _, p := range model.Properties(s.Head.Root(), nil) {
				names = append(names, p.Name())
			}
			for _, e := range s.Entries {
				names = append(names, e.Root().Key())
			}
		case strings.EqualFold(keyword, "TEMPLATE"):
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
}

// nearNamespaces looks at all placeholders except those of bindings.
func nearNamespaces(out *findings, f File) {
	own := ownNames{file: f}
	for _, n := range f.NameRefsOf(model.MisspelledNamespaceRef) {
		if len(*out) == maxFindings {
			return
		}
		if f.isText(n.Span.Start) && !own.has(n.Name) {
			d := out.hint(n.Span, "There is no namespace `%s`; did you mean `%s`?", n.Name, n.Owner)
			offerNear(d, n.Span, n.Name, model.Namespaces())
		}
	}
}

// isText reports whether this check looks at a placeholder at an offset: it is in a value, and
// neither in a tool's binding nor in a property whose braces are text.
func (f File) isText(offset int) bool {
	n := f.NodeAt(offset)
	inTool := false
	for up := n.Node; !up.IsZero(); up = up.Parent() {
		inTool = inTool || up.Kind() == syntax.Tool
	}
	value := false
	for up := n.Node; !up.IsZero(); up = up.Parent() {
		value = value || up.Field() == syntax.FieldValue || up.Kind() == syntax.Scalar
		isBinding := inTool && tool.BindingOnly(up.Key()) != nil
		if up.Kind() == syntax.Comment || inTool && isNoTemplate(up.Key()) || isBinding {
			return false
		}
	}
	return value
}

// ownNames collects the words of a file by which its author names something.
type ownNames struct {
	file  File
	names map[string]bool
}

func (o *ownNames) has(name string) bool {
	if o.names == nil {
		o.names = map[string]bool{}
		for _, e := range o.file.Doc.HeadsAndEntries() {
			for n := range e.Root().Preorder() {
				o.addNames(n)
			}
		}
	}
	return o.names[name]
}

// addNames adds keys, targets of assignments, parameters, and values that are a single word or
// path. It adds nothing in placeholders, since these are what is checked.
func (o *ownNames) addNames(n syntax.Node) {
	switch n.Kind() {
	case syntax.Key, syntax.Path, syntax.Identifier, syntax.Text, syntax.String:
		if s := n.UnquotedText(); isPath(s) && !inPlaceholder(n) {
			o.names[placeholder.RootName(s)] = true
		}
	}
}

func inPlaceholder(n syntax.Node) bool {
	for n = n.Parent(); !n.IsZero(); n = n.Parent() {
		if n.Kind() == syntax.Interpolation {
			return true
		}
	}
	return false
}
