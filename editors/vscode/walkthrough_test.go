package vscode_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPicturesOfWalkthrough checks that the code beside a step names a language, which colours
// it, and is at most 50 columns wide: VS Code cuts off wider lines.
func TestPicturesOfWalkthrough(t *testing.T) {
	pages, err := filepath.Glob("walkthrough/*.md")
	if err != nil || len(pages) != 5 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	for _, page := range pages {
		raw, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		inside := false
		for i, line := range strings.Split(string(raw), "\n") {
			language, fence := strings.CutPrefix(line, "```")
			switch {
			case fence && !inside && language == "":
				t.Errorf("%s:%d: no language", page, i+1)
			case inside && len(line) > 50:
				t.Errorf("%s:%d: %d columns", page, i+1, len(line))
			}
			inside = inside != fence
		}
	}
}
