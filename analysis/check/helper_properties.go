package check

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/edit"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// findProperty returns the property at a path of canonical names, in the block that it belongs to
// or flat in the tool. If there are several, it is the last one, which overrides the others. The
// second result is false if there is none.
func findProperty(props []model.Property, path ...string) (model.Property, bool) {
	for _, p := range slices.Backward(props) {
		switch {
		case p.Field == nil:
		case slices.Equal(p.FlatPath, path):
			return p, true
		case p.FlatPath != nil || p.Name() != path[0]:
		case len(path) == 1:
			return p, true
		default:
			if inner, ok := findProperty(p.Properties(), path[1:]...); ok {
				return inner, true
			}
		}
	}
	return model.Property{}, false
}

// hasWord reports whether a property has one of the words for its value, in any casing.
func hasWord(props []model.Property, words []string, path ...string) bool {
	p, ok := findProperty(props, path...)
	is := func(word string) bool { return strings.EqualFold(word, p.Text()) }
	return ok && slices.ContainsFunc(words, is)
}

// isTrue reports whether a flag is present and set.
func isTrue(props []model.Property, path ...string) bool {
	return hasWord(props, []string{"true", "yes"}, path...)
}

// declaredEffect returns the property by which the tool declares that it changes something; ok is
// false if there is none.
func declaredEffect(props []model.Property) (p model.Property, ok bool) {
	for _, path := range [][]string{{"hints", "side_effects"}, {"mutation"}} {
		if isTrue(props, path...) {
			return findProperty(props, path...)
		}
	}
	if hasWord(props, []string{"state_write", "side_effect"}, "effect") {
		return findProperty(props, "effect")
	}
	return model.Property{}, false
}

// hasParams reports whether all parameters of a tool are known: the signature is complete, and no
// schema replaces it.
func hasParams(t *model.ToolDecl) bool {
	_, schema := t.Property("input_schema")
	return !schema && hasCompleteSignature(t)
}

// isParam reports whether a name, or a path into an object, begins with a parameter, or with a name
// that `process` sets.
func isParam(t *model.ToolDecl, name string) bool {
	head := placeholder.RootName(name)
	return t.Param(name) != nil || t.Param(head) != nil || t.SetsName(head)
}

// offerNear adds the fix that replaces a name at a span by the known name that is near to it.
func offerNear(d *model.Diagnostic, at text.Span, name string, known []string) {
	if near := model.Nearest(name, known); near != "" {
		d.Fixes = append(d.Fixes, model.ReplaceFix("Change to `"+near+"`", at, near))
	}
}

// offerParameter adds the fix that declares a name, or the head of a path, as a parameter of the
// tool, if ABL declares the tool.
func offerParameter(d *model.Diagnostic, t *model.ToolDecl, name string) {
	if t.IsForeign() {
		return
	}
	if fix, ok := edit.AddParameter(t, name, edit.TypeByName(name)); ok {
		d.Fixes = append(d.Fixes, fix)
	}
}
