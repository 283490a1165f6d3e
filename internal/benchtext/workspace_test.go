package benchtext

import (
	"maps"
	"strings"
	"testing"
)

func TestWorkspace(t *testing.T) {
	files, lines := maps.Collect(Workspace(420)), 0
	for _, text := range files {
		lines += strings.Count(text, "\n")
	}
	if len(files) != 420 || lines/len(files) < 120 || lines/len(files) > 130 {
		t.Errorf("%d files of %d lines on average, want 420 of 125", len(files), lines/len(files))
	}
	if again := maps.Collect(Workspace(420)); !maps.Equal(files, again) {
		t.Error("the second workspace differs from the first")
	}
}
