package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/internal/testdeps"
	"github.com/abl-lsp/abl-lsp/internal/toolpages"
)

// TestToolPages runs the example on the page of each kind of tool.
func TestToolPages(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	pages, err := toolpages.Read(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		t.Run(p.Kind, func(t *testing.T) {
			t.Parallel()
			runner := toolpages.Runner{Program: program, Root: root, Env: []string{
				asProgram + "=1",
				"ABL_STATE_DIR=" + t.TempDir(),
				"ABL_CACHE_DIR=" + testdeps.CachePath("abl-lsp"),
			}}
			if missing := runner.Missing(p); len(missing) > 0 {
				testdeps.SkipOrFail(t, "%s is not here", strings.Join(missing, ", "))
			}
			results, err := runner.Run(t.Context(), p, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range results {
				if !r.IsExpected() {
					t.Errorf("$ %s\nends with %d (-want +got):\n%s", r.Line, r.Exit, cmp.Diff(r.Output, r.Got))
				}
			}
		})
	}
}
