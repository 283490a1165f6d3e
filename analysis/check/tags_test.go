package check

import (
	"slices"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/marker"
)

// tagged are the codes of what an editor fades or strikes out.
var tagged = map[string]model.Tag{
	"unused-import":          model.Unnecessary,
	"unused-parameter-block": model.Unnecessary,
	"unused-suppression":     model.Unnecessary,
	"unused-tool":            model.Unnecessary,
	"unreachable-step":       model.Unnecessary,
	"unreachable-action":     model.Unnecessary,
	"deprecated-spelling":    model.Deprecated,
	"removed-section":        model.Deprecated,
}

// TestTags: every diagnostic of these codes has its tag, and no other has one.
func TestTags(t *testing.T) {
	seen := map[string]bool{}
	eachDiagnostic(t, func(name string, d model.Diagnostic) {
		seen[d.Code] = true
		var want []model.Tag
		if tag, ok := tagged[d.Code]; ok {
			want = []model.Tag{tag}
		}
		if !slices.Equal(d.Tags, want) {
			t.Errorf("%s: %s: %q has the tags %v, want %v", name, d.Code, d.Message, d.Tags, want)
		}
	})
	for code := range tagged {
		if !seen[code] {
			t.Errorf("nothing reports %s", code)
		}
	}
}

func eachDiagnostic(t *testing.T, do func(fixture string, d model.Diagnostic)) {
	t.Helper()
	for _, f := range marker.Load(t, fixtures) {
		for _, path := range f.Files {
			for _, d := range cold(f, path) {
				do(f.Name, d)
			}
		}
	}
}
