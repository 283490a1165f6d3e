package check

import (
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/tool"
)

// retryMutation: a tool that repeats failed calls does not change something, unless an
// `idempotency_header` tells the other side that two calls are the same. Since many such tools are
// right, it is a hint, and only if the tool itself declares it.
var retryMutation = Check{
	Code: "retry-mutation",
	Entry: eachTool(func(out *findings, _ Entry, t *model.ToolDecl) {
		props := t.PropertiesOfAnyKind()
		p, ok := retryOf(props)
		if _, once := findProperty(props, "idempotency_header"); !ok || once {
			return
		}
		if m := methodOf(props); slices.Contains([]string{"POST", "PUT", "PATCH", "DELETE"}, m) {
			out.hint(p.Key.Span(), "A failed `%s` may be sent again after it did its work; make sure that the other side does it once.", m)
		} else if effect, ok := declaredEffect(props); ok {
			out.hint(p.Key.Span(), "A failed call may be made again after it did its work, and `%s: %s` says that it changes something; make sure that this happens once.", effect.Name(), effect.Text())
		}
	}),
}

// retryOf returns the property that makes a tool repeat failed calls. The second result is false if
// there is none.
func retryOf(props []model.Property) (model.Property, bool) {
	for _, path := range [][]string{{"retry"}, {"retry_policy"}} {
		p, ok := findProperty(props, path...)
		count := p
		if p.Name() == "retry_policy" {
			count, _ = findProperty(p.Properties(), "max_retries")
		}
		if n, isNumber := tool.Number(count.Text()).Float(); ok && (!isNumber || n > 0) {
			return p, true
		}
	}
	return model.Property{}, false
}
