package check

import (
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// checkLimits: the smallest permitted number of a parameter is not larger than the largest one.
func checkLimits(out *findings, t *model.ToolDecl) {
	for _, name := range []string{"parameters", "template_parameters"} {
		block, _ := t.Property(name)
		for _, p := range block.Properties() {
			least, has := findProperty(p.Properties(), "min_value")
			most, both := findProperty(p.Properties(), "max_value")
			of := tool.Param{MinValue: tool.Number(least.Text()), MaxValue: tool.Number(most.Text())}
			if has && both && p.Describes() && of.NoneBetween() {
				out.warn(least.Value.Span(), "`min_value` is more than `max_value`: no number is allowed.")
			}
		}
	}
}

// partOfMap returns a list or a map in the default of a map whose values have no named type: such
// values are texts, numbers, true and false.
func partOfMap(n syntax.Node, t *tool.Type) (part syntax.Node) {
	if t.Name != "map" || t.Elem != nil || n.Kind() != syntax.Map {
		return part
	}
	for pair := range n.Children() {
		if k := pair.Value().Kind(); pair.Kind() == syntax.MapPair && (k == syntax.List || k == syntax.Map) {
			return pair.Value()
		}
	}
	return part
}
