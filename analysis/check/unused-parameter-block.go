package check

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// unusedParameterBlock: only an object, or an array, has fields below its name in `parameters:`.
// Keys that describe a parameter are right for every type.
var unusedParameterBlock = Check{
	Code: "unused-parameter-block",
	Entry: eachTool(func(out *findings, _ Entry, t *model.ToolDecl) {
		block, ok := findProperty(t.PropertiesOfAnyKind(), "parameters")
		if !ok {
			return
		}
		for _, p := range block.Properties() {
			param := t.Param(p.Name())
			if param == nil || p.Describes() || len(p.Properties())+len(p.OptionalFields()) == 0 {
				continue
			}
			n := param.Node.Child(syntax.FieldType)
			if n.Kind() != syntax.TypeIdentifier || !slices.Contains(scalarTypes, n.Text()) {
				continue
			}
			d := out.warn(p.Key.Span(), "`%s` is a `%s`, which has no fields; declare it as `object`, or delete what stands below.", p.Name(), n.Text())
			d.Tags = append(d.Tags, model.Unnecessary)
			fix := model.ReplaceFix("Declare it as `object`", n.Span(), "object")
			fix.Best = false
			d.Fixes = append(d.Fixes, fix)
		}
	}),
}

var scalarTypes = []string{"string", "number", "boolean", "date", "datetime"}
