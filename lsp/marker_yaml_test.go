package lsp_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/abl-lsp/abl-lsp/internal/marker"
)

// withoutYAMLAgents returns the folders whose feature agents in YAML do not have, with the reason.
func withoutYAMLAgents() map[string]string {
	return map[string]string{
		"document_link":    "links lead to imported files and to the code of sandboxes, and YAML has keys for neither",
		"organize_imports": "there are no imports",
		"rename_files":     "there are no paths of files",
	}
}

// TestYAMLAgentsHaveFixtures checks that the fixtures of each feature have notes in an agent in YAML,
// or that there is a reason why not.
func TestYAMLAgentsHaveFixtures(t *testing.T) {
	reasons := withoutYAMLAgents()
	for _, dir := range markerDirs(t) {
		folder := filepath.Base(dir)
		has := slices.ContainsFunc(marker.Load(t, dir), func(f *marker.Fixture) bool {
			return slices.ContainsFunc(f.Notes, func(n marker.Note) bool { return f.Workspace.File(n.Path).IsYAMLAgent() })
		})
		switch reason := reasons[folder]; {
		case !has && reason == "":
			t.Errorf("%s: no note is in an agent in YAML", folder)
		case has && reason != "":
			t.Errorf("%s: there are notes in an agent in YAML, and a reason why not: %s", folder, reason)
		}
		delete(reasons, folder)
	}
	for folder := range reasons {
		t.Errorf("%s: no such folder", folder)
	}
}
