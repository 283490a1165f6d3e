package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFresh holds the list to the files.
func TestFresh(t *testing.T) {
	const root = "../../.."
	want, err := kindsOf(root)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, output))
	if err != nil {
		t.Fatal(err)
	}
	if strings.ReplaceAll(string(got), "\r\n", "\n") != want {
		t.Errorf("%s is stale: run make generate", output)
	}
}
