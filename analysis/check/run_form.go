package check

import (
	"context"
	"slices"
	"sync"

	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// HasForm reports whether f can certainly be formatted: every line can be read, and no line looks
// like a slip that explains other findings. It looks at f alone, with the few checks that find such
// things. If the result is false, [Run] may say what is wrong.
func HasForm(ctx context.Context, f *model.File) bool {
	if f.Kind == model.YAML || isUnreadableText(f.Doc) || len(columnSlips(f)) > 0 {
		return false
	}
	w := model.Workspace{}.WithFile(f)
	r := newRun(ctx, w, f.Path, new(Cache))
	r.checks = formChecks()
	found := r.checkText(w, f)
	if slices.ContainsFunc(found, hasNoForm) || countGrave(found) > 0 && len(indentSlipsIn(f.Doc, found)) > 0 {
		return false
	}
	return ctx.Err() == nil
}

// formChecks are the checks of the form of lines. The slice is shared.
var formChecks = sync.OnceValue(func() []Check {
	return slices.DeleteFunc(All(), func(c Check) bool { return !c.Form })
})

// lineChecks find the lines that cannot be read. The slice is shared.
var lineChecks = sync.OnceValue(func() []Check { return []Check{syntaxError, invalidSignature} })

// hasNoForm reports whether a finding is about a line that cannot be read, or about a slip.
func hasNoForm(d model.Diagnostic) bool {
	return d.IsUnreadable() || slices.ContainsFunc(d.Fixes, func(fix model.Fix) bool { return fix.ChangesParse })
}
