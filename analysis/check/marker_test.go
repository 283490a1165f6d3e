package check

import (
	"context"
	"slices"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/marker"
)

const fixtures = "../../testdata/marker/check"

func cold(f *marker.Fixture, path string) []model.Diagnostic {
	return Run(context.Background(), f.Workspace, path, Options{Standard: f.Standard})
}

func TestMarkers(t *testing.T) { marker.Run(t, fixtures, coldAnswers) }

func coldAnswers(_ *testing.T, f *marker.Fixture) marker.Answers {
	return marker.Answers{Diagnostics: func(path string) []model.Diagnostic { return cold(f, path) }}
}

// TestSeedPage checks that the examples of the normative page have no findings.
func TestSeedPage(t *testing.T) { marker.Run(t, "../../testdata/seed", coldAnswers) }

// TestEveryCodeHasItsFixture checks that each code has a fixture of its name, which reports it, and
// which has a file without findings.
func TestEveryCodeHasItsFixture(t *testing.T) {
	all := marker.Load(t, fixtures)
	for _, c := range All() {
		i := slices.IndexFunc(all, func(f *marker.Fixture) bool { return f.Name == c.Code })
		if i < 0 {
			t.Errorf("%s has no fixture", c.Code)
			continue
		}
		reported, clean := false, false
		for _, path := range all[i].Files {
			found := cold(all[i], path)
			clean = clean || !slices.ContainsFunc(found, func(d model.Diagnostic) bool { return !all[i].NeedsNoNote(d) })
			reported = reported || slices.ContainsFunc(found, func(d model.Diagnostic) bool { return d.Code == c.Code })
		}
		if !reported || !clean {
			t.Errorf("%s: reported %v, a clean file %v; both are wanted", c.Code, reported, clean)
		}
	}
}

// TestWhatCannotBeLoweredIsReported checks that the checks report whatever keeps a tool from
// running, as an error or, in an agent in YAML, whose values the platform drops, as a warning.
func TestWhatCannotBeLoweredIsReported(t *testing.T) {
	seen := 0
	for _, f := range marker.Load(t, fixtures) {
		for _, path := range f.Files {
			for _, l := range model.LowerAll(f.Workspace, path) {
				found := Run(context.Background(), f.Workspace, l.Declared.File.Path, Options{Unsuppressed: true})
				in, least := l.Declared.File, model.Error
				if in.IsYAMLAgent() {
					least = model.Warning
				}
				for _, d := range l.Diagnostics {
					seen++
					if !slices.ContainsFunc(found, func(e model.Diagnostic) bool {
						return e.Severity <= least && in.WrittenOffset(e.Span.Start) == in.WrittenOffset(d.Span.Start)
					}) {
						t.Errorf("%s: %s: not reported: %s", f.Name, l.Tool.Name, d.Message)
					}
				}
			}
		}
	}
	if seen == 0 {
		t.Error("nothing was wrong anywhere")
	}
}
