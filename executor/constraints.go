package executor

import (
	"fmt"

	"github.com/abl-lsp/abl-lsp/tool"
)

// checkParam returns an error if v is not of p's type or violates a limit of p, such as its list
// of allowed values. If v is an array, the limits apply to each element.
func checkParam(p tool.Param, v any) error {
	if err := checkValue(p.Type.AcceptedType(), v, p.Name); err != nil {
		return err
	}
	return checkConstraints(p, v, p.Name)
}

func checkConstraints(p tool.Param, v any, path string) error {
	if list, ok := v.([]any); ok {
		for i, x := range list {
			if err := checkConstraints(p, x, fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
		return nil
	}
	if want := p.ViolatedLimit(v); want != "" {
		return &mismatch{path: path, want: Shorten(want, 207), got: v, notAllowed: true}
	}
	return nil
}
