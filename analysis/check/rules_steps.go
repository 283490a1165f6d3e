package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// stepBindings returns `verify` and `revert` of a tool if they are bindings of their own whose kind
// is known.
func stepBindings(t *model.ToolDecl) []model.Property {
	var found []model.Property
	for _, p := range t.Properties() {
		if stepKind(p) != "" {
			found = append(found, p)
		}
	}
	return found
}

// stepKind returns the kind of a step's binding; "" if it is no binding, or has an unknown kind.
func stepKind(p model.Property) tool.Kind {
	if p.Field == nil || !p.Field.Step {
		return ""
	}
	inner, _ := findProperty(p.Properties(), "type")
	word, _ := tool.LookupWord(tool.Kinds(), inner.Text())
	return tool.Kind(word.Name)
}

// unknownInStep looks at the keys of a binding in `verify` or `revert`.
func unknownInStep(out *findings, step model.Property) {
	kind := stepKind(step)
	for _, p := range step.Properties() {
		switch kinds := tool.BindingOnly(p.Name()); {
		case p.Field != nil:
			unknownBelow(out, p)
		case p.IsAuthorName || isFormless(p) || kind == "" && kinds != nil:
		case kinds != nil:
			out.warn(p.Key.Span(), "`%s` does nothing in a `%s` of `type: %s`; it belongs to `%s`.", p.Name(), step.Name(), kind, joinKinds(kinds))
		default:
			known := fieldNames(tool.StepFields(step.Name(), kind))
			d := out.warn(p.Key.Span(), "`%s` has no `%s`; %s", step.Name(), p.Name(), model.DidYouMean(p.Name(), known, "delete it."))
			offerRename(d, p.Key, known)
		}
	}
}

func joinKinds(kinds []tool.Kind) string {
	words := make([]string, len(kinds))
	for i, k := range kinds {
		words[i] = string(k)
	}
	return strings.Join(words, "`, `")
}

// missingInSteps: a binding in `verify` or `revert` has what its type requires.
func missingInSteps(out *findings, t *model.ToolDecl) {
	for _, step := range stepBindings(t) {
		kind := stepKind(step)
		for _, f := range tool.Fields(kind) {
			p, ok := findProperty(step.Properties(), f.Name)
			if f.Required && (!ok || isEmpty(p)) {
				out.err(step.Key.Span(), "`%s` of `type: %s` has no `%s`; %s", step.Name(), kind, f.Name, exampleLine(&f))
			}
		}
	}
}

// namesInSteps: a name in braces in `verify` or `revert` is a parameter, a namespace, or `result`
// or `args` of the run.
func namesInSteps(out *findings, t *model.ToolDecl) {
	for _, step := range stepBindings(t) {
		for _, p := range step.Properties() {
			if strings.Contains(p.Node.Text(), "{{") {
				bracesIn(out, t, step.StepArguments(), p)
			}
		}
	}
}

func bracesIn(out *findings, t *model.ToolDecl, own []string, p model.Property) {
	for n := range p.Node.Preorder() {
		switch n.Kind() {
		case syntax.String, syntax.Text, syntax.BlockText:
			if !isNoTemplate(keyAbove(n)) {
				namesInStep(out, t, own, n.Text(), n.Span().Start)
			}
		}
	}
}

// namesOfRun are the names by which a step refers to its run.
var namesOfRun = []string{"result", "args"}

// namesInStep reports the unknown names in the placeholders of s, a text at an offset in `verify`
// or `revert`. own has the binding's own arguments, which it sees instead of the tool's parameters.
func namesInStep(out *findings, t *model.ToolDecl, own []string, s string, offset int) {
	for _, p := range model.Placeholders(s, false) {
		inner := s[p.Inner.Start:p.Inner.End]
		m := plainName.FindStringSubmatchIndex(inner)
		if m == nil || !p.Closed || len(*out) == maxFindings {
			continue
		}
		at := text.Span{Start: m[2], End: m[3]}
		path := strings.TrimSpace(inner)
		head := inner[m[2]:m[3]]
		switch {
		case head == "args" && strings.HasPrefix(path, "args."):
			at = text.Span{Start: m[3] + 1, End: m[3] + 1 + len(placeholder.RootName(path[len("args."):]))}
			head = inner[at.Start:at.End]
			if t.Param(head) == nil {
				unknownInRun(out, t, at.Shift(offset+p.Inner.Start), head, t.ParamNames())
			}
		case slices.Contains(namesOfRun, head) || slices.Contains(own, head) || own == nil && isKnownHere(t, head):
		case own == nil:
			unknownInRun(out, t, at.Shift(offset+p.Inner.Start), head, slices.Concat(t.ParamNames(), model.Namespaces(), namesOfRun))
		case !slices.Contains(model.Namespaces(), head):
			unknownInRun(out, t, at.Shift(offset+p.Inner.Start), head, slices.Concat(own, model.Namespaces(), namesOfRun))
		}
	}
}

func unknownInRun(out *findings, t *model.ToolDecl, at text.Span, name string, known []string) {
	d := out.warn(at, "`%s` has no parameter `%s`; %s", t.Name, name,
		model.DidYouMean(name, known, "a run is known by `result` and `args`."))
	offerNear(d, at, name, known)
}
