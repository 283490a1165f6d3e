package check

import (
	"context"
	"slices"
	"sync"

	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// HasForm reports whether a file can be formatted for sure: nothing in it is without a form,
// and no line looks like a slip that explains what is found. It looks at the file alone, with
// the few checks that find such things; where it is false, [Run] says what is wrong, if
// anything is.
func HasForm(ctx context.Context, f *model.File) bool {
	if f.Kind == model.YAML || unreadable(f.Doc) || len(columnSlips(f)) > 0 {
		return false
	}
	w := model.Workspace{}.With(f.Path, f.Doc)
	r := newRun(ctx, w, f.Path, new(Cache))
	r.checks = formChecks()
	found := r.read(w, w.File(f.Path))
	if slices.ContainsFunc(found, hasNoForm) || grave(found) > 0 && len(indentSlipsIn(f.Doc, found)) > 0 {
		return false
	}
	return ctx.Err() == nil
}

// formChecks are those that look at the form of the lines. The slice is shared.
var formChecks = sync.OnceValue(func() []Check {
	return slices.DeleteFunc(All(), func(c Check) bool { return !c.Form })
})

// hasNoForm reports whether a finding is about a line that has no form, or about a slip.
func hasNoForm(d model.Diagnostic) bool {
	hasNone := d.Severity == model.Error && (d.Code == syntaxError.Code || d.Code == invalidSignature.Code)
	return hasNone || slices.ContainsFunc(d.Fixes, func(fix model.Fix) bool { return fix.Mends })
}
